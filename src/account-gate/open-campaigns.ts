import type { Migration } from "../durable/migrate.ts";

export const ENDED_CAMPAIGNS: Migration = {
  id: "ended-campaigns-count-no-more",
  sql: "CREATE TABLE ended_campaigns (id TEXT PRIMARY KEY) WITHOUT ROWID",
};

/**
 * Which of the account's campaigns are open. D1 lists them, a little late: a campaign that is being made is
 * reserved until it is listed, and one that has ended says so itself and is remembered until D1 lists it no more.
 */
export class OpenCampaigns {
  readonly #sql: SqlStorage;
  readonly #listed: () => Promise<string[]>;

  /** @param listed the ids of the campaigns that D1 lists as open */
  constructor(sql: SqlStorage, listed: () => Promise<string[]>) {
    this.#sql = sql;
    this.#listed = listed;
  }

  /** A campaign has ended; it counts no more, whatever D1 still lists. */
  ended(id: string): void {
    this.#sql.exec("INSERT OR IGNORE INTO ended_campaigns (id) VALUES (?)", id);
  }

  /** A campaign that had ended is open again. */
  reopened(id: string): void {
    this.#sql.exec("DELETE FROM ended_campaigns WHERE id = ?", id);
  }

  /** How many are open; `reserved`, which is read after D1, gives those that are being made. */
  async count(reserved: () => string[]): Promise<number> {
    const endedBefore = this.#ended();
    const listed = await this.#listed();
    const open = new Set([...listed, ...reserved()]);
    for (const id of this.#ended()) open.delete(id);
    const known = JSON.stringify(endedBefore.filter((id) => !listed.includes(id)));
    this.#sql.exec("DELETE FROM ended_campaigns WHERE id IN (SELECT value FROM json_each(?))", known);
    return open.size;
  }

  #ended(): string[] {
    return this.#sql
      .exec<{ id: string }>("SELECT id FROM ended_campaigns")
      .toArray()
      .map(({ id }) => id);
  }
}
