import {
  type ObjectPage,
  type ObjectPlace,
  type ObjectRestore,
  readObject,
  restoreObject,
} from "../../kernel/backup/object-copy.ts";
import { LookUps } from "../../kernel/db/look-ups.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { GaugePush } from "../../kernel/durable/gauge-push.ts";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import {
  accountEvents,
  accountGate,
  accountOf,
  campaignObject,
  conversationObject,
  testRunObject,
} from "../../kernel/durable/objects.ts";
import { Outbox } from "../../kernel/durable/outbox.ts";
import type { Reader } from "../../kernel/http/pass.ts";
import { logError } from "../../kernel/log.ts";
import { ObservedObject } from "../../kernel/observing/observed-object.ts";
import type { Admission } from "../../phone/call-limits/call-caps.ts";
import { longestCall } from "../../phone/calls/place-call.ts";
import { reconcileCalls } from "../../phone/calls/reconcile-calls.ts";
import { voicemailTimeoutMs } from "../../phone/calls/voicemail.ts";
import type { NewEvent } from "../../records/events/event.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { METER_BACKUP } from "../backup-data.ts";
import { PlanInForce } from "../plan/plan-in-force.ts";
import type { QuotaName } from "../plan/quotas.ts";
import { budgetEvents, type Reached } from "./budget-events.ts";
import type { PendingWarning } from "./budget-pots.ts";
import { noteWarning, readBudgets } from "./budget-records.ts";
import { Budgets } from "./budgets.ts";
import type { CallBudgets, CallPayer } from "./call-budgets.ts";
import { Calls, type CallUsage, type InboundAdmission, type InboundLease } from "./calls.ts";
import { CallsFromGate } from "./calls-from-gate.ts";
import { forgetMetered, type MeteredPerson } from "./erasure.ts";
import type { LeaseExchange } from "./lease-exchange.ts";
import { type Keeper, Live } from "./live.ts";
import { ADDRESS_CONVERSATIONS, VISITOR_CONVERSATIONS } from "./live-caps.ts";
import type { ConversationAdmission, ConversationRenewal, ConversationUse, LiveLease } from "./live-lease.ts";
import { standingReads } from "./live-standing.ts";
import { METER_MIGRATIONS } from "./migrations.ts";
import { talkerOf, testRunNamed } from "./talker.ts";
import { ToolRates, type ToolRunAdmission, type ToolRunner } from "./tool-rates.ts";

/**
 * One object per account, named by it, that holds what is written often: the leases of calls and of whatever is live, and
 * what budgets have left. The account's gate answers who comes in and waits for no disk; it tells the meter what was
 * revoked.
 */
export class AccountMeter extends ObservedObject<Env> {
  readonly #account = accountOf(this.ctx);
  readonly #plan = new PlanInForce(this.#account, new LookUps(this.env.DB));
  readonly #frame = new ObjectFrame({
    storage: this.ctx.storage,
    migrations: METER_MIGRATIONS,
    build: (sql) => {
      const outbox = this.#buildOutbox(sql);
      const budgets = this.#buildBudgets(outbox);
      return {
        calls: this.#buildCalls(sql, budgets.calls),
        live: this.#buildLive(sql),
        tools: new ToolRates(sql),
        budgets,
        outbox,
        gauges: this.#buildGauges(outbox),
      };
    },
    report: (error) => logError("account meter", error),
  });
  readonly #callsFromGate = new CallsFromGate({
    storage: this.ctx.storage,
    open: () => void this.#frame.open(),
    heldByGate: () => accountGate(this.env, this.#account).callsForMeter(),
    taken: () => this.#frame.resume(),
  });

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (this.#frame.existing) ctx.blockConcurrencyWhile(() => this.#frame.resume());
  }

  #buildCalls(sql: SqlStorage, budgets: CallBudgets): Calls {
    return new Calls({
      sql,
      budgets,
      plan: this.#plan,
      arm: () => this.#frame.arm(),
      longestCall: () => longestCall(this.env),
      voicemailTimeoutMs: voicemailTimeoutMs(this.env),
      wakeCampaign: (id) => campaignObject(this.env, this.#account, id).wake(),
      reconcile: (silent) => {
        const store = accountStore(this.env, this.#account, { actor: "system:reconciliation", request_id: "" });
        return reconcileCalls({ env: this.env, store, clock: Date.now }, silent);
      },
    });
  }

  #buildLive(sql: SqlStorage): Live {
    const [env, account] = [this.env, this.#account];
    const store = accountStore(env, account, { actor: "system:revocation", request_id: "" });
    return new Live({
      sql,
      atGate: (sessions) => accountGate(env, account).standing(sessions),
      read: (leases) => store.read(...standingReads(store, leases)),
      close: async ({ type, id }, ids, reason) => {
        if (type === "campaign") await campaignObject(env, account, id).revoke(ids, reason);
        else if (type === "test_run") await testRunObject(env, account, id).revoke(ids, reason);
        else if (type === "conversation") await conversationObject(env, account, id).revoke(ids, reason);
        else await accountEvents(env, account).revoke(ids);
      },
      arm: () => this.#frame.arm(),
      report: (error) => logError("account meter", error),
    });
  }

  #buildGauges(outbox: Outbox<"events">): GaugePush {
    const { storage } = this.ctx;
    const first = "SELECT 1 FROM call_leases WHERE expires_at > ?1 UNION ALL SELECT 1 FROM live_leases LIMIT 1";
    const count = `SELECT (SELECT count(*) FROM call_leases WHERE expires_at > ?) AS call_leases,
      (SELECT count(*) FROM live_leases) AS live_leases`;
    return new GaugePush({
      storage,
      object: "meter",
      kind: "meter",
      store: accountStore(this.env, this.#account, { actor: "system:meter", request_id: "" }),
      isBusy: (now) => storage.sql.exec(first, now).toArray().length > 0,
      read: (now) => {
        const { rows, since } = outbox.backlog;
        const { call_leases, live_leases } = storage.sql
          .exec<{ call_leases: number; live_leases: number }>(count, now)
          .one();
        const storage_bytes = storage.sql.databaseSize;
        return { storage_bytes, outbox_rows: rows, outbox_since: since, call_leases, live_leases };
      },
      takeAlarmLag: () => this.#frame.takeAlarmLag(),
      clock: Date.now,
    });
  }

  #buildOutbox(sql: SqlStorage): Outbox<"events"> {
    const take = (events: NewEvent[]) => accountEvents(this.env, this.#account).take(events);
    return new Outbox({ sql, deliver: { events: (rows) => take(rows.map(({ body }) => JSON.parse(body))) } });
  }

  #buildBudgets(outbox: Outbox<"events">): Budgets {
    const store = (actor: string) => accountStore(this.env, this.#account, { actor, request_id: "" });
    const deps = {
      storage: this.ctx.storage,
      read: () => readBudgets(store("system:budgets")),
      reached: (reached: Reached) => {
        for (const event of budgetEvents(reached)) outbox.add("events", event.id, event);
      },
      ledger: new Ledger({ env: this.env, store: store("system:budgets") }),
      warn: (warning: PendingWarning) => noteWarning(store("system:budgets"), warning),
      close: (object: string, id: string) => this.#endForBudget(object, id),
      countsNetworks: this.env.RATE_LIMITS !== "off",
      arm: () => this.#frame.arm(),
      report: (error: unknown) => logError("account meter", error),
    };
    return new Budgets(deps, Date.now());
  }

  async #endForBudget(object: string, id: string): Promise<void> {
    const run = testRunNamed(object);
    if (run === null) await conversationObject(this.env, this.#account, object).endForBudget(id);
    else await testRunObject(this.env, this.#account, run).endForBudget();
  }

  /** The account's calls, once those are here that its gate counted before. */
  async #calls(): Promise<Calls> {
    await this.#callsFromGate.done();
    return this.#frame.open().calls;
  }

  /** Has the object built, if it is not: that resumes its work. */
  async wake(): Promise<void> {}

  /** The gate holds calls that an earlier release admitted; resolves when they are here for good. */
  async takeOverCalls(): Promise<void> {
    await this.#callsFromGate.done();
  }

  /** The account's plan, caps, standing or call settings were changed. */
  async planChanged(): Promise<void> {
    this.#plan.forget();
    await this.#frame.existing?.calls.planChanged();
  }

  /** A lease for one call outside of campaigns, which rings for `rings` ms at most. */
  async lease(callId: string, rings: number, payer?: CallPayer): Promise<Admission> {
    return (await this.#calls()).lease(callId, rings, payer);
  }

  /** A lease for the leg to whom a call's caller is transferred; the call's end frees it. */
  async leaseTransfer(callId: string): Promise<Admission> {
    return (await this.#calls()).leaseTransfer(callId);
  }

  /** The carrier did not transfer the call. */
  async refundTransfer(callId: string): Promise<void> {
    await (await this.#calls()).refundTransfer(callId);
  }

  /** A lease for a call that a carrier announces, the same however often it does. */
  async leaseInbound(call: InboundLease): Promise<InboundAdmission> {
    return (await this.#calls()).leaseInbound(call);
  }

  /** Leases for a campaign, in turn with the account's other campaigns; for the rest it is woken. */
  async exchange(exchange: LeaseExchange): Promise<Admission> {
    return (await this.#calls()).exchange(exchange);
  }

  /** Somebody answered the call. */
  async answered(callId: string): Promise<void> {
    await (await this.#calls()).answered(callId);
  }

  /** The carrier is to be asked about the call soon. */
  async askSoon(callId: string): Promise<void> {
    await (await this.#calls()).askSoon(callId);
  }

  /** The hang-up of the call failed and is to be tried again. */
  async hangUpAgain(callId: string): Promise<void> {
    await (await this.#calls()).hangUpAgain(callId);
  }

  /** Calls have ended. */
  async release(callIds: string[]): Promise<void> {
    await (await this.#calls()).release(callIds);
  }

  /** Leases were taken for calls that were not placed. */
  async refund(callIds: string[]): Promise<void> {
    await (await this.#calls()).refund(callIds);
  }

  /** The campaign that placed a call which holds a lease; null for any other call. */
  async campaignOf(callId: string): Promise<string | null> {
    return (await this.#calls()).campaignOf(callId);
  }

  /** The account's caps and what of them is used. */
  async usage(): Promise<CallUsage> {
    return (await this.#calls()).usage();
  }

  /** Takes a lease for a conversation that is to begin, and gives what it may start. */
  async admit(lease: LiveLease): Promise<ConversationAdmission> {
    const { quotas } = await this.#plan.get();
    const address = this.env.RATE_LIMITS === "off" ? null : ADDRESS_CONVERSATIONS;
    const caps = { conversations: quotas.conversations, visitor: VISITOR_CONVERSATIONS, address };
    const { live, budgets } = this.#frame.open();
    const taken = live.admit(lease, caps);
    if (taken.outcome === "refused") return taken;
    const admission = await budgets.admit(talkerOf(lease, budgets.calls), Date.now());
    if (admission.outcome === "refused") live.leave([lease.id]);
    return admission;
  }

  /**
   * Keeps the lease of a conversation after a turn, charges what it has used, and says whether it may go on and what it
   * may start next: requests of up to `next` tokens.
   */
  async renew(lease: LiveLease, use: ConversationUse, next: number): Promise<ConversationRenewal> {
    const { live, budgets } = this.#frame.open();
    const kept = live.renew(lease);
    const credit = await budgets.settle(talkerOf(lease, budgets.calls), use, next, Date.now());
    return kept.outcome === "ended" ? kept : { outcome: "ok", credit };
  }

  /** Reserves a conversation's request `n`, which is about to start; false where a budget is reached. */
  async ask(lease: LiveLease, use: ConversationUse, n: number, tokens: number): Promise<boolean> {
    const { budgets } = this.#frame.open();
    return budgets.ask(talkerOf(lease, budgets.calls), use, n, tokens, Date.now());
  }

  /** Gives the lease of a conversation back that is over. */
  async leave(id: string, use: ConversationUse): Promise<void> {
    const { live, budgets } = this.#frame.open();
    live.leave([id]);
    await budgets.leave(id, use, Date.now());
  }

  /** It was changed who may come in: what may not stay is closed. */
  async standingChanged(): Promise<void> {
    await this.#frame.existing?.live.standingChanged();
  }

  /** Takes a lease for a stream, the `first` in this life of its object. @throws ApiError 429 */
  async openStream(keeper: Keeper, stream: { id: string; reader: Reader }, first: boolean): Promise<void> {
    const { quotas } = await this.#plan.get();
    this.#frame.open().live.openStream(keeper, stream, first, quotas);
  }

  /** Keeps the streams that an object has open or is asking for; gives those that are to end. */
  async keepStreams(keeper: Keeper, open: { id: string; reader: Reader }[], asked: string[]): Promise<string[]> {
    return this.#frame.open().live.keepStreams(keeper, open, asked);
  }

  async closeStreams(ids: string[]): Promise<void> {
    this.#frame.existing?.live.leave(ids);
  }

  /** Takes a lease for an upload. @throws ApiError 429 */
  async beginUpload(keeper: Keeper, upload: { id: string; reader: Reader }): Promise<void> {
    const { quotas } = await this.#plan.get();
    this.#frame.open().live.beginUpload(keeper, upload, quotas);
  }

  /** The upload is still being read. */
  async keepUpload(keeper: Keeper, upload: { id: string; reader: Reader }): Promise<void> {
    this.#frame.open().live.keepUpload(keeper, upload);
  }

  async endUpload(id: string): Promise<void> {
    this.#frame.existing?.live.leave([id]);
  }

  /** What of the quotas that the meter counts is in use. */
  async liveUse(): Promise<Partial<Record<QuotaName, number>>> {
    const live = this.#frame.existing?.live;
    return {
      conversations: live?.count("widget") ?? 0,
      event_streams: live?.count("stream") ?? 0,
      uploads: live?.count("upload") ?? 0,
    };
  }

  /** Counts a tool run, unless a rate is reached. */
  async admitToolRun(runner: ToolRunner): Promise<ToolRunAdmission> {
    const admission = this.#frame.open().tools.admit(runner, Date.now());
    await this.#frame.arm();
    return admission;
  }

  /** What of each budget is used, in its measure, by its id. */
  async budgetUse(): Promise<Record<string, number>> {
    return this.#frame.open().budgets.use(Date.now());
  }

  /** The account's ledger has counted other costs than before. */
  async costsChanged(): Promise<void> {
    await this.#frame.existing?.budgets.costsChanged(Date.now());
  }

  /** The account's budgets, or the limits of its widget keys, were changed. */
  async budgetsChanged(): Promise<void> {
    await this.#frame.existing?.budgets.changed(Date.now());
  }

  /** Forgets a person; gives how many rows were of them. */
  async forgetPerson(person: MeteredPerson): Promise<number> {
    return this.#frame.existing
      ? forgetMetered(
          { sql: this.ctx.storage.sql, transactionSync: (work) => this.ctx.storage.transactionSync(work) },
          person,
        )
      : 0;
  }

  /** The next page of a backup of the object. */
  async backup(from: ObjectPlace | null): Promise<ObjectPage> {
    return readObject(this.ctx.storage, METER_BACKUP, from);
  }

  /** Takes a page of a backup into an object that holds nothing else. @throws ApiError 409 */
  async restore(page: ObjectRestore): Promise<void> {
    if (restoreObject(this.ctx.storage, METER_MIGRATIONS, METER_BACKUP, page)) await this.#frame.arm();
  }

  override async alarm(): Promise<void> {
    await this.#frame.round();
  }
}
