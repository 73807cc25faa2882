import { CopiedObject } from "../../kernel/backup/copied-object.ts";
import { LookUps } from "../../kernel/db/look-ups.ts";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import { accountOf } from "../../kernel/durable/objects.ts";
import type { Reader } from "../../kernel/http/credential.ts";
import { logError } from "../../kernel/log.ts";
import type { Admission } from "../../phone/call-limits/call-caps.ts";
import type { Settled } from "../../phone/calls/live/ledger-lines.ts";
import { callerOf } from "../../phone/inbound/caller.ts";
import { PlanInForce } from "../plan/plan-in-force.ts";
import type { QuotaName } from "../plan/quotas.ts";
import { METER } from "../stores.ts";
import type { CumulativeUse } from "./budget-consumers.ts";
import type { CallConsumer } from "./call-budgets.ts";
import type { Calls, CallUsage, InboundAdmission, InboundLease } from "./calls.ts";
import type { LeaseExchange } from "./lease-exchange.ts";
import type { LeaseOwner } from "./live.ts";
import { ADDRESS_CONVERSATIONS, VISITOR_CONVERSATIONS } from "./live-caps.ts";
import type { ConversationAdmission, ConversationRenewal, ConversationUse, LiveLease } from "./live-lease.ts";
import { type MeterParts, meterParts } from "./meter-parts.ts";
import { type AnalysisConsumer, analysisConsumer, modelConsumerOf } from "./model-consumer.ts";
import type { SpeechAdmission, SpeechReservation, UnspokenPart } from "./speech-budgets.ts";
import type { ToolRunAdmission, ToolRunner } from "./tool-rates.ts";

const report = (error: unknown, context?: { part: string }): void => logError("account meter", error, context);

/**
 * The meter of an account. It stores what changes often: the leases of calls and of everything live, and what budgets
 * have left. The gate decides on admission without waiting for storage, and notifies the meter of revocations.
 */
export class AccountMeter extends CopiedObject<Env> {
  readonly #account = accountOf(this.ctx);
  readonly #plan = new PlanInForce(this.#account, new LookUps(this.env.DB));
  protected override readonly store = METER;
  protected override readonly frame: ObjectFrame<MeterParts> = new ObjectFrame({
    state: this.ctx,
    migrations: METER.migrations,
    build: (sql) =>
      meterParts({
        env: this.env,
        account: this.#account,
        storage: this.ctx.storage,
        sql,
        plan: this.#plan,
        arm: () => this.frame.arm(),
        takeAlarmLag: () => this.frame.takeAlarmLag(),
        report,
      }),
    parts: ({ calls, live: { revocation: live }, tools, budgets, outbox, gauges }) => {
      return { calls, live, tools, budgets, outbox, gauges };
    },
    report,
  });

  get #calls(): Calls {
    return this.frame.open().calls;
  }

  /** Wakes the object so that it resumes pending work. */
  async wake(): Promise<void> {}

  /** Called after the account's plan, caps, status or call settings changed. */
  async planChanged(): Promise<void> {
    this.#plan.invalidate();
    await this.frame.existing?.calls.planChanged();
  }

  async lease(callId: string, rings: number, consumer?: CallConsumer): Promise<Admission> {
    return this.#calls.lease(callId, rings, consumer);
  }

  /** Takes a lease for the target leg of a transfer. The end of the call frees it. */
  async leaseTransfer(callId: string): Promise<Admission> {
    return this.#calls.leaseTransfer(callId);
  }

  /** Refunds the lease of a transfer that the carrier did not carry out. */
  async refundTransfer(callId: string): Promise<void> {
    await this.#calls.refundTransfer(callId);
  }

  /** Takes a lease for a call that a carrier announces. Repeated announcements get the same lease. */
  async leaseInbound(call: InboundLease): Promise<InboundAdmission> {
    return this.#calls.leaseInbound(call);
  }

  /**
   * Takes leases for a campaign, in turn with the account's other campaigns. A campaign that gets fewer than it wants
   * is woken later for the rest.
   */
  async exchange(exchange: LeaseExchange): Promise<Admission> {
    return this.#calls.exchange(exchange);
  }

  async answered(callId: string): Promise<void> {
    await this.#calls.answered(callId);
  }

  /** Applies the states of calls that carriers reported when they were asked about them, or asked to hang them up. */
  async settled(calls: Settled[]): Promise<void> {
    await this.#calls.settled(calls);
  }

  /** Frees the leases of calls that have ended. */
  async release(callIds: string[]): Promise<void> {
    await this.#calls.release(callIds);
  }

  async refund(callIds: string[]): Promise<void> {
    await this.#calls.refund(callIds);
  }

  async campaignOf(callId: string): Promise<string | null> {
    return this.#calls.campaignOf(callId);
  }

  /** Returns the account's caps, and how much of each is used. */
  async usage(): Promise<CallUsage> {
    return this.#calls.usage();
  }

  /** Takes a lease for a new conversation, and returns what it may start. */
  async admit(lease: LiveLease): Promise<ConversationAdmission> {
    const { quotas } = await this.#plan.get();
    const address = this.env.RATE_LIMITS === "off" ? null : ADDRESS_CONVERSATIONS;
    const caps = { conversations: quotas.conversations, visitor: VISITOR_CONVERSATIONS, address };
    const { live, budgets } = this.frame.open();
    const taken = live.admit(lease, caps);
    if (taken.outcome === "refused") return taken;
    const admission = await budgets.admit(modelConsumerOf(lease, budgets.calls), Date.now());
    if (admission.outcome === "refused") live.leave([lease.id]);
    return admission;
  }

  /**
   * Renews the lease of a conversation after a turn, charges its use, and returns whether it may continue and what it
   * may start next. `next` is the size of its next request, tokens.
   */
  async renew(lease: LiveLease, use: ConversationUse, next: number): Promise<ConversationRenewal> {
    const { live, budgets } = this.frame.open();
    const renewal = live.renew(lease);
    const credit = await budgets.settle(modelConsumerOf(lease, budgets.calls), use, next, Date.now());
    return renewal.outcome === "ended" ? renewal : { outcome: "ok", credit };
  }

  /** Reserves request `n` of a conversation, which is about to start; false if a budget is reached. */
  async reserveRequest(lease: LiveLease, use: ConversationUse, n: number, tokens: number): Promise<boolean> {
    const { budgets } = this.frame.open();
    return budgets.reserve(modelConsumerOf(lease, budgets.calls), use, n, tokens, Date.now());
  }

  /** Reserves request `n` of an analysis, which is about to start; false if a budget has no room for it. */
  async reserveAnalysisRequest(
    consumer: AnalysisConsumer,
    use: ConversationUse,
    n: number,
    tokens: number,
  ): Promise<boolean> {
    return this.frame.open().budgets.reserveInBackground(analysisConsumer(consumer), use, n, tokens, Date.now());
  }

  /** Charges the use of an analysis that has ended. */
  async analyzed(id: string, use: ConversationUse): Promise<void> {
    await this.frame.open().budgets.leave(id, use, null, Date.now());
  }

  /** Reserves a part of a conversation before the agent's own voice speaks it. */
  async reserveSpeech(lease: LiveLease, part: SpeechReservation): Promise<SpeechAdmission> {
    const { isClosed } = await this.#plan.get();
    if (isClosed) return { outcome: "refused", code: "account_closed", retryAfterMs: 0 };
    const { budgets } = this.frame.open();
    return budgets.reserveSpeech(modelConsumerOf(lease, budgets.calls), part, Date.now());
  }

  /** Frees the reservation of a part that was not spoken. */
  async giveBackSpeech(lease: LiveLease, part: UnspokenPart): Promise<void> {
    const { budgets } = this.frame.open();
    await budgets.giveBackSpeech(modelConsumerOf(lease, budgets.calls), part, Date.now());
  }

  /**
   * Releases the lease of a conversation that has ended. `speech` is the use of its agent's own voice; null if it said
   * nothing.
   */
  async leave(id: string, use: ConversationUse, speech: CumulativeUse | null = null): Promise<void> {
    const { live, budgets } = this.frame.open();
    live.leave([id]);
    await budgets.leave(id, use, speech, Date.now());
  }

  /** Closes everything that has lost access. Called after admission changed. */
  async accessChanged(): Promise<void> {
    await this.frame.existing?.live.accessChanged();
  }

  /**
   * Takes a lease for a stream. `first` is set for the first stream since its object was rebuilt.
   * @throws ApiError 429
   */
  async openStream(owner: LeaseOwner, stream: { id: string; reader: Reader }, first: boolean): Promise<void> {
    const { quotas } = await this.#plan.get();
    this.frame.open().live.openStream(owner, stream, first, quotas);
  }

  /** Renews the streams that an object has open or is opening. Returns the ids of those that must end. */
  async keepStreams(owner: LeaseOwner, open: { id: string; reader: Reader }[], opening: string[]): Promise<string[]> {
    return this.frame.open().live.keepStreams(owner, open, opening);
  }

  async closeStreams(ids: string[]): Promise<void> {
    this.frame.existing?.live.leave(ids);
  }

  /** Takes a lease for an upload. @throws ApiError 429 */
  async beginUpload(owner: LeaseOwner, upload: { id: string; reader: Reader }): Promise<void> {
    const { quotas } = await this.#plan.get();
    this.frame.open().live.beginUpload(owner, upload, quotas);
  }

  /** Renews the lease of an upload that is still being read. */
  async keepUpload(owner: LeaseOwner, upload: { id: string; reader: Reader }): Promise<void> {
    this.frame.open().live.keepUpload(owner, upload);
  }

  async endUpload(id: string): Promise<void> {
    this.frame.existing?.live.leave([id]);
  }

  /** Returns the use of the quotas that the meter counts. */
  async liveUse(): Promise<Partial<Record<QuotaName, number>>> {
    const live = this.frame.existing?.live;
    return {
      conversations: live?.count("widget") ?? 0,
      event_streams: live?.count("stream") ?? 0,
      uploads: live?.count("upload") ?? 0,
    };
  }

  /** Counts a tool run, unless a rate is reached. */
  async admitToolRun(runner: ToolRunner): Promise<ToolRunAdmission> {
    const admission = this.frame.open().tools.admit(runner, Date.now());
    await this.frame.arm();
    return admission;
  }

  /** Returns how much of each budget is used, in the budget's unit, by id. */
  async budgetUse(): Promise<Record<string, number>> {
    return this.frame.open().budgets.use(Date.now());
  }

  /** Called after the costs in the account's ledger changed. */
  async costsChanged(): Promise<void> {
    await this.frame.existing?.budgets.costsChanged(Date.now());
  }

  /** Called after the account's budgets, or the limits of its widget keys, changed. */
  async budgetsChanged(): Promise<void> {
    await this.frame.existing?.budgets.changed(Date.now());
  }

  async erasePerson(person: MeteredPerson): Promise<number> {
    return this.frame.existing
      ? eraseMetered(
          { sql: this.ctx.storage.sql, transactionSync: (work) => this.ctx.storage.transactionSync(work) },
          person,
        )
      : 0;
  }
}

/** The identifiers by which the meter finds a person. */
interface MeteredPerson {
  /** Phone numbers (E.164). */
  numbers: string[];
  visitors: string[];
  conversations: string[];
}

/**
 * Erases a person from the meter's storage: the counts by caller, visitor and conversation, and the caller in leases,
 * which themselves stay until their calls end. Returns the number of rows.
 */
function eraseMetered(
  { sql, transactionSync }: Pick<DurableObjectStorage, "sql" | "transactionSync">,
  { numbers, visitors, conversations }: MeteredPerson,
): number {
  const callers = numbers.map(callerOf);
  const holders = [...conversations.map((id) => `conversation ${id}`), ...visitors.map((id) => `visitor ${id}`)];
  const named = "IN (SELECT value FROM json_each(?))";
  const steps: [string, string[]][] = [
    [`UPDATE call_leases SET caller = NULL WHERE caller ${named}`, callers],
    [`DELETE FROM caller_days WHERE caller ${named}`, callers],
    [`DELETE FROM visitor_days WHERE who ${named}`, visitors.map((id) => `visitor ${id}`)],
    [`DELETE FROM tool_runs_of_day WHERE visitor ${named}`, visitors],
    [`DELETE FROM tool_runs_of_minute WHERE holder ${named}`, holders],
  ];
  return transactionSync(() =>
    steps.reduce((rows, [statement, values]) => {
      return rows + sql.exec(`${statement} RETURNING 1`, JSON.stringify(values)).toArray().length;
    }, 0),
  );
}
