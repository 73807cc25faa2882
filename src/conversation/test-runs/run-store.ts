import { RESULT_STATES, type ResultCounts, type ResultState, type TestOutcome } from "../../kernel/db/schema/index.ts";
import { firstStep, type Migration } from "../../kernel/durable/migrate.ts";
import { OUTBOX } from "../../kernel/durable/outbox.ts";
import type { StreamEvent } from "../../kernel/streams/event-hub.ts";
import { outcomesOf, type PlannedTest, type RunPlan, type RunStatus, type TestResult } from "./plan.ts";
import type { TalkUse } from "./talk/memory-store.ts";

const RUN = `
  CREATE TABLE run (
    one INTEGER PRIMARY KEY CHECK (one = 1), plan TEXT NOT NULL, status TEXT NOT NULL, reason TEXT,
    -- 1 if D1 lists it
    recorded INTEGER NOT NULL DEFAULT 0, ended_at INTEGER
  );
  -- the tests as they were when the run began, and the number of repetitions
  CREATE TABLE tests (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL, conversation_id TEXT, times INTEGER NOT NULL, test TEXT NOT NULL
  );
  -- the repetitions of the tests
  CREATE TABLE items (
    n INTEGER PRIMARY KEY, test TEXT NOT NULL, repeat INTEGER NOT NULL, state TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0, lease TEXT,
    -- the model usage of the current try, and 1 if a tool may have changed something
    input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
    requests INTEGER NOT NULL DEFAULT 0, open_request INTEGER, acted INTEGER NOT NULL DEFAULT 0,
    -- 'passed', 'failed' or 'model_failed'
    outcome TEXT, result TEXT
  );
  CREATE INDEX items_state ON items (state, n);
  -- the events of the run's stream
  CREATE TABLE events (seq INTEGER PRIMARY KEY, event TEXT NOT NULL, item INTEGER);
`;

/** The schema of a test run's object. Times are ms. */
export const TEST_RUN_MIGRATIONS: readonly Migration[] = [firstStep(RUN, OUTBOX)];

/** A conversation of the run: one repetition of a test. */
export interface Item {
  n: number;
  test: PlannedTest;
  repeat: number;
  /** How often the conversation was started. */
  tries: number;
}

/** A conversation in progress. */
export interface Try extends TalkUse {
  n: number;
  tries: number;
  lease: string;
}

export interface Run {
  plan: RunPlan;
  status: RunStatus;
  reason: string | null;
  isRecorded: boolean;
  ended_at: number | null;
}

type RunRow = { plan: string; status: RunStatus; reason: string | null; recorded: number; ended_at: number | null };
type ItemRow = { n: number; test: string; repeat: number; tries: number };
type UseRow = { input_tokens: number; output_tokens: number; requests: number; open_request: number | null };

/** The names of a run's events. */
const EVENT = { began: "test.started", ended: "test.finished", over: "run.ended" } as const;

/** The tables of a test run's object. Every change is one transaction. */
export class RunStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  transaction<T>(work: () => T): T {
    return this.#storage.transactionSync(work);
  }

  get run(): Run | null {
    const [row] = this.#storage.sql.exec<RunRow>("SELECT plan, status, reason, recorded, ended_at FROM run").toArray();
    if (!row) return null;
    const { plan, status, reason, recorded, ended_at } = row;
    return { plan: JSON.parse(plan) as RunPlan, status, reason, isRecorded: recorded === 1, ended_at };
  }

  /** Stores the plan. Idempotent. */
  begin(plan: RunPlan, tests: PlannedTest[]): void {
    const { sql } = this.#storage;
    this.transaction(() => {
      if (this.run !== null) return;
      sql.exec("INSERT INTO run (one, plan, status) VALUES (1, ?, 'running')", JSON.stringify(plan));
      for (const [n, test] of tests.entries()) {
        const { id, conversation_id, times } = test;
        sql.exec("INSERT INTO tests VALUES (?, ?, ?, ?, ?)", n, id, conversation_id, times, JSON.stringify(test));
      }
      sql.exec(
        `INSERT INTO items (n, test, repeat, state)
         WITH nth (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM nth WHERE k < (SELECT max(times) FROM tests))
         SELECT row_number() OVER (ORDER BY tests.n, k), tests.id, k, 'pending' FROM tests JOIN nth ON k <= tests.times`,
      );
    });
  }

  recorded(): void {
    this.#storage.sql.exec("UPDATE run SET recorded = 1");
  }

  get tests(): PlannedTest[] {
    return this.#storage.sql
      .exec<{ test: string }>("SELECT test FROM tests ORDER BY n")
      .toArray()
      .map(({ test }) => JSON.parse(test) as PlannedTest);
  }

  /** The number of all conversations, of those that have ended, and of those by result. */
  get counts(): ResultCounts & { conversations: number; done: number } {
    const ended = RESULT_STATES.map((state) => `count(*) FILTER (WHERE outcome = '${state}') AS ${state}`);
    return this.#storage.sql
      .exec<ResultCounts & { conversations: number; done: number }>(
        `SELECT count(*) AS conversations, count(*) FILTER (WHERE state = 'done') AS done, ${ended.join()} FROM items`,
      )
      .one();
  }

  get outcomes(): TestOutcome[] {
    const ended = this.#storage.sql
      .exec<{ test_id: string; state: ResultState }>(
        "SELECT test AS test_id, outcome AS state FROM items WHERE outcome IS NOT NULL",
      )
      .toArray();
    return outcomesOf(this.tests, ended);
  }

  /** Starts the next conversation, which is charged under this lease; null if none is left. */
  take(lease: string): Item | null {
    const { sql } = this.#storage;
    return this.transaction(() => {
      const [row] = sql
        .exec<ItemRow>(
          `UPDATE items SET state = 'running', tries = tries + 1, lease = ?, input_tokens = 0, output_tokens = 0,
             requests = 0, open_request = NULL, acted = 0
           WHERE n = (SELECT n FROM items WHERE state = 'pending' ORDER BY n LIMIT 1) RETURNING n, test, repeat, tries`,
          lease,
        )
        .toArray();
      if (!row) return null;
      const [found] = sql.exec<{ test: string }>("SELECT test FROM tests WHERE id = ?", row.test).toArray();
      if (!found) throw new TypeError("a test of the run is missing");
      this.#tell(EVENT.began, row.n);
      return { n: row.n, test: JSON.parse(found.test) as PlannedTest, repeat: row.repeat, tries: row.tries };
    });
  }

  /** Records what a conversation in progress has used. */
  used(n: number, { input_tokens, output_tokens, requests, open_request, acted }: TalkUse): void {
    this.#storage.sql.exec(
      `UPDATE items SET input_tokens = ?, output_tokens = ?, requests = ?, open_request = ?, acted = ?
       WHERE n = ? AND state = 'running'`,
      input_tokens,
      output_tokens,
      requests,
      open_request,
      acted ? 1 : 0,
      n,
    );
  }

  /** Records a conversation's result. Returns false if it was erased, or the run ended, meanwhile. */
  finish(n: number, result: TestResult): boolean {
    return this.transaction(() => {
      const [row] = this.#storage.sql
        .exec(
          "UPDATE items SET state = 'done', outcome = ?, result = ? WHERE n = ? AND state = 'running' RETURNING n",
          result.state,
          JSON.stringify(result),
          n,
        )
        .toArray();
      if (row) this.#tell(EVENT.ended, n);
      return row !== undefined;
    });
  }

  /** Makes an unfinished conversation pending again. */
  putBack(n: number): void {
    this.#storage.sql.exec("UPDATE items SET state = 'pending' WHERE n = ? AND state = 'running'", n);
  }

  /** The conversations in progress; after a restart, those that the earlier instance was holding. */
  get underWay(): Try[] {
    return this.#storage.sql
      .exec<UseRow & { n: number; tries: number; lease: string; acted: number }>(
        `SELECT n, tries, lease, input_tokens, output_tokens, requests, open_request, acted
         FROM items WHERE state = 'running' ORDER BY n`,
      )
      .toArray()
      .map((row) => Object.assign({}, row, { acted: row.acted === 1 }));
  }

  /** Returns the test of a conversation, and its repetition. */
  itemOf(n: number): Item | null {
    const { sql } = this.#storage;
    const [row] = sql
      .exec<ItemRow>(
        "SELECT items.n, tests.test, repeat, tries FROM items JOIN tests ON tests.id = items.test WHERE items.n = ?",
        n,
      )
      .toArray();
    return row ? Object.assign({}, row, { test: JSON.parse(row.test) as PlannedTest }) : null;
  }

  /**
   * Returns the results of the conversations that have ended, in order, beginning with the conversation `from`. `next` is
   * the one with which to continue if there are more than about `mostChars` characters; otherwise null.
   */
  resultsFrom(from: number, mostChars: number): { results: TestResult[]; next: number | null } {
    const results: TestResult[] = [];
    let chars = 0;
    const rows = this.#storage.sql.exec<{ n: number; result: string }>(
      "SELECT n, result FROM items WHERE result IS NOT NULL AND n >= ? ORDER BY n",
      from,
    );
    for (const { n, result } of rows) {
      if (chars >= mostChars) return { results, next: n };
      chars += result.length;
      results.push(JSON.parse(result) as TestResult);
    }
    return { results, next: null };
  }

  /** Records the end of the run; null if it had ended before. */
  end(status: RunStatus, reason: string | null, now: number): Run | null {
    return this.transaction(() => {
      if (this.run?.status !== "running") return null;
      const { sql } = this.#storage;
      sql.exec("UPDATE run SET status = ?, reason = ?, ended_at = ?", status, reason, now);
      this.#tell(EVENT.over, null);
      return this.run;
    });
  }

  /** Erases the results of tests made from these conversations. Returns whether there were any. */
  erase(conversations: string[]): boolean {
    const { sql } = this.#storage;
    return this.transaction(() => {
      const ofConversations = "SELECT id FROM tests WHERE conversation_id IN (SELECT value FROM json_each(?))";
      const ids = JSON.stringify(conversations);
      const gone = sql.exec<{ id: string }>(ofConversations, ids).toArray();
      sql.exec(`DELETE FROM items WHERE test IN (${ofConversations})`, ids);
      sql.exec(`DELETE FROM tests WHERE id IN (${ofConversations})`, ids);
      return gone.length > 0;
    });
  }

  /** The number of the last event; 0 for none. */
  get lastSeq(): number {
    return this.#storage.sql.exec<{ seq: number | null }>("SELECT max(seq) AS seq FROM events").one().seq ?? 0;
  }

  /** Returns the events after one, in order, except those of erased tests. */
  eventsAfter(seq: number, limit: number, runId: string, over: () => unknown): StreamEvent[] {
    const { sql } = this.#storage;
    return sql
      .exec<{ seq: number; event: string; item: number | null; result: string | null }>(
        `SELECT seq, event, item, result FROM events LEFT JOIN items ON items.n = item
         WHERE seq > ? AND (item IS NULL OR items.n IS NOT NULL) ORDER BY seq LIMIT ?`,
        seq,
        limit,
      )
      .toArray()
      .map((row) => ({ seq: row.seq, event: row.event, data: this.#dataOf(row, runId, over) }));
  }

  #dataOf(
    { event, item, result }: { event: string; item: number | null; result: string | null },
    run_id: string,
    over: () => unknown,
  ): unknown {
    if (event === EVENT.over || item === null) return over();
    if (event === EVENT.ended) return Object.assign({ run_id }, JSON.parse(result ?? "{}"));
    const found = this.itemOf(item);
    return { run_id, test_id: found?.test.id, name: found?.test.name, repeat: found?.repeat };
  }

  #tell(event: string, item: number | null): void {
    const { sql } = this.#storage;
    sql.exec("INSERT INTO events (seq, event, item) SELECT coalesce(max(seq), 0) + 1, ?, ? FROM events", event, item);
  }
}
