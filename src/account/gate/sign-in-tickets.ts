export const SIGN_IN_TICKETS = `
  CREATE TABLE sign_in_tickets (
    id TEXT PRIMARY KEY, tries INTEGER NOT NULL, spent INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

/** A sign-in that waits for a code of the second factor. Its signed token proves that it exists. */
export interface Ticket {
  id: string;
  /** When the ticket expires, ms. */
  expiresAt: number;
}

/** The number of codes that may be tried for one sign-in. */
const MOST_TRIES = 5;

/** Counts attempts to enter a code by ticket. A ticket has no row before its first attempt. */
export class SignInTickets {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Counts an attempt before the code is checked; false if no attempts are left. */
  try({ id, expiresAt }: Ticket, now: number): boolean {
    this.#sql.exec("DELETE FROM sign_in_tickets WHERE expires_at <= ?", now);
    const counted = this.#sql.exec(
      `INSERT INTO sign_in_tickets VALUES (?, 1, 0, ?)
       ON CONFLICT (id) DO UPDATE SET tries = tries + 1 WHERE tries < ${MOST_TRIES} AND spent = 0 RETURNING tries`,
      id,
      expiresAt,
    );
    return now < expiresAt && counted.toArray().length > 0;
  }

  /** Spends the ticket for a session; false if a concurrent request has already spent it. */
  spend({ id, expiresAt }: Ticket, now: number): boolean {
    const spent = this.#sql.exec("UPDATE sign_in_tickets SET spent = 1 WHERE id = ? AND spent = 0 RETURNING id", id);
    return spent.toArray().length > 0 && now < expiresAt;
  }
}
