import { DurableObject } from "cloudflare:workers";
import { callLimits } from "../calls/place-call.ts";
import { reconcileCalls } from "../calls/reconcile-calls.ts";
import {
  HANG_UP_AGAIN_MS,
  lookAtAfterRebuild,
  lookAtFirst,
  type OpenCall,
  SETTLED_WITHIN_MS,
} from "../calls/reconciliation.ts";
import { AccountStore, type Author } from "../db/account-store.ts";
import { exceededQuota, limitsStatement } from "../db/account-usage.ts";
import { type ConfigurationBatch, type ConfigurationOutcome, directly } from "../db/batch.ts";
import { LookUps } from "../db/look-ups.ts";
import { armNoLaterThan, nextAlarm } from "../durable/alarm.ts";
import { hasTable, migrate } from "../durable/migrate.ts";
import { accountOf, campaignObject } from "../durable/objects.ts";
import { ApiError } from "../http/errors.ts";
import { logError } from "../log.ts";
import { AccountQuotas } from "./account-quotas.ts";
import { accountStore } from "./account-stores.ts";
import type { Admission, Usage } from "./call-caps.ts";
import { CatalogueVersion } from "./catalogue-version.ts";
import { Entrance, type Entry, type Pass, type Reader } from "./entrance.ts";
import { exchangeLeases, type LeaseExchange } from "./lease-exchange.ts";
import { LeaseLedger } from "./lease-ledger.ts";
import { readListing } from "./listing.ts";
import { GATE_MIGRATIONS } from "./migrations.ts";
import { changePassword, type PasswordChange } from "./password-change.ts";
import { type CallCaps, capsOf, type Plan } from "./plans.ts";
import { overQuota, QUOTAS_IN_DATABASE, type QuotaName, type Quotas, type QuotaUse, quotasOf } from "./quotas.ts";
import { SessionLedger } from "./session-ledger.ts";
import { SignInLedger, type SignInPair } from "./sign-in-ledger.ts";
import { type SignInChance, SignIns } from "./sign-ins.ts";
import { TurnQueue } from "./turn-queue.ts";

/** How long the account's plan and caps are reused, ms; an operator's change forgets them at once. */
const PLAN_REUSE_MS = 30_000;
/** A closed account makes no calls. */
const NO_CALLS: CallCaps = { concurrent_calls: 0, calls_per_minute: 0, calls_per_day: 0 };
/** Calls without recent events that are reconciled in one alarm: a carrier that lists calls answers for all at once. */
const SILENT_AT_ONCE = 200;
/** After a failure of its own work (D1) the alarm comes again, ms. */
const TRY_AGAIN_MS = 2_000;

interface AccountPlan {
  plan: Plan;
  caps: CallCaps;
  quotas: Quotas;
}

interface Ledgers {
  leases: LeaseLedger;
  turns: TurnQueue;
  sessions: SessionLedger;
  quotas: AccountQuotas;
  signIns: SignInLedger;
}

/** The tables that say who may come in, and what the account may do. */
const OF_STANDING = new Set(["accounts", "users", "api_keys"]);

/**
 * One object per account, named by it, and the one door of the account: it answers whether somebody may come in now,
 * which version of its configuration is the present one, and whether a call may go now. What changes these answers is
 * written through it, so that a change holds from the very next request on, everywhere.
 */
export class AccountGate extends DurableObject<Env> {
  readonly #account = accountOf(this.ctx);
  readonly #lookUps = new LookUps(this.env.DB);
  readonly #entrance = new Entrance({
    account: this.#account,
    lookUps: this.#lookUps,
    sessions: () => this.#ledgers?.sessions ?? null,
    keyLimit: this.env.RATE_LIMITS === "off" ? null : Number(this.env.KEY_RATE_LIMIT),
  });
  readonly #signIns = new SignIns({
    known: () => this.#ledgers?.signIns ?? null,
    made: () => this.#opened().signIns,
  });
  readonly #version = new CatalogueVersion(this.ctx.storage.kv, crypto.randomUUID(), Date.now());
  /** Made at the first call, stream, upload, sign-in or sign-out: who is only asked who may come in stores nothing. */
  #ledgers: Ledgers | null = null;
  #plan: (AccountPlan & { at: number }) | null = null;
  /** Counts the operator's changes, so that a plan read before one is not kept after it. */
  #changes = 0;
  /** When (ms) the queue of campaigns is looked at again; at once after a restart. */
  #turnsAt = 0;
  /** After a failure the alarm waits until then, ms. */
  #notBefore = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (!this.#followsCalls()) return;
    const now = Date.now();
    this.#leases.lookAtAll((lookedAt) => lookAtAfterRebuild(lookedAt, now));
    // An alarm can be lost with its process: whoever is built with something to wait for arms it again.
    ctx.blockConcurrencyWhile(() => this.#arm());
  }

  #followsCalls(): boolean {
    return hasTable(this.ctx.storage, "call_leases");
  }

  get #leases(): LeaseLedger {
    return this.#opened().leases;
  }

  get #quotas(): AccountQuotas {
    return this.#opened().quotas;
  }

  get #turns(): TurnQueue {
    return this.#opened().turns;
  }

  #opened() {
    if (this.#ledgers) return this.#ledgers;
    const { sql } = this.ctx.storage;
    migrate(this.ctx.storage, GATE_MIGRATIONS, Date.now());
    this.#ledgers = {
      leases: new LeaseLedger(sql),
      turns: new TurnQueue(sql),
      sessions: new SessionLedger(sql),
      quotas: new AccountQuotas(
        sql,
        async () => (await this.#currentPlan()).quotas,
        () => readListing(this.#ownStore("system:quotas")),
      ),
      signIns: new SignInLedger(sql),
    };
    return this.#ledgers;
  }

  /** Whether somebody may make one more request now, and which version of the configuration it may be answered from. */
  async enter(pass: Pass): Promise<Entry> {
    const judgement = await this.#entrance.judge(pass, Date.now());
    if (judgement.outcome !== "ok") return judgement;
    const now = Date.now();
    const { subject } = judgement;
    return this.#entrance.count(pass, subject, now) ?? { outcome: "ok", subject, version: this.#version.at(now) };
  }

  /**
   * Carries out a change of what the account configures, as one atomic batch; only its store makes such batches.
   * @throws ApiError 403 where it would go over a quota
   */
  async configure({ statements, tables }: ConfigurationBatch): Promise<ConfigurationOutcome> {
    const limits = limitsStatement(this.#account, QUOTAS_IN_DATABASE);
    try {
      const write = () => directly(this.env.DB)([limits, ...statements]);
      const change = this.#version.change(write, isConstraint, Date.now);
      if (tables.includes("users")) this.#signIns.during(change);
      const [, ...results] = await change;
      return { results };
    } catch (error) {
      const quota = exceededQuota(error);
      if (quota !== null) throw await this.#over(quota as QuotaName);
      if (isConstraint(error)) return { refused: error.message };
      throw error;
    } finally {
      if (tables.some((table) => OF_STANDING.has(table))) this.#entrance.forget();
      if (tables.includes("accounts")) await this.#forgetPlan();
    }
  }

  /** What D1 says that it refused, in a client's words. */
  async #over(quota: QuotaName): Promise<ApiError> {
    const { quotas } = await this.#currentPlan();
    return new ApiError(403, "quota_exceeded", overQuota(quota, quotas[quota]));
  }

  /** The plan, its quotas and what of them is used, for GET /quotas. */
  async quotas(): Promise<{ plan: Plan; quotas: Record<QuotaName, QuotaUse> }> {
    const { plan } = await this.#currentPlan();
    return { plan, quotas: await this.#quotas.use(Date.now) };
  }

  /** Somebody is to read a campaign's events, the `first` in this life of its object. @throws ApiError 429 where as many as there may be do */
  async openStream(campaign: string, id: string, first: boolean): Promise<void> {
    if (first) this.#quotas.keepStreams(campaign, [], [], Date.now());
    await this.#quotas.openStream(id, campaign, Date.now);
  }

  /** The campaign's open streams, and those it has asked for; gives those whose reader may not read any more. */
  async lookAtStreams(campaign: string, open: { id: string; reader: Reader }[], asked: string[]): Promise<string[]> {
    const ids = open.map(({ id }) => id);
    this.#quotas.keepStreams(campaign, ids, asked, Date.now());
    const may = await Promise.all(open.map(({ reader }) => this.#entrance.mayRead(reader, Date.now())));
    return ids.filter((_, n) => !may[n]);
  }

  async closeStreams(ids: string[]): Promise<void> {
    this.#quotas.closeStreams(ids);
  }

  /** A new campaign's upload begins. @throws ApiError 429 or 403 where there is one too many */
  async beginUpload(campaign: string): Promise<void> {
    await this.#quotas.beginUpload(campaign, Date.now);
  }

  /** The upload is still being read. */
  async keepUpload(campaign: string): Promise<void> {
    this.#quotas.keepUpload(campaign, Date.now());
  }

  async endUpload(campaign: string): Promise<void> {
    await this.#quotas.endUpload(campaign);
  }

  /** A campaign was stopped or has completed: it is open no more. */
  async campaignEnded(campaign: string): Promise<void> {
    this.#quotas.campaignEnded(campaign);
  }

  /** The session is over from the next request on; `expiresAt` (ms) is when its token would have expired. */
  async endSession(id: string, expiresAt: number): Promise<void> {
    this.#opened().sessions.end(id, expiresAt, Date.now());
  }

  /** Whether a password may be tried now, before it is looked at; null where failures are not counted. */
  async trySignIn(pair: SignInPair | null): Promise<SignInChance> {
    return this.#signIns.begin(pair);
  }

  /** Notes whether the password was right; gives the ms to wait where the try does not count, else 0. */
  async signInTried(pair: SignInPair, right: boolean): Promise<number> {
    return this.#signIns.end(pair, right);
  }

  /** Changes a user's password; all sessions of the user end at once but the one that asks for it. */
  async changePassword(
    change: PasswordChange,
    author: Author,
  ): Promise<"changed" | "signed_out" | "changed_meanwhile"> {
    const { outcome } = await this.#entrance.judge({ session: change.session }, Date.now());
    if (outcome !== "ok") return "signed_out";
    const database = { run: directly(this.env.DB), configure: (batch: ConfigurationBatch) => this.configure(batch) };
    const store = new AccountStore(database, this.#account, author);
    return (await changePassword(change, store, this.#opened().sessions)) ? "changed" : "changed_meanwhile";
  }

  /** After the account's plan, caps or standing changed; the queue is looked at anew. */
  async #forgetPlan(): Promise<void> {
    this.#plan = null;
    this.#changes++;
    if (this.#followsCalls()) await this.ctx.storage.setAlarm(Date.now() + 1);
  }

  /** A lease for one call outside of campaigns: an outbound one rings first, an inbound one is answered at once. */
  async lease(callId: string, begins: "ringing" | "answered"): Promise<Admission> {
    const { caps } = await this.#currentPlan();
    const now = Date.now();
    const limits = callLimits(this.env);
    const call: OpenCall = { placedAt: now, connectedAt: begins === "answered" ? now : null, inDoubt: false };
    const ttl = (begins === "answered" ? limits.duration : limits.ring) + SETTLED_WITHIN_MS;
    const admission = this.#leases.take([callId], ttl, caps, now, { lookAt: lookAtFirst(call, limits, now) });
    await this.#arm();
    return admission;
  }

  /** Leases for a campaign, in turn with the account's other campaigns; for the rest it is woken. */
  async exchange(exchange: LeaseExchange): Promise<Admission> {
    const { caps } = await this.#currentPlan();
    const admission = exchangeLeases(this.#leases, this.#turns, caps, exchange, Date.now());
    await this.#callNext();
    return admission;
  }

  /** Somebody answered the call: its lease lasts as long as it may talk. */
  async answered(callId: string): Promise<void> {
    const now = Date.now();
    const limits = callLimits(this.env);
    const call: OpenCall = { placedAt: now, connectedAt: now, inDoubt: false };
    this.#leases.talks(callId, lookAtFirst(call, limits, now), limits.duration + SETTLED_WITHIN_MS);
    await this.#arm();
  }

  /** The carrier has not said whether it took the call, or what became of its hang-up: it is asked soon. */
  async askSoon(callId: string): Promise<void> {
    this.#leases.lookAt(callId, Date.now() + HANG_UP_AGAIN_MS, 0);
    await this.#arm();
  }

  /** The call is to end, and its carrier did not say that it has: the hang-up is tried again. */
  async hangUpAgain(callId: string): Promise<void> {
    this.#leases.hangUp(callId, Date.now() + HANG_UP_AGAIN_MS);
    await this.#arm();
  }

  /** A call has ended. */
  async release(callIds: string[]): Promise<void> {
    this.#leases.free(callIds);
    await this.#callNext();
  }

  /** A lease was taken for a call that was not made. */
  async refund(callIds: string[]): Promise<void> {
    this.#leases.refund(callIds);
    await this.#callNext();
  }

  /** The plan, its caps and what of them is used, for GET /call-limits. */
  async usage(): Promise<{ plan: Plan; caps: CallCaps; usage: Usage }> {
    const { plan, caps } = await this.#currentPlan();
    return { plan, caps, usage: this.#leases.usage(Date.now()) };
  }

  override async alarm(): Promise<void> {
    try {
      await Promise.all([this.#callNext(), this.#askAboutSilent()]);
      this.#notBefore = 0;
    } catch (error) {
      this.#notBefore = Date.now() + TRY_AGAIN_MS;
      logError("account gate", error);
    } finally {
      await this.#arm();
    }
  }

  /** Wakes the campaigns whose turn it is, as many as there are free slots, and arms the next look at the queue. */
  async #callNext(): Promise<void> {
    if (this.#turns.length === 0) return;
    const { caps } = await this.#currentPlan();
    const now = Date.now();
    const called = this.#turns.call(this.#leases.room(caps, now), now);
    this.#turnsAt = this.#leases.nextRoomAt(caps, now);
    await this.#arm();
    await Promise.allSettled(called.map((id) => campaignObject(this.env, this.#account, id).wake()));
  }

  /** Asks the carriers about the calls that no campaign watches and that fell silent. */
  async #askAboutSilent(): Promise<void> {
    const silent = this.#leases.silent(SILENT_AT_ONCE, Date.now());
    if (silent.length === 0) return;
    const store = this.#ownStore("system:reconciliation");
    for (const { callId, lookAt } of await reconcileCalls(this.env, store, silent, Date.now)) {
      this.#leases.looked(callId, Date.now());
      if (lookAt === null) this.#leases.free([callId]);
      else this.#leases.lookAt(callId, lookAt, SETTLED_WITHIN_MS);
    }
    await this.#callNext();
  }

  /** Sets the alarm for whatever comes first: the turn of a campaign, or a call to ask about. */
  async #arm(): Promise<void> {
    const turnsAt = this.#turns.length > 0 ? this.#turnsAt : null;
    const next = nextAlarm([turnsAt, this.#leases.nextLookAt()], Math.max(this.#notBefore, Date.now() + 1));
    await armNoLaterThan(this.ctx.storage, next);
  }

  #ownStore(actor: string): AccountStore {
    return accountStore(this.env, this.#account, { actor, request_id: "" });
  }

  async #currentPlan(): Promise<AccountPlan> {
    const now = Date.now();
    if (this.#plan && now - this.#plan.at < PLAN_REUSE_MS) return this.#plan;
    const changes = this.#changes;
    const row = await this.#lookUps.account(this.#account);
    if (!row) throw new TypeError("the account is not known");
    const caps = row.disabled_at === null ? capsOf(row) : NO_CALLS;
    const plan = { plan: row.plan, caps, quotas: quotasOf(row), at: now };
    if (changes === this.#changes) this.#plan = plan;
    return plan;
  }
}

/** Whether D1 refused a batch for good: nothing of it was written, and nothing will be. */
function isConstraint(error: unknown): error is Error {
  return error instanceof Error && /SQLITE_CONSTRAINT|constraint failed/i.test(error.message);
}
