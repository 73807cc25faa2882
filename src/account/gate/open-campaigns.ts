import type { Listing } from "./listing.ts";

/**
 * The account's open campaigns. D1 lists them with a delay: a campaign being created is reserved until it is listed,
 * and one that has ended reports so itself and is remembered until D1 no longer lists it.
 */
export class OpenCampaigns {
  readonly #sql: SqlStorage;
  readonly #read: () => Promise<Listing>;

  constructor(sql: SqlStorage, read: () => Promise<Listing>) {
    this.#sql = sql;
    this.#read = read;
  }

  /** Records that a campaign has ended, so that it no longer counts even if D1 still lists it. */
  ended(id: string): void {
    this.#sql.exec("INSERT OR IGNORE INTO ended_campaigns (id) VALUES (?)", id);
  }

  /** Records that a campaign that had ended is open again. */
  reopened(id: string): void {
    this.#sql.exec("DELETE FROM ended_campaigns WHERE id = ?", id);
  }

  /** Counts the open campaigns; `reserved` is called after D1 was read, and returns those being created. */
  async count(reserved: () => string[]): Promise<Pick<Listing, "used"> & { open: number }> {
    const endedBefore = this.#ended();
    const { open: listed, used } = await this.#read();
    const open = new Set([...listed, ...reserved()]);
    for (const id of this.#ended()) open.delete(id);
    const endedInDatabase = JSON.stringify(endedBefore.filter((id) => !listed.includes(id)));
    this.#sql.exec("DELETE FROM ended_campaigns WHERE id IN (SELECT value FROM json_each(?))", endedInDatabase);
    return { open: open.size, used };
  }

  #ended(): string[] {
    return this.#sql
      .exec<{ id: string }>("SELECT id FROM ended_campaigns")
      .toArray()
      .map(({ id }) => id);
  }
}
