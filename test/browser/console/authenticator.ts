import { Secret, TOTP } from "otpauth";

const STEP_MS = 30_000;

/**
 * Creates an authenticator app that never shows the same code twice. The service accepts each code once, up to one step
 * early.
 */
export function authenticator(secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: STEP_MS / 1000 });
  let last = 0;
  return {
    /** Returns the next code; at most two within one time step. */
    next(): string {
      last = Math.max(last + 1, Math.floor(Date.now() / STEP_MS));
      return totp.generate({ timestamp: last * STEP_MS });
    },
  };
}
