import type { Listing } from "./listing.ts";

/** How long a campaign that D1 does not list yet counts as open without renewal, ms. */
export const RESERVED_FOR_MS = 90_000;

/**
 * The account's open campaigns. D1 lists them with a delay. A campaign that is being created is therefore reserved
 * until D1 lists it, and one that has ended reports it here and is remembered until D1 no longer lists it as open.
 */
export class OpenCampaigns {
  readonly #sql: SqlStorage;
  readonly #read: () => Promise<Listing>;

  constructor(sql: SqlStorage, read: () => Promise<Listing>) {
    this.#sql = sql;
    this.#read = read;
  }

  /** Records that a campaign has ended. It no longer counts, even if D1 still lists it as open. */
  ended(id: string): void {
    this.#sql.exec("INSERT OR IGNORE INTO ended_campaigns (id) VALUES (?)", id);
    // A redialed campaign is already listed, so its reservation is only released here.
    this.listed(id);
  }

  /**
   * Counts a new or reopened campaign from `now` (ms) on. The reservation expires, so a crash cannot occupy a slot
   * forever.
   */
  reserve(id: string, now: number): void {
    this.#sql.exec("DELETE FROM ended_campaigns WHERE id = ?", id);
    this.#sql.exec("DELETE FROM reserved_campaigns WHERE expires_at <= ?", now);
    this.#sql.exec(
      "INSERT OR REPLACE INTO reserved_campaigns (id, expires_at) VALUES (?, ?)",
      id,
      now + RESERVED_FOR_MS,
    );
  }

  /** Releases the reservation of a campaign that D1 now lists, or that is gone. */
  listed(id: string): void {
    this.#sql.exec("DELETE FROM reserved_campaigns WHERE id = ?", id);
  }

  async count(clock: () => number): Promise<Pick<Listing, "used"> & { open: number }> {
    const endedBefore = this.#ids("ended_campaigns");
    const { open: listed, used } = await this.#read();
    const open = new Set([...listed, ...this.#ids("reserved_campaigns WHERE expires_at > ?", clock())]);
    for (const id of this.#ids("ended_campaigns")) open.delete(id);
    const endedInDatabase = JSON.stringify(endedBefore.filter((id) => !listed.includes(id)));
    this.#sql.exec("DELETE FROM ended_campaigns WHERE id IN (SELECT value FROM json_each(?))", endedInDatabase);
    return { open: open.size, used };
  }

  #ids(from: string, ...values: number[]): string[] {
    return this.#sql
      .exec<{ id: string }>(`SELECT id FROM ${from}`, ...values)
      .toArray()
      .map(({ id }) => id);
  }
}
