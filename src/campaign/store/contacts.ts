import { jsonPieces } from "../../kernel/db/json-pieces.ts";
import type { ZoneQueue } from "../decide/next-step.ts";
import type { ContactStatus, Outcome } from "../decide/state.ts";
import type { WaitingGroup } from "../decide/waiting-zone.ts";
import type { CampaignRowStore } from "./campaign-row.ts";

/** A contact as stored. `id` is its row, `phone` the digits of its number. Times are ms. */
export type ContactRow = {
  id: number;
  phone: number;
  zone: number;
  variables: string;
  status: ContactStatus;
  outcome: Outcome | null;
  failure_reason: string | null;
  attempts: number;
  last_attempt_at: number | null;
  next_attempt_at: number | null;
  call_id: string | null;
  updated_at: number;
};

export interface Zone {
  id: number;
  name: string | null;
}

/** Provides the last row visible to clients. */
export type Visibility = Pick<CampaignRowStore, "lastShown">;
/** The visibility for a campaign whose rows are all visible. */
export const ALL_VISIBLE: Visibility = { lastShown: Number.MAX_SAFE_INTEGER };

export class ContactStore {
  readonly #sql: SqlStorage;
  readonly #campaign: Visibility;

  constructor(sql: SqlStorage, campaign: Visibility = ALL_VISIBLE) {
    this.#sql = sql;
    this.#campaign = campaign;
  }

  /** Creates the index by due time. SQLite adds the row's ID to every index as its last column. */
  indexDue(): void {
    this.#sql.exec("CREATE INDEX contacts_due ON contacts (zone, next_attempt_at) WHERE next_attempt_at IS NOT NULL");
  }

  /** Creates the indexes by status when a draft starts. In a draft all contacts are pending, so none is needed. */
  indexStatuses(): void {
    this.#sql.exec("CREATE INDEX IF NOT EXISTS contacts_status ON contacts (status)");
  }

  get(id: number): ContactRow | undefined {
    return this.#sql
      .exec<ContactRow>("SELECT * FROM contacts WHERE id = ? AND id <= ?", id, this.#campaign.lastShown)
      .toArray()[0];
  }

  update(id: number, changes: Partial<Omit<ContactRow, "id" | "phone" | "zone" | "variables">>): void {
    const assignments = Object.keys(changes)
      .map((column) => `${column} = ?`)
      .join(", ");
    this.#sql.exec(`UPDATE contacts SET ${assignments} WHERE id = ?`, ...Object.values(changes), id);
  }

  /**
   * Returns up to `limit` contacts of these zones to dial now: due retries first, then those never dialed, in order.
   */
  due(zones: number[], limit: number, now: number): ContactRow[] {
    // Reads one zone at a time. Within a zone, the index has the right order, so no more rows are read than requested.
    const first = (dueAt: string, n: number, ...bounds: number[]) =>
      zones.flatMap((zone) =>
        this.#sql
          .exec<ContactRow>(
            `SELECT * FROM contacts INDEXED BY contacts_due WHERE zone = ? AND next_attempt_at ${dueAt} ORDER BY next_attempt_at, id LIMIT ?`,
            zone,
            ...bounds,
            n,
          )
          .toArray(),
      );
    const retries = first("BETWEEN 1 AND ?", limit, now)
      .sort((a, b) => (a.next_attempt_at ?? 0) - (b.next_attempt_at ?? 0) || a.id - b.id)
      .slice(0, limit);
    const fresh = first("= 0", limit - retries.length).sort((a, b) => a.id - b.id);
    return [...retries, ...fresh].slice(0, limit);
  }

  /** Returns the queues of pending contacts by zone for the dispatcher. `due` is counted up to `limit`. */
  queues(limit: number, now: number): (Omit<ZoneQueue, "opensAt"> & { name: string | null })[] {
    return this.zones()
      .map(({ id, name }) => {
        const { due, next } = this.#sql
          .exec<{ due: number; next: number | null }>(
            `SELECT (SELECT count(*) FROM (SELECT 1 FROM contacts INDEXED BY contacts_due WHERE zone = ?1 AND next_attempt_at <= ?2 LIMIT ?3)) due,
                    (SELECT min(next_attempt_at) FROM contacts INDEXED BY contacts_due WHERE zone = ?1 AND next_attempt_at > ?2) next`,
            id,
            now,
            limit,
          )
          .one();
        return { zone: id, name, due, nextDueAt: next };
      })
      .filter((queue) => queue.due > 0 || queue.nextDueAt !== null);
  }

  waitingIn({ id, name }: Zone, now: number): WaitingGroup[] {
    const due = this.#sql
      .exec<{ n: number }>(
        "SELECT count(*) n FROM contacts INDEXED BY contacts_due WHERE zone = ? AND next_attempt_at <= ? AND id <= ?",
        id,
        now,
        this.#campaign.lastShown,
      )
      .one();
    const later = this.#sql
      .exec<{ dueAt: number; n: number }>(
        `SELECT min(next_attempt_at) dueAt, count(*) n FROM contacts INDEXED BY contacts_due
         WHERE zone = ? AND next_attempt_at > ? GROUP BY next_attempt_at / 60000`,
        id,
        now,
      )
      .toArray();
    return [{ dueAt: 0, n: due.n }, ...later].filter(({ n }) => n > 0).map((group) => ({ zone: id, name, ...group }));
  }

  waitingAmong(numbers: number[], now: number): WaitingGroup[] {
    return jsonPieces(numbers).flatMap((piece) =>
      this.#sql
        .exec<WaitingGroup & Record<string, SqlStorageValue>>(
          `SELECT c.zone, z.name, iif(next_attempt_at <= ?1, 0, min(next_attempt_at)) dueAt, count(*) n
           FROM json_each(?2) p CROSS JOIN contacts c INDEXED BY contacts_phone ON c.phone = p.value
           LEFT JOIN zones z ON z.id = c.zone
           WHERE next_attempt_at IS NOT NULL AND c.id <= ?3 GROUP BY c.zone, iif(next_attempt_at <= ?1, -1, next_attempt_at / 60000)`,
          now,
          piece,
          this.#campaign.lastShown,
        )
        .toArray(),
    );
  }

  waitingAfter(row: number, limit: number): Pick<ContactRow, "id" | "phone">[] {
    return this.#sql
      .exec<Pick<ContactRow, "id" | "phone">>(
        "SELECT id, phone FROM contacts WHERE id > ? AND id <= ? AND next_attempt_at IS NOT NULL ORDER BY id LIMIT ?",
        row,
        this.#campaign.lastShown,
        limit,
      )
      .toArray();
  }

  /**
   * Reads up to `limit` contacts with numbers in a range. Returns how many there are, how many of them wait, and the
   * last number.
   */
  waitingWithin(from: number, to: number, limit: number): { looked: number; waiting: number; last: number | null } {
    return this.#sql
      .exec<{ looked: number; waiting: number; last: number | null }>(
        `SELECT count(*) looked, total(next_attempt_at IS NOT NULL AND id <= ?4) waiting, max(phone) last FROM (
           SELECT id, phone, next_attempt_at FROM contacts INDEXED BY contacts_phone
           WHERE phone BETWEEN ?1 AND ?2 ORDER BY phone LIMIT ?3)`,
        from,
        to,
        limit,
        this.#campaign.lastShown,
      )
      .one();
  }

  /** Returns the contacts' time zones; 0 is the campaign's own. */
  zones(): Zone[] {
    return [{ id: 0, name: null }, ...this.#sql.exec<{ id: number; name: string }>("SELECT id, name FROM zones")];
  }

  zoneName(id: number): string | null {
    return this.#sql.exec<{ name: string }>("SELECT name FROM zones WHERE id = ?", id).toArray()[0]?.name ?? null;
  }

  waiting(limit: number): ContactRow[] {
    return this.#sql
      .exec<ContactRow>(
        "SELECT * FROM contacts INDEXED BY contacts_due WHERE next_attempt_at IS NOT NULL LIMIT ?",
        limit,
      )
      .toArray();
  }

  cancel(ids: number[], now: number): void {
    for (const piece of jsonPieces(ids)) {
      this.#sql.exec(
        "UPDATE contacts SET status = 'cancelled', next_attempt_at = NULL, updated_at = ? WHERE id IN (SELECT value FROM json_each(?))",
        now,
        piece,
      );
    }
  }
}
