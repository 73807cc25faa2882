import pMap from "p-map";
import { logError } from "../../kernel/log.ts";
import { HOUR_MS, SECOND_MS } from "../../kernel/time.ts";
import { type After, withinTime } from "../../kernel/time-limit.ts";

/** A notification about deleted conversations, sent to the other places that store parts of them. */
export type Notice =
  /** To the conversation's own object, which holds turns until they are in R2. */
  | { to: "conversation"; id: string; session_key: string }
  /** To the campaign of these calls, whose contacts store the conversations' outcomes. */
  | { to: "campaign"; campaign_id: string; call_ids: string[] }
  /** To the tests that were created from these conversations, and their results in test runs. */
  | { to: "tests"; conversation_ids: string[] };

/** Carries out a notice. After a crash, it may receive the same notice again. */
export type Tell = (notice: Notice) => Promise<void>;

/** The most notices in one delivery, and how many of them run at a time. */
const DELIVERY_ROWS = 60;
const CONCURRENT = 6;
/**
 * How long carrying out a notice may take, ms. Even if every notice of a delivery takes this long, the delivery ends
 * within the outbox's own limit, so that each failure is recorded with its notice.
 */
export const LONGEST_TELLING_MS = 5 * SECOND_MS;
/** Retry delay after a failure, ms. It doubles up to the longest delay. */
const FIRST_WAIT_MS = 2 * SECOND_MS;
const LONGEST_WAIT_MS = HOUR_MS;

type Row = { n: number; body: string; tries: number };

/**
 * The pending notices of a volume. Each has its own retry delay, so that a failing object does not delay the others.
 * The outbox delivers them by reference.
 */
export class Notices {
  readonly #sql: SqlStorage;
  readonly #tell: Tell;
  readonly #after: After | undefined;

  constructor(sql: SqlStorage, tell: Tell, after?: After) {
    this.#sql = sql;
    this.#tell = tell;
    this.#after = after;
  }

  add(notice: Notice, now: number): void {
    const insert = "INSERT INTO notices (body, since, due_at) VALUES (?, ?, ?)";
    this.#sql.exec(insert, JSON.stringify(notice), now, now);
  }

  get count(): number {
    return this.#sql.exec<{ rows: number }>("SELECT count(*) rows FROM notices").one().rows;
  }

  /** Since when (ms) the oldest notice has been waiting; null if there is none. */
  get since(): number | null {
    const [oldest] = this.#sql.exec<{ since: number }>("SELECT since FROM notices ORDER BY n LIMIT 1").toArray();
    return oldest?.since ?? null;
  }

  /** Returns when (ms) the next notice is due; null if there is none. */
  dueAt(): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(due_at) at FROM notices").one().at;
  }

  /** Carries out the notices due at `now` (ms). @throws Error if none is due because all wait for a retry */
  async deliver(now: number): Promise<void> {
    const query = "SELECT n, body, tries FROM notices WHERE due_at <= ? ORDER BY due_at, n LIMIT ?";
    const due = this.#sql.exec<Row>(query, now, DELIVERY_ROWS).toArray();
    if (due.length === 0) throw new Error("all pending notices wait for a retry");
    await pMap(due, (row) => this.#deliverOne(row), { concurrency: CONCURRENT });
  }

  async #deliverOne({ n, body, tries }: Row): Promise<void> {
    const notice: Notice = JSON.parse(body);
    try {
      await withinTime(this.#tell(notice), LONGEST_TELLING_MS, this.#after);
      this.#sql.exec("DELETE FROM notices WHERE n = ?", n);
    } catch (error) {
      const due_at = Date.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
      this.#sql.exec("UPDATE notices SET tries = tries + 1, due_at = ? WHERE n = ?", due_at, n);
      logError("retention", error, { notice: notice.to, tries: tries + 1 });
    }
  }
}
