export const JOINED_SESSIONS = `
  CREATE TABLE joined_sessions (
    session TEXT NOT NULL, account TEXT NOT NULL, id TEXT NOT NULL, user TEXT NOT NULL, begun_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL, PRIMARY KEY (session, account)
  ) WITHOUT ROWID;
`;

/**
 * A session of the same person in another account. The tokens of the session to which it is joined also open it. Times
 * are in ms.
 */
export interface JoinedSession {
  account: string;
  id: string;
  user: string;
  begunAt: number;
  endsAt: number;
}

/** The maximum number of joined sessions, because a session's tokens name them all and must fit into a header. */
const MOST_JOINED = 10;

/** A session of another account that must end, because `session`, to which it was joined, has ended. */
export interface EndingSession extends Pick<JoinedSession, "account" | "id" | "endsAt"> {
  session: string;
}

type Row = { account: string; id: string; user: string; begun_at: number; ends_at: number };

/** Stores the sessions of other accounts that are joined to the account's own. */
export class JoinedSessions {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns the unexpired sessions that are joined to this session. */
  of(session: string, now: number): JoinedSession[] {
    const rows = this.#sql.exec<Row>(
      "SELECT account, id, user, begun_at, ends_at FROM joined_sessions WHERE session = ? AND ends_at > ? ORDER BY account",
      session,
      now,
    );
    return [...rows].map(({ account, id, user, begun_at, ends_at }) => ({
      account,
      id,
      user,
      begunAt: begun_at,
      endsAt: ends_at,
    }));
  }

  /** Joins a session, which replaces an earlier one of the same account; false if there are too many. */
  join(session: string, { account, id, user, begunAt, endsAt }: JoinedSession, now: number): boolean {
    const others = this.of(session, now).filter((one) => one.account !== account);
    if (others.length >= MOST_JOINED) return false;
    this.#sql.exec(
      "INSERT OR REPLACE INTO joined_sessions VALUES (?, ?, ?, ?, ?, ?)",
      session,
      account,
      id,
      user,
      begunAt,
      endsAt,
    );
    return true;
  }

  /** Returns the unexpired sessions that other accounts must still end, because the session they were joined to ended. */
  ending(now: number): EndingSession[] {
    const rows = this.#sql.exec<{ session: string; account: string; id: string; endsAt: number }>(
      `SELECT session, account, id, ends_at AS endsAt FROM joined_sessions
       WHERE session NOT IN (SELECT id FROM console_sessions) AND ends_at > ?`,
      now,
    );
    return rows.toArray();
  }

  /** Records that the other account has ended the session. */
  ended({ session, account }: EndingSession): void {
    this.#sql.exec("DELETE FROM joined_sessions WHERE session = ? AND account = ?", session, account);
  }

  delete(session: string): void {
    this.#sql.exec("DELETE FROM joined_sessions WHERE session = ?", session);
  }
}
