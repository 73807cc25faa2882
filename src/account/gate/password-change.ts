import { and, eq, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { UserRow } from "../../kernel/db/look-ups.ts";
import { users } from "../../kernel/db/schema/index.ts";
import type { Session } from "../../kernel/http/credential.ts";
import type { Entrance } from "./entrance.ts";
import type { SessionLedger } from "./session-ledger.ts";

/** A user's new password, and the session of the user that stays valid. */
export interface PasswordChange {
  passwordHash: string;
  /** The user as of when the current password was verified. A user who has changed since is not updated. */
  verified: Pick<UserRow, "id" | "password_hash" | "sessions_valid_after">;
  session: Session & { expiresAt: number };
}

/** `changed_meanwhile` means that the user has changed since the current password was verified. */
export type PasswordOutcome = "changed" | "signed_out" | "changed_meanwhile";

interface Context {
  entrance: Entrance;
  store: AccountStore;
  sessions: () => SessionLedger;
}

/** Writes the password, and ends all other sessions that the user has begun so far. */
export async function changePassword(
  { entrance, store, sessions: open }: Context,
  { passwordHash, verified, session }: PasswordChange,
): Promise<PasswordOutcome> {
  const { outcome } = await entrance.judge({ session }, null, Date.now());
  if (outcome !== "ok") return "signed_out";
  const sessions = open();
  const now = Date.now();
  const { id, password_hash, sessions_valid_after } = verified;
  // Later than the beginning of every session, and different from an earlier end, which other sessions may have
  // survived.
  const validAfter = Math.max(now, sessions_valid_after === null ? 0 : Date.parse(sessions_valid_after)) + 1;
  const before = sessions.outlived(session.id);
  // The session is kept before the write, so that none of its requests is refused in between.
  sessions.keep(session.id, validAfter, session.expiresAt, now);
  const unchanged = and(
    eq(users.id, id),
    eq(users.password_hash, password_hash),
    sql`${users.sessions_valid_after} IS ${sessions_valid_after}`,
  );
  const set = { password_hash: passwordHash, sessions_valid_after: new Date(validAfter).toISOString() };
  const entry = { action: "change_password", resource: "user", resource_id: id } as const;
  const [changed] = await store.write(entry, store.update(users, set, unchanged ?? sql`false`));
  if (changed.length === 0) sessions.keep(session.id, before, session.expiresAt, now);
  return changed.length > 0 ? "changed" : "changed_meanwhile";
}
