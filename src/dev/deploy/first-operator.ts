import { randomBytes } from "node:crypto";
import { base64url } from "jose";
import { v7 as uuidv7 } from "uuid";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";

/** How long the link is valid, ms, as for any reset link. Another deployment makes another link. */
const LINK_LIFETIME_MS = 3_600_000;
const ADDRESS = /^[a-z0-9._%+-]+@[a-z0-9.-]+$/;

type Query = (sql: string, params: (string | number)[]) => Promise<unknown>;

/** Returns the address as it is stored. @throws Error with a sentence if it is invalid */
export function operatorAddress(email: string): string {
  const address = email.toLowerCase();
  if (!ADDRESS.test(address)) throw new Error(`${email} is no email address`);
  return address;
}

/**
 * Creates an operator with this address and without a password, if there is none, and a link to choose the password
 * once. Earlier links of the operator stop working. Each statement may be repeated after an interruption.
 */
export async function inviteOperator(query: Query, email: string, url: string, now: Date) {
  const token = `service-admin.${base64url.encode(randomBytes(32))}`;
  const expires_at = new Date(now.getTime() + LINK_LIFETIME_MS).toISOString();
  await query(
    `INSERT INTO users (account, id, email, name, password_hash, created_at)
      VALUES ('service-admin', ?, ?, 'Operator', '', ?)
      ON CONFLICT (account, email) WHERE source = 'password' DO NOTHING`,
    [uuidv7(), email, now.toISOString()],
  );
  await query(
    `INSERT INTO password_resets (account, id, hash, created_by, expires_at)
      SELECT account, id, ?, 'system:deploy', ? FROM users
      WHERE account = 'service-admin' AND email = ? AND source = 'password'
      ON CONFLICT (account, id) DO UPDATE SET hash = excluded.hash, created_by = excluded.created_by, expires_at = excluded.expires_at`,
    [await sha256Hex(token), expires_at, email],
  );
  return { link: `${url}/console/reset-password#${token}`, expires_at };
}
