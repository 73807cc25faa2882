/** Console sessions of the account that ended, or outlived others, each until its token would have expired anyway. */
export class SessionLedger {
  readonly #sql: SqlStorage;
  readonly #ended = new Set<string>();
  /** The `valid after` that a session outlives, ms, by the session. */
  readonly #kept = new Map<string, number>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const rows = sql.exec<{ id: string; outlives: number | null }>("SELECT id, outlives FROM sessions").toArray();
    for (const { id, outlives } of rows) {
      if (outlives === null) this.#ended.add(id);
      else this.#kept.set(id, outlives);
    }
  }

  /** Somebody signed out of it; times are ms. */
  end(id: string, expiresAt: number, now: number): void {
    this.#write(id, expiresAt, null, now);
    this.#ended.add(id);
    this.#kept.delete(id);
  }

  /** It stays although the user's sessions from before `outlives`, ms, end. */
  keep(id: string, outlives: number, expiresAt: number, now: number): void {
    this.#write(id, expiresAt, outlives, now);
    this.#kept.set(id, outlives);
  }

  /** Whether a session begun at `issuedAt` is good where those from before `validAfter` are not; times are ms. */
  isGood({ id, issuedAt }: { id: string; issuedAt: number }, validAfter: number | null): boolean {
    if (this.#ended.has(id)) return false;
    return validAfter === null || issuedAt >= validAfter || this.#kept.get(id) === validAfter;
  }

  #write(id: string, expiresAt: number, outlives: number | null, now: number): void {
    const past = this.#sql
      .exec<{ id: string }>("DELETE FROM sessions WHERE expires_at < ? RETURNING id", now)
      .toArray();
    for (const gone of past) {
      this.#ended.delete(gone.id);
      this.#kept.delete(gone.id);
    }
    this.#sql.exec(
      "INSERT OR REPLACE INTO sessions (id, expires_at, outlives) VALUES (?, ?, ?)",
      id,
      expiresAt,
      outlives,
    );
  }
}
