/** A campaign that is woken and does not respond within this time loses its turn, ms. */
export const CALLED_FOR_MS = 2_000;

type Waiting = { campaign: string; called_at: number | null };

/**
 * The queue of the account's campaigns that wait for call slots. A campaign that got slots goes to the end, and one
 * that got none keeps its position, so that none starves.
 */
export class TurnQueue {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get length(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) n FROM turns").one().n;
  }

  /**
   * Returns how many of `room` free slots the campaign may take: one slot is left for each campaign ahead of it, and
   * the rest is shared with those behind it.
   */
  share(campaign: string, want: number, room: number, now: number): number {
    const queue = this.#queue(now);
    const position = queue.findIndex((waiting) => waiting.campaign === campaign);
    const ahead = position === -1 ? queue.length : position;
    const behind = position === -1 ? 0 : queue.length - 1 - position;
    const remaining = room - ahead;
    return remaining <= 0 ? 0 : Math.min(want, Math.ceil(remaining / (behind + 1)));
  }

  /** Queues a campaign that has more calls to place. `served` is set if it got any slot this time. */
  wait(campaign: string, served: boolean): void {
    if (served) this.leave(campaign);
    this.#sql.exec(
      "INSERT INTO turns (campaign) VALUES (?) ON CONFLICT (campaign) DO UPDATE SET called_at = NULL",
      campaign,
    );
  }

  leave(campaign: string): void {
    this.#sql.exec("DELETE FROM turns WHERE campaign = ?", campaign);
  }

  /**
   * Returns the campaigns to wake now that `room` slots are free: the first ones in the queue that have not been woken
   * yet.
   */
  call(room: number, now: number): string[] {
    const next = this.#queue(now)
      .slice(0, Math.max(0, room))
      .filter((waiting) => waiting.called_at === null)
      .map((waiting) => waiting.campaign);
    const ids = JSON.stringify(next);
    this.#sql.exec("UPDATE turns SET called_at = ? WHERE campaign IN (SELECT value FROM json_each(?))", now, ids);
    return next;
  }

  #queue(now: number): Waiting[] {
    this.#sql.exec("DELETE FROM turns WHERE called_at <= ?", now - CALLED_FOR_MS);
    return this.#sql.exec<Waiting>("SELECT campaign, called_at FROM turns ORDER BY position").toArray();
  }
}
