import { v7 as uuidv7 } from "uuid";
import type { ConversationUse } from "../../account/meter/live-lease.ts";
import { failuresOf } from "../../agent/tests/expectations.ts";
import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/time.ts";
import { chargeOf } from "../runtime/budget/charge.ts";
import { type ResultError, stateOf, type TestResult } from "./plan.ts";
import type { Item, Run, RunStore, Try } from "./run-store.ts";
import type { Stop, Talked } from "./talk/talk.ts";

/** The number of concurrent conversations. */
const AT_ONCE = 2;
/** The time after which a run is given up, ms. */
const LONGEST_RUN_MS = 6 * HOUR_MS;
/** How often a conversation is started at most, if its process is lost. */
const MOST_TRIES = 2;
/** How long results are kept, ms. */
export const KEPT_MS = 30 * DAY_MS;

/** Why a run could not continue: a budget is used up, its agent or version was deleted, or its author lost access. */
export type RunFailure = "budget" | "agent_deleted" | "access_revoked" | (string & {});

interface Dependencies {
  store: RunStore;
  /** Adds the run to the account's list; false if it is not allowed. */
  record(run: Run): Promise<boolean>;
  /** Holds a conversation, which is charged under the lease. */
  hold(item: Item, lease: string, signal: AbortSignal): Promise<Talked | Stop | { failed: RunFailure }>;
  /** Adds reports of a conversation's end and use to the outbox, in the transaction that ends it. */
  settle(lease: string, use: ConversationUse, talked: Pick<Talked, "usage" | "models"> | null): void;
  /** Writes the tests' outcomes to the account's list, before any client is told that the run has ended. */
  list(): Promise<void>;
  /** Adds reports of the run's end to the outbox, in the transaction that ends it. */
  over(run: Run): void;
  /** Deletes the run once the outbox is empty. */
  empty(): Promise<void>;
  owes(): boolean;
  /** Notifies watchers. */
  changed(): void;
}

/**
 * Holds a run's conversations, a few at a time, and stores each result at once. After a crash, only the conversations
 * in progress are repeated.
 */
export class RunWork implements ObjectPart {
  readonly #deps: Dependencies;
  #stop = new AbortController();
  #recording: Promise<boolean> | null = null;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  dueAt(): number | null {
    const { store, owes } = this.#deps;
    const { run } = store;
    if (run === null) return null;
    if (run.status === "running" || !run.isRecorded) return 0;
    const until = (run.ended_at ?? 0) + KEPT_MS;
    // The outbox is delivered first, by another part.
    return owes() ? until + MINUTE_MS : until;
  }

  async run(now: number, until: number): Promise<void> {
    const { store, empty, owes } = this.#deps;
    if (!(await this.record())) return;
    if (store.run?.status === "running") {
      if (now > Date.parse(store.run.plan.created_at) + LONGEST_RUN_MS) return this.fail("timed_out", now);
      return this.#hold(until);
    }
    if (store.run !== null && (store.run.ended_at ?? 0) + KEPT_MS <= now && !owes()) await empty();
  }

  /** Adds the run to the account's list before its first conversation. Returns false if it is not allowed. */
  record(): Promise<boolean> {
    const { store, record, empty } = this.#deps;
    const { run } = store;
    if (run === null || run.isRecorded) return Promise.resolve(run !== null);
    this.#recording ??= record(run)
      .then(async (isAdmitted) => {
        if (isAdmitted) store.recorded();
        else await empty();
        return isAdmitted;
      })
      .finally(() => {
        this.#recording = null;
      });
    return this.#recording;
  }

  /**
   * Settles the conversations that a restart interrupted. Each is repeated once, unless a tool may already have changed
   * something.
   */
  resume(): void {
    const { store, changed } = this.#deps;
    for (const cut of store.underWay) this.#settleTry(cut);
    changed();
  }

  #settleTry(cut: Try): void {
    const { store, settle } = this.#deps;
    const { n, lease, acted, tries, open_request, input_tokens, output_tokens, requests } = cut;
    const outcome = { reported: null, read: null, streamedBytes: 0, isComplete: false, wasRefused: false };
    const open = open_request === null ? null : chargeOf({ input: open_request, output: 0 }, outcome);
    const usage = { input_tokens: input_tokens + (open?.input ?? 0), cached_tokens: 0, output_tokens };
    store.transaction(() => {
      settle(lease, Object.assign({ requests: requests + (open === null ? 0 : 1) }, tokensOf(usage)), { usage });
      if (!acted && tries < MOST_TRIES) return store.putBack(n);
      const item = store.itemOf(n);
      const error: ResultError = acted ? "cut_off_after_write" : "cut_off";
      if (item !== null) store.finish(n, resultOf(item, error));
    });
  }

  fail(reason: RunFailure, now: number): void {
    const { store, over, changed } = this.#deps;
    store.transaction(() => {
      const run = store.end("failed", reason, now);
      if (run !== null) over(run);
    });
    this.#stop.abort();
    changed();
  }

  async #hold(until: number): Promise<void> {
    const held = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => this.#holdNext(until)));
    const lost = held.find(({ status }) => status === "rejected");
    if (lost?.status === "rejected") throw lost.reason;
    const { store, list, over, changed } = this.#deps;
    const { conversations, done } = store.counts;
    if (done < conversations || store.run?.status !== "running") return;
    await list();
    store.transaction(() => {
      const run = store.end("completed", null, Date.now());
      if (run !== null) over(run);
    });
    changed();
  }

  async #holdNext(until: number): Promise<void> {
    const { store, hold, changed } = this.#deps;
    while (store.run?.status === "running" && Date.now() < until) {
      // The id contains the present time, because the ledger counts its usage in the volume to which the id belongs.
      const lease = uuidv7({ msecs: Date.now() });
      const item = store.take(lease);
      if (item === null) return;
      changed();
      const talked = await hold(item, lease, this.#stop.signal).catch((error: unknown) => {
        store.putBack(item.n);
        throw error;
      });
      this.#end(item, lease, talked);
    }
  }

  #end(item: Item, lease: string, talked: Talked | Stop | { failed: RunFailure }): void {
    const { store, settle, changed } = this.#deps;
    const use = store.underWay.find(({ n }) => n === item.n);
    store.transaction(() => {
      const isOver = typeof talked === "object" && !("failed" in talked);
      if (use !== undefined) settle(lease, use, isOver ? talked : { usage: unread(use) });
      if (isOver) store.finish(item.n, resultOf(item, talked));
      else store.putBack(item.n);
    });
    if (talked === "budget") this.fail("budget", Date.now());
    else if (typeof talked === "object" && "failed" in talked) this.fail(talked.failed, Date.now());
    else changed();
  }
}

const unread = (use: { input_tokens: number; output_tokens: number }) =>
  Object.assign({ cached_tokens: 0 }, tokensOf(use));
const tokensOf = ({ input_tokens, output_tokens }: { input_tokens: number; output_tokens: number }) => ({
  input_tokens,
  output_tokens,
});

/** Returns the result of a test from its conversation, or that it cannot be determined. */
function resultOf({ test, repeat }: Item, talked: Talked | ResultError): TestResult {
  const own = { test_id: test.id, name: test.name, repeat };
  if (typeof talked === "string") {
    const usage = { input_tokens: 0, cached_tokens: 0, output_tokens: 0 };
    return Object.assign(own, {
      state: stateOf(talked, []),
      failures: [],
      error: talked,
      unmocked_tools: [],
      transcript: [],
      usage,
    });
  }
  const { transcript, trouble: error, usage } = talked;
  const failures = failuresOf(talked, test.expect);
  const state = stateOf(error, failures);
  const unmocked = transcript.flatMap(({ tool }) => (tool?.answered_by === "nobody" ? [tool.name] : []));
  return Object.assign(own, {
    state,
    // If the model failed, unmet expectations say nothing about the agent.
    failures: state === "failed" ? failures : [],
    error,
    unmocked_tools: [...new Set(unmocked)],
    transcript,
    usage,
  });
}
