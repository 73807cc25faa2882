import { Secret, TOTP } from "otpauth/slim";

/** Bytes of a secret, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** Steps that the user's clock may be off, either way. */
const DRIFT_STEPS = 1;
/** How long the code of a step could be accepted after the step began, ms. */
export const CODE_ACCEPTED_MS = (1 + 2 * DRIFT_STEPS) * PERIOD_S * 1000;

/** A new secret, base32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address that an authenticator app reads from a QR code. */
export function otpauthUrl(secret: string, { account, email }: { account: string; email: string }): string {
  return totpOf(secret, `${email} (${account})`).toString();
}

/** The time step (RFC 6238) that the code belongs to, if it is one around `now` (ms); null for a wrong code. */
export function stepOf(secret: string, code: string, now: number): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totpOf(secret).validate({ token, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_S) + delta;
}

function totpOf(secret: string, label = ""): TOTP {
  // What every authenticator app supports, whatever else an otpauth address could say.
  return new TOTP({ issuer: "Switchboard", label, algorithm: "SHA1", digits: 6, period: PERIOD_S, secret });
}
