import { Secret, TOTP } from "otpauth/slim";

/** The length of a secret, bytes, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** The number of time steps by which the user's clock may be off, in either direction. */
const DRIFT_STEPS = 1;
/** How long a time step's code can be accepted after the step began, ms. */
export const CODE_ACCEPTED_MS = (1 + 2 * DRIFT_STEPS) * PERIOD_S * 1000;

/** Returns a new secret in base32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Returns the URL that an authenticator app reads from a QR code. */
export function otpauthUrl(secret: string, { account, email }: { account: string; email: string }): string {
  return totpOf(secret, `${email} (${account})`).toString();
}

/** Returns the time step (RFC 6238) of the code, if it is close to `now` (ms); null for a wrong code. */
export function stepOf(secret: string, code: string, now: number): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totpOf(secret).validate({ token, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_S) + delta;
}

function totpOf(secret: string, label = ""): TOTP {
  // Every authenticator app supports these values. Some apps don't support the other options of otpauth URLs.
  return new TOTP({ issuer: "Switchboard", label, algorithm: "SHA1", digits: 6, period: PERIOD_S, secret });
}
