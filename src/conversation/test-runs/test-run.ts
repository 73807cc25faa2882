import type { ConversationUse, LiveLease } from "../../account/meter/live-lease.ts";
import { CopiedObject } from "../../kernel/backup/copied-object.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import { testRunOf } from "../../kernel/durable/objects.ts";
import { Outbox } from "../../kernel/durable/outbox.ts";
import type { OptionalSecrets } from "../../kernel/http/context.ts";
import type { Reader } from "../../kernel/http/credential.ts";
import { credentialOf } from "../../kernel/http/credential-holder.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { logError } from "../../kernel/log.ts";
import { EventHub } from "../../kernel/streams/event-hub.ts";
import { OpenStreams } from "../../kernel/streams/open-streams.ts";
import { streamGate } from "../../kernel/streams/stream-gate.ts";
import { TEST_RUN } from "../stores.ts";
import { deliverTo, type RunDestination, usageOf } from "./deliveries.ts";
import { holdTest } from "./hold-test.ts";
import { type PlannedTest, type RunPlan, type RunRecord, shownOutcome, type TestResult } from "./plan.ts";
import { deleteRun, endRun, recordRun } from "./run-row.ts";
import { type Run, RunStore } from "./run-store.ts";
import { RunWork } from "./run-work.ts";
import type { Talked } from "./talk/talk.ts";
import { testedContent } from "./tested.ts";

/** The maximum length of the results that are sent to the Worker at once, characters of JSON. */
const MOST_RESULT_CHARS = 4 * 1024 * 1024;

/** A run with its results. */
export interface RunDetail extends RunRecord {
  results: TestResult[];
  /** The conversation with which the results continue; null, or missing if they were not requested in pieces. */
  next?: number | null;
}

/**
 * A test run, named `<account>/<run id>`. It holds its conversations, stores the results for a month, and is empty
 * again afterwards. It places no call, and its agent's actions have no effect except through allowed tools.
 */
export class TestRun extends CopiedObject<Env & OptionalSecrets> {
  readonly #self = testRunOf(this.ctx);
  readonly #store = new RunStore(this.ctx.storage);
  readonly #own = accountStore(this.env, this.#self.account, {
    actor: "system:test_run",
    request_id: this.#self.id,
  });
  protected override readonly store = TEST_RUN;
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    migrations: TEST_RUN.migrations,
    build: (sql) => {
      const outbox = new Outbox<RunDestination>({ sql, deliver: deliverTo(this.env, this.#own, () => this.#list()) });
      return { outbox, work: this.#buildWork(outbox) };
    },
    parts: ({ outbox, work }) => ({ outbox, work }),
    report: (error, context) => this.#report(error, context),
  });
  readonly #streams: OpenStreams = new OpenStreams(
    streamGate(this.env, this.#self.account, { type: "test_run", id: this.#self.id }),
    (ids) => this.#hub.end(ids),
    (error) => this.#report(error),
  );
  readonly #hub: EventHub;
  #listing: Promise<void> = Promise.resolve();
  #tested: ReturnType<typeof testedContent> | null = null;

  constructor(ctx: DurableObjectState, env: Env & OptionalSecrets) {
    super(ctx, env);
    this.#hub = new EventHub(
      {
        after: (seq, limit) => this.#store.eventsAfter(seq, limit, this.#self.id, () => this.#recordOf()),
        snapshot: () => ({ seq: this.#store.lastSeq, data: this.#detail() }),
        storage: this.ctx.storage,
      },
      this.frame.existing === null ? 0 : this.#store.lastSeq,
      this.#streams,
    );
  }

  #buildWork(outbox: Outbox<RunDestination>): RunWork {
    const store = this.#store;
    return new RunWork({
      store,
      record: (run) => recordRun(this.#storeAs(run.plan), this.#self.id, run.plan, store.tests),
      hold: (item, lease, signal) =>
        holdTest(
          {
            env: this.env,
            storage: this.ctx.storage,
            store,
            accountStore: this.#own,
            leaseOf: (id) => this.#leaseOf(id),
            tested: () => this.#readTested(),
            report: (error) => this.#report(error),
            ran: (ran) => outbox.add("ledger", ran.row.id, ran),
          },
          { item, lease, signal },
        ),
      settle: (lease, use, talked) => this.#settle(outbox, lease, use, talked),
      list: () => this.#list("completed"),
      over: (run) => {
        outbox.add("d1", "row", {});
        outbox.add("events", "over", { record: this.#recordOf(run) });
      },
      empty: () => this.#empty(),
      owes: () => outbox.owes,
      changed: () => this.#publish(),
    });
  }

  /** Charges budgets with what a conversation used and counts it, even without a result. */
  #settle(
    outbox: Outbox<RunDestination>,
    lease: string,
    use: ConversationUse,
    talked: Pick<Talked, "usage" | "models"> | null,
  ) {
    const { plan } = this.#existing;
    outbox.add("meter", lease, { id: lease, use });
    if (talked && use.requests > 0) outbox.add("ledger", lease, usageOf(lease, plan, talked));
  }

  /** Writes the run's state to the account's list. Only one write runs at a time. */
  async #list(status: RunRecord["status"] = this.#existing.status): Promise<void> {
    await this.#listing;
    const ended_at = new Date(this.#existing.ended_at ?? Date.now()).toISOString();
    const record = Object.assign(this.#recordOf(), { status, ended_at });
    const listing = endRun(this.#own, record, this.#store.outcomes);
    this.#listing = listing.catch(() => {});
    await listing;
  }

  get #existing(): Run {
    const { run } = this.#store;
    if (run === null) throw new TypeError("there is no run here");
    return run;
  }

  #storeAs({ author }: RunPlan) {
    return accountStore(this.env, this.#self.account, author);
  }

  #readTested(): ReturnType<typeof testedContent> {
    const { plan } = this.#existing;
    this.#tested ??= testedContent({ env: this.env, store: this.#own, now: Date.now() }, plan).catch(
      (error: unknown) => {
        this.#tested = null;
        throw error;
      },
    );
    return this.#tested;
  }

  #leaseOf(id: string): LiveLease {
    const { agent_id, holder } = this.#existing.plan;
    const until = "session" in holder ? holder.expires_at : null;
    const member = { type: "member" as const, credential: credentialOf(holder), until, view: holder.view };
    const object = { type: "test_run" as const, id: this.#self.id };
    return { id, kind: "test", object, agent_id, campaign_id: null, api_key_id: null, holder: member };
  }

  /** Begins the run. Idempotent. It is on the account's list when this resolves; false if it is not allowed. */
  async begin(plan: RunPlan, tests: PlannedTest[]): Promise<boolean> {
    const { work } = this.frame.open();
    this.#store.begin(plan, tests);
    await this.frame.arm();
    return work.record();
  }

  /** Returns the run with all its results, or a piece of them from `from` on; null if it no longer exists. */
  async detail(from?: number): Promise<RunDetail | null> {
    if (!this.frame.existing || !this.#store.run) return null;
    if (from === undefined) return this.#detail();
    return Object.assign(this.#recordOf(), this.#store.resultsFrom(from, MOST_RESULT_CHARS));
  }

  /** Streams its events, beginning with those after `lastSeen`. @throws ApiError 404 */
  async events(lastSeen: number | null, reader: Reader): Promise<ReadableStream<Uint8Array>> {
    if (!this.frame.existing || this.#store.run === null) throw notFound("test run");
    const id = await this.#streams.enter(reader);
    const stream = this.#hub.open(lastSeen, id);
    if (this.#store.run.status !== "running") this.#endStreams();
    return stream;
  }

  /** Checks whether the run has ended and this event is its last. */
  async hasEndedBefore(seq: number): Promise<boolean> {
    if (!this.frame.existing || this.#store.run?.status === "running") return false;
    return seq >= this.#store.lastSeq;
  }

  /** Erases the results of tests that were made from these conversations. */
  async erase(conversations: string[]): Promise<void> {
    if (!this.frame.existing || !this.#store.erase(conversations)) return;
    // A write to the list that was in progress may still have included them.
    await this.#listing;
    this.#hub.refresh();
    await this.frame.arm();
  }

  /** Ends the conversations and streams with these ids, because the meter no longer allows them. */
  async revoke(ids: string[], reason: string): Promise<void> {
    this.#streams.revoke(ids);
    const parts = this.frame.existing;
    if (!parts || !this.#store.underWay.some(({ lease }) => ids.includes(lease))) return;
    parts.work.fail(reason, Date.now());
    await this.frame.arm();
  }

  /** Ends the run because a budget is used up. */
  async endForBudget(): Promise<void> {
    this.frame.existing?.work.fail("budget", Date.now());
    await this.frame.arm();
  }

  #recordOf({ plan, status, reason, ended_at }: Run = this.#existing): RunRecord {
    const { agent_id, version, hash, created_by, created_at } = plan;
    const over = ended_at === null ? null : new Date(ended_at).toISOString();
    const own = { id: this.#self.id, agent_id, status, reason, version, hash, created_by, created_at, ended_at: over };
    return Object.assign(own, this.#store.counts, { tests: this.#store.outcomes.map(shownOutcome) });
  }

  #detail(): RunDetail {
    return Object.assign(this.#recordOf(), { results: this.#store.resultsFrom(0, Number.POSITIVE_INFINITY).results });
  }

  #publish(): void {
    this.#hub.publish(this.#store.lastSeq).catch((error: unknown) => this.#report(error));
    if (this.#store.run?.status !== "running") this.#endStreams();
  }

  /** Ends the streams once the end has been published to them. */
  #endStreams(): void {
    this.#hub
      .publish(this.#store.lastSeq)
      .then(() => this.#hub.close())
      .catch((error: unknown) => this.#report(error));
  }

  async #empty(): Promise<void> {
    const { run } = this.#store;
    if (run?.isRecorded) await deleteRun(this.#own, this.#self.id);
    this.#hub.close();
    await this.frame.empty();
  }

  #report(error: unknown, context?: { part: string }): void {
    logError("test_run", error, Object.assign({ account: this.#self.account, run: this.#self.id }, context));
  }
}
