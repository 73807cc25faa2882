import { DurableObject } from "cloudflare:workers";
import { AccountStore, type Author } from "../../kernel/db/account-store.ts";
import { type ConfigurationBatch, type ConfigurationOutcome, directly } from "../../kernel/db/batch.ts";
import { LookUps } from "../../kernel/db/look-ups.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { accountOf, campaignObject } from "../../kernel/durable/objects.ts";
import type { Pass, Reader } from "../../kernel/http/pass.ts";
import { logError } from "../../kernel/log.ts";
import type { Admission } from "../../phone/call-limits/call-caps.ts";
import type { Plan } from "../../phone/call-limits/plans.ts";
import { longestCall } from "../../phone/calls/place-call.ts";
import { reconcileCalls } from "../../phone/calls/reconcile-calls.ts";
import { voicemailTimeoutMs } from "../../phone/calls/voicemail.ts";
import type { AccountQuotas } from "./account-quotas.ts";
import { Calls, type CallUsage } from "./calls.ts";
import { CatalogueVersion } from "./catalogue-version.ts";
import { ConfigurationWrites } from "./configuration-writes.ts";
import { Entrance, type Entry } from "./entrance.ts";
import type { LeaseExchange } from "./lease-exchange.ts";
import { Ledgers } from "./ledgers.ts";
import { readListing } from "./listing.ts";
import { changePassword, type PasswordChange, type PasswordOutcome } from "./password-change.ts";
import { PlanInForce } from "./plan-in-force.ts";
import type { QuotaName, QuotaUse } from "./quotas.ts";
import type { SignInPair } from "./sign-in-ledger.ts";
import { type SignInChance, SignIns } from "./sign-ins.ts";

/**
 * One object per account, named by it, and the one door of the account: it answers whether somebody may come in now,
 * which version of its configuration is the present one, and whether a call may go now. What changes these answers is
 * written through it, so that a change holds from the very next request on, everywhere.
 */
export class AccountGate extends DurableObject<Env> {
  readonly #account = accountOf(this.ctx);
  readonly #lookUps = new LookUps(this.env.DB);
  readonly #plan = new PlanInForce(this.#account, this.#lookUps);
  readonly #ledgers = new Ledgers({
    storage: this.ctx.storage,
    plan: this.#plan,
    readListing: () => readListing(this.#store({ actor: "system:quotas", request_id: "" })),
  });
  readonly #entrance = new Entrance({
    account: this.#account,
    lookUps: this.#lookUps,
    sessions: () => this.#ledgers.opened?.sessions ?? null,
    keyLimit: this.env.RATE_LIMITS === "off" ? null : Number(this.env.KEY_RATE_LIMIT),
  });
  readonly #signIns = new SignIns({
    existing: () => this.#ledgers.opened?.signIns ?? null,
    open: () => this.#ledgers.open().signIns,
  });
  readonly #calls = new Calls({
    storage: this.ctx.storage,
    ledgers: this.#ledgers,
    plan: this.#plan,
    longestCall: () => longestCall(this.env),
    voicemailTimeoutMs: voicemailTimeoutMs(this.env),
    wakeCampaign: (id) => campaignObject(this.env, this.#account, id).wake(),
    reconcile: (silent) =>
      reconcileCalls(
        { env: this.env, store: this.#store({ actor: "system:reconciliation", request_id: "" }), clock: Date.now },
        silent,
      ),
    report: (error) => logError("account gate", error),
  });
  readonly #version = new CatalogueVersion(this.ctx.storage.kv, crypto.randomUUID());
  readonly #writes = new ConfigurationWrites({
    account: this.#account,
    database: directly(this.env.DB),
    version: this.#version,
    entrance: this.#entrance,
    signIns: this.#signIns,
    plan: this.#plan,
    planChanged: () => this.#calls.planChanged(),
  });

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (this.#ledgers.haveCalls) ctx.blockConcurrencyWhile(() => this.#calls.resume(Date.now()));
  }

  get #quotas(): AccountQuotas {
    return this.#ledgers.open().quotas;
  }

  #store(author: Author): AccountStore {
    return accountStore(this.env, this.#account, author);
  }

  /** Whether somebody may make one more request now, and which version of the configuration it may be answered from. */
  async enter(pass: Pass): Promise<Entry> {
    const entry = await this.#entrance.enter(pass, Date.now);
    return entry.outcome === "ok" ? { ...entry, version: this.#version.at(Date.now()) } : entry;
  }

  /** Whether somebody who came in may stay. */
  async mayStay(reader: Reader): Promise<boolean> {
    return this.#entrance.mayStay(reader, Date.now());
  }

  async configure(batch: ConfigurationBatch): Promise<ConfigurationOutcome> {
    return this.#writes.configure(batch);
  }

  /** The plan, its quotas and what of them is used, for GET /quotas. */
  async quotas(): Promise<{ plan: Plan; quotas: Record<QuotaName, QuotaUse> }> {
    const { plan } = await this.#plan.get();
    return { plan, quotas: await this.#quotas.use(Date.now) };
  }

  /** Opens an event stream, the `first` in this life of its object. @throws ApiError 429 */
  async openStream(campaign: string, id: string, first: boolean): Promise<void> {
    await this.#quotas.openStream(campaign, id, first, Date.now);
  }

  /** Keeps the streams that are open or requested; gives those whose reader may not read any more. */
  async lookAtStreams(campaign: string, open: { id: string; reader: Reader }[], asked: string[]): Promise<string[]> {
    const ids = open.map(({ id }) => id);
    this.#quotas.keepStreams(campaign, ids, asked, Date.now());
    const may = await Promise.all(open.map(({ reader }) => this.mayStay(reader)));
    return ids.filter((_, n) => !may[n]);
  }

  async closeStreams(ids: string[]): Promise<void> {
    this.#quotas.closeStreams(ids);
  }

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

  async beginAppend(campaign: string): Promise<void> {
    await this.#quotas.beginAppend(campaign, Date.now);
  }

  async endAppend(campaign: string): Promise<void> {
    this.#quotas.endAppend(campaign);
  }

  /** A campaign that had ended is open again. @throws ApiError 403 where it is one too many */
  async reopenCampaign(campaign: string): Promise<void> {
    await this.#quotas.openCampaign(campaign, Date.now);
  }

  async campaignEnded(campaign: string): Promise<void> {
    this.#quotas.campaignEnded(campaign);
  }

  /** The session is over from the next request on; `expiresAt` (ms) is when its token would have expired. */
  async endSession(id: string, expiresAt: number): Promise<void> {
    this.#ledgers.open().sessions.end(id, expiresAt, Date.now());
  }

  /** Whether a password may be tried now, before it is looked at; null where failures are not counted. */
  async trySignIn(pair: SignInPair | null): Promise<SignInChance> {
    return this.#signIns.begin(pair);
  }

  async signInTried(pair: SignInPair, right: boolean): Promise<number> {
    return this.#signIns.end(pair, right);
  }

  async changePassword(change: PasswordChange, author: Author): Promise<PasswordOutcome> {
    // Its own writes do not go round by the object's address.
    const database = { run: directly(this.env.DB), configure: (batch: ConfigurationBatch) => this.configure(batch) };
    const store = new AccountStore(database, this.#account, author);
    const sessions = () => this.#ledgers.open().sessions;
    return changePassword({ store, sessions, entrance: this.#entrance }, change);
  }

  async lease(callId: string, rings: number | null): Promise<Admission> {
    return this.#calls.lease(callId, rings);
  }

  async exchange(exchange: LeaseExchange): Promise<Admission> {
    return this.#calls.exchange(exchange);
  }

  async answered(callId: string): Promise<void> {
    await this.#calls.answered(callId);
  }

  async askSoon(callId: string): Promise<void> {
    await this.#calls.askSoon(callId);
  }

  async hangUpAgain(callId: string): Promise<void> {
    await this.#calls.hangUpAgain(callId);
  }

  async release(callIds: string[]): Promise<void> {
    await this.#calls.release(callIds);
  }

  async refund(callIds: string[]): Promise<void> {
    await this.#calls.refund(callIds);
  }

  async usage(): Promise<CallUsage> {
    return this.#calls.usage();
  }

  override async alarm(): Promise<void> {
    await this.#calls.round();
  }
}
