import { nextSweep } from "../../../kernel/durable/alarm.ts";
import { MOST_OBJECT_BYTES } from "../../../kernel/durable/most-object-bytes.ts";
import { DAY_MS, HOUR_MS } from "../../../kernel/time.ts";

export type DeliveryStatus = "pending" | "delivered" | "failed";

/** A stored delivery; times are ms. */
export type Delivery = {
  n: number;
  id: string;
  event_id: string;
  type: string;
  status: DeliveryStatus;
  body: string;
  /** The revision of the webhook's address to which the delivery is sent. */
  address_revision: number;
  created_at: number;
  tries: number;
  next_at: number | null;
  started_at: number | null;
};

/** A stored attempt; `at` is in ms. */
export type StoredAttempt = {
  at: number;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response: string | null;
};

export type NewDelivery = Pick<Delivery, "id" | "event_id" | "type" | "body" | "address_revision" | "created_at">;

/** How long deliveries are kept (ms), and how many delivered ones. */
const KEPT_MS = 30 * DAY_MS;
const MOST_DELIVERED = 10_000;
/** How long (ms) expired deliveries may stay, so that many are deleted together. */
const PRUNE_EVERY_MS = HOUR_MS;
const MOST_PRUNED = 1_000;
/** The most deliveries resent at a time: as many as may be pending before reading stops. */
const MOST_RESENT = 20_000;
/** Delivered deliveries may exceed their limit by this share before the oldest are pruned. */
const BEYOND = 0.01;
/** The most attempts kept of a delivery, which may be resent any number of times. */
const MOST_ATTEMPTS = 50;

export class Deliveries {
  readonly #sql: SqlStorage;
  readonly #mostDelivered: number;
  readonly #mostBytes: number;
  /** How many deliveries succeeded since the last pruning. */
  #deliveredSince = Number.POSITIVE_INFINITY;

  constructor(sql: SqlStorage, mostDelivered = MOST_DELIVERED, mostBytes = MOST_OBJECT_BYTES) {
    this.#sql = sql;
    this.#mostDelivered = mostDelivered;
    this.#mostBytes = mostBytes;
  }

  /** Adds a delivery that is due at `nextAt` (ms), or in progress since `startedAt` (ms). */
  add(
    { id, event_id, type, body, address_revision, created_at }: NewDelivery,
    nextAt: number | null,
    startedAt: number | null,
  ): Delivery {
    return this.#sql
      .exec<Delivery>(
        `INSERT INTO deliveries (id, event_id, type, status, body, address_revision, created_at, next_at, started_at, tries)
          VALUES (?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?) RETURNING *`,
        id,
        event_id,
        type,
        body,
        address_revision,
        created_at,
        nextAt,
        startedAt,
        startedAt === null ? 0 : 1,
      )
      .one();
  }

  hasPending(most: number): boolean {
    const query = "SELECT 1 FROM deliveries WHERE status = 'pending' LIMIT 1 OFFSET ?";
    return this.#sql.exec(query, most - 1).toArray().length > 0;
  }

  /** The number of pending deliveries, and since when (ms) the oldest has been waiting. */
  get backlog(): { rows: number; since: number | null } {
    const pending = "FROM deliveries WHERE status = 'pending'";
    const { rows } = this.#sql.exec<{ rows: number }>(`SELECT count(*) AS rows ${pending}`).one();
    const first = `SELECT created_at ${pending} ORDER BY n LIMIT 1`;
    const since = this.#sql.exec<{ created_at: number }>(first).toArray()[0]?.created_at ?? null;
    return { rows, since };
  }

  /** When (ms) the next delivery that is not in progress is due; null for none. */
  get nextAt(): number | null {
    return this.#sql
      .exec<{ at: number | null }>("SELECT min(next_at) at FROM deliveries WHERE next_at IS NOT NULL")
      .one().at;
  }

  /** Returns the first deliveries that are due by `now` (ms). */
  due(now: number, limit: number): Delivery[] {
    const query = "SELECT * FROM deliveries WHERE next_at IS NOT NULL AND next_at <= ? ORDER BY next_at, n LIMIT ?";
    return this.#sql.exec<Delivery>(query, now, limit).toArray();
  }

  /** Records the beginning of an attempt, which counts from now on. */
  begin(n: number, now: number): void {
    this.#sql.exec("UPDATE deliveries SET next_at = NULL, started_at = ?, tries = tries + 1 WHERE n = ?", now, n);
  }

  /** Returns the deliveries with an attempt in progress. */
  underWay(): Delivery[] {
    return this.#sql.exec<Delivery>("SELECT * FROM deliveries WHERE started_at IS NOT NULL").toArray();
  }

  find(n: number): Delivery | null {
    return this.#sql.exec<Delivery>("SELECT * FROM deliveries WHERE n = ?", n).toArray()[0] ?? null;
  }

  findById(id: string): Delivery | null {
    return this.#sql.exec<Delivery>("SELECT * FROM deliveries WHERE id = ?", id).toArray()[0] ?? null;
  }

  end(n: number, attempt: StoredAttempt, status: DeliveryStatus, nextAt: number | null): void {
    const { at, status_code, duration_ms, error, response } = attempt;
    if (status === "delivered") this.#deliveredSince += 1;
    this.#sql.exec("UPDATE deliveries SET started_at = NULL, status = ?, next_at = ? WHERE n = ?", status, nextAt, n);
    this.#sql.exec(
      `INSERT INTO attempts (delivery, k, at, status_code, duration_ms, error, response)
        SELECT ?1, coalesce((SELECT max(k) FROM attempts WHERE delivery = ?1), 0) + 1, ?2, ?3, ?4, ?5, ?6`,
      n,
      at,
      status_code,
      duration_ms,
      error,
      response,
    );
    this.#sql.exec(
      "DELETE FROM attempts WHERE delivery = ?1 AND k <= (SELECT max(k) FROM attempts WHERE delivery = ?1) - ?2",
      n,
      MOST_ATTEMPTS,
    );
  }

  /** Gives up all pending deliveries. Attempts in progress are left to end. */
  endPending(): void {
    this.#sql.exec("UPDATE deliveries SET status = 'failed', next_at = NULL WHERE status = 'pending'");
  }

  /** Schedules a delivery to be sent again as if it were new, unless it is in progress. */
  resend(n: number, now: number): void {
    this.#sql.exec(
      "UPDATE deliveries SET status = 'pending', tries = 0, next_at = ? WHERE n = ? AND started_at IS NULL",
      now,
      n,
    );
  }

  /** Schedules the oldest failed deliveries to this address since a time (ms), except tests. Returns how many. */
  resendFailed(since: number, address_revision: number, testType: string, now: number, most = MOST_RESENT): number {
    return this.#sql
      .exec(
        `UPDATE deliveries SET status = 'pending', tries = 0, next_at = ?
          WHERE n IN (
            SELECT n FROM deliveries
            WHERE status = 'failed' AND created_at >= ? AND address_revision = ? AND type <> ? AND started_at IS NULL
            ORDER BY n LIMIT ?) RETURNING 1`,
        now,
        since,
        address_revision,
        testType,
        most,
      )
      .toArray().length;
  }

  /** Returns a page of deliveries, newest first, before a position. */
  list({ status, type, since, before, limit }: DeliveryQuery): Delivery[] {
    const conditions = ["n < ?"];
    const values: SqlStorageValue[] = [before];
    const when = (condition: string, value: SqlStorageValue | null) => {
      if (value === null) return;
      conditions.push(condition);
      values.push(value);
    };
    when("status = ?", status);
    when("type = ?", type);
    when("created_at >= ?", since);
    const query = `SELECT * FROM deliveries WHERE ${conditions.join(" AND ")} ORDER BY n DESC LIMIT ?`;
    return this.#sql.exec<Delivery>(query, ...values, limit).toArray();
  }

  /** Returns the attempts of each of these deliveries, oldest first. */
  attempts(deliveries: readonly Pick<Delivery, "n">[]): Map<number, StoredAttempt[]> {
    const found = new Map<number, StoredAttempt[]>(deliveries.map(({ n }) => [n, []]));
    const rows = this.#sql.exec<StoredAttempt & { delivery: number }>(
      "SELECT * FROM attempts WHERE delivery IN (SELECT value FROM json_each(?)) ORDER BY delivery, k",
      JSON.stringify([...found.keys()]),
    );
    for (const { delivery, at, status_code, duration_ms, error, response } of rows)
      found.get(delivery)?.push({ at, status_code, duration_ms, error, response });
    return found;
  }

  /** When (ms) expired deliveries are deleted; null if no delivery will expire. */
  get pruneAt(): number | null {
    const query = "SELECT min(created_at) at FROM deliveries WHERE started_at IS NULL";
    const { at } = this.#sql.exec<{ at: number | null }>(query).one();
    return nextSweep(at === null ? null : at + KEPT_MS, PRUNE_EVERY_MS);
  }

  /**
   * Deletes deliveries that have expired at `now` (ms), and the oldest if the database is too large, up to one round.
   */
  prune(now: number): void {
    this.#sql.exec(
      `DELETE FROM deliveries WHERE n IN (SELECT n FROM deliveries WHERE created_at <= ? AND started_at IS NULL LIMIT ?)`,
      now - KEPT_MS,
      MOST_PRUNED,
    );
    if (this.#sql.databaseSize > this.#mostBytes)
      this.#sql.exec(
        "DELETE FROM deliveries WHERE n IN (SELECT n FROM deliveries WHERE status <> 'pending' ORDER BY n LIMIT ?)",
        MOST_PRUNED,
      );
    // Finding the surplus reads all delivered rows, so it is not done for each delivery.
    if (this.#deliveredSince < this.#mostDelivered * BEYOND) return;
    const pruned = this.#sql.exec(
      `DELETE FROM deliveries WHERE n IN (
        SELECT n FROM deliveries WHERE status = 'delivered' ORDER BY n DESC LIMIT ? OFFSET ?)`,
      MOST_PRUNED,
      this.#mostDelivered,
    );
    if (pruned.rowsWritten === 0) this.#deliveredSince = 0;
  }
}

/** A requested page of deliveries; null matches any. Times are ms. */
export interface DeliveryQuery {
  status: DeliveryStatus | null;
  type: string | null;
  since: number | null;
  before: number;
  limit: number;
}
