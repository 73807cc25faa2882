import type { BoundStatement } from "../../kernel/db/batch.ts";
import { secondFactorContext } from "../../kernel/db/seal-contexts.ts";
import type { Role } from "../../kernel/scopes.ts";
import type { Vault } from "../../kernel/secrets/vault.ts";

/** A member with credentials, which never leave the deployment. */
export type CopiedMember = Record<"id" | "email" | "name" | "password_hash" | "source" | "created_at", string> & {
  role: Role;
  /** The sealed TOTP secret; null without a second factor. */
  secret: string | null;
  recovery_codes: string | null;
  second_factor_at: string | null;
};

/**
 * Returns the members of the account with this name. Returns none if the account was created at another time, because
 * it is then a different account.
 */
export async function readMembersOf(
  db: D1Database,
  { name, created_at }: { name: string; created_at: string | null },
): Promise<CopiedMember[]> {
  const { results } = await db
    .prepare(
      `SELECT u.id, u.email, u.name, u.password_hash, u.source, u.role, u.created_at,
         f.secret, f.recovery_codes, f.created_at AS second_factor_at
       FROM users u JOIN accounts a ON a.name = u.account
       LEFT JOIN second_factors f ON f.account = u.account AND f.id = u.id
       WHERE u.account = ?1 AND (?2 IS NULL OR a.created_at = ?2) ORDER BY u.id`,
    )
    .bind(name, created_at)
    .all<CopiedMember>();
  return results;
}

/**
 * Returns the statements that write members and their second factors into an account into which this backup is being
 * restored. @throws VaultUnavailable if a second factor cannot be opened
 */
export async function writeMembers(
  vault: Vault,
  members: CopiedMember[],
  { from, to, backup }: { from: string; to: string; backup: string },
): Promise<BoundStatement[]> {
  const isUnderWay = "EXISTS (SELECT 1 FROM restores WHERE account = ?1 AND backup = ?2 AND finished_at IS NULL)";
  const users = members.map(({ id, email, name, password_hash, source, role, created_at }) => ({
    sql: `INSERT INTO users (account, id, email, name, password_hash, source, role, created_at)
      SELECT ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE ${isUnderWay} ON CONFLICT DO NOTHING`,
    params: [to, backup, id, email, name, password_hash, source, role, created_at],
  }));
  const factors = await Promise.all(
    members.map(async ({ id, secret, recovery_codes, second_factor_at }) => {
      if (secret === null) return [];
      const opened = await vault.open(secret, secondFactorContext(from, id));
      const sealed = await vault.seal(opened, secondFactorContext(to, id));
      return [
        {
          sql: `INSERT INTO second_factors (account, id, secret, recovery_codes, created_at)
            SELECT ?1, ?3, ?4, ?5, ?6 WHERE ${isUnderWay} ON CONFLICT DO NOTHING`,
          params: [to, backup, id, sealed, recovery_codes, second_factor_at],
        },
      ];
    }),
  );
  return [...users, ...factors.flat()];
}
