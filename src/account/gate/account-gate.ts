import pMap from "p-map";
import { AccountStore, type Author } from "../../kernel/db/account-store.ts";
import { type ConfigurationBatch, type ConfigurationOutcome, directly } from "../../kernel/db/batch.ts";
import { LookUps } from "../../kernel/db/look-ups.ts";
import { OPERATOR_ACCOUNT } from "../../kernel/db/schema/index.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { InTurn } from "../../kernel/durable/in-turn.ts";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import { accountEvents, accountGate, accountMeter, accountOf } from "../../kernel/durable/objects.ts";
import type { OperatorPass, Pass, Reader, Session } from "../../kernel/http/pass.ts";
import { logError } from "../../kernel/log.ts";
import { ObservedObject } from "../../kernel/observing/observed-object.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { HOUR_MS } from "../../kernel/time.ts";
import { afterTimeout } from "../../kernel/time-limit.ts";
import type { Plan } from "../../phone/call-limits/plans.ts";
import { PREVIEWS_AN_HOUR } from "../../phone/voices/contract.ts";
import { deliverPending, type PendingLeft } from "../../records/events/pending-events.ts";
import { PlanInForce } from "../plan/plan-in-force.ts";
import type { QuotaName, QuotaUse } from "../plan/quotas.ts";
import type { AccountQuotas } from "./account-quotas.ts";
import { CatalogueVersion } from "./catalogue-version.ts";
import { ConfigurationWrites } from "./configuration-writes.ts";
import type { Decision, Taken } from "./confirmation-ledger.ts";
import { type Confirmation, type ConfirmationRequest, GateConfirmations, type TakingRequest } from "./confirmations.ts";
import {
  ConsoleSessions,
  type JoinOutcome,
  type OwnSession,
  type RefreshOutcome,
  type RefreshRequest,
  type SessionTerms,
} from "./console-sessions.ts";
import { Entrance, type Entry } from "./entrance.ts";
import type { JoinedSession } from "./joined-sessions.ts";
import { Ledgers } from "./ledgers.ts";
import { readListing } from "./listing.ts";
import { changePassword, type PasswordChange, type PasswordOutcome } from "./password-change.ts";
import { Push } from "./push.ts";
import { FAMILY_KEPT_MS, type NewSession } from "./session-families.ts";
import type { GateAccess } from "./session-ledger.ts";
import type { SignInPair } from "./sign-in-ledger.ts";
import type { Ticket } from "./sign-in-tickets.ts";
import { type SignInChance, type SignInResult, SignIns } from "./sign-ins.ts";
import { VoicePreviews } from "./voice-previews.ts";

/** Other accounts' gates notified of ended sessions at a time. */
const GATES_AT_ONCE = 6;
/** When to look again at events that only another release knows, ms. */
const FOREIGN_AGAIN_MS = HOUR_MS;

/**
 * One object per account, named by it, and the one door of the account: it answers whether somebody may come in now, and
 * which version of its configuration is the present one. What changes these answers is written through it, so that a
 * change holds from the very next request on, everywhere. It writes with configuration and sign-ins only: what is written
 * often is the meter's.
 */
export class AccountGate extends ObservedObject<Env> {
  readonly #account = accountOf(this.ctx);
  readonly #lookUps = new LookUps(this.env.DB);
  readonly #plan = new PlanInForce(this.#account, this.#lookUps);
  readonly #report = (error: unknown): void => logError("account gate", error);
  readonly #ledgers = new Ledgers({
    storage: this.ctx.storage,
    plan: this.#plan,
    readListing: () => readListing(this.#store({ actor: "system:quotas", request_id: "" })),
  });
  readonly #entrance = new Entrance({
    account: this.#account,
    lookUps: this.#lookUps,
    sessions: () => this.#ledgers.existing?.sessions ?? null,
    // Operators reach every account.
    secondFactorRequired: this.#account === OPERATOR_ACCOUNT && this.env.OPERATOR_SECOND_FACTOR !== "off",
    keyLimit: this.env.RATE_LIMITS === "off" ? null : Number(this.env.KEY_RATE_LIMIT),
  });
  readonly #signIns = new SignIns({
    existing: () => this.#ledgers.existing?.signIns ?? null,
    open: () => this.#ledgers.open().signIns,
  });
  readonly #consoleSessions = new ConsoleSessions({
    entrance: this.#entrance,
    existing: () => this.#ledgers.existing?.sessions ?? null,
    open: () => this.#ledgers.open().sessions,
    ended: () => this.accessChanged(),
    endElsewhere: async (joined) => {
      await pMap(joined, ({ account, id, endsAt }) => accountGate(this.env, account).endSession(id, endsAt), {
        concurrency: GATES_AT_ONCE,
      });
    },
  });
  readonly #confirmations = new GateConfirmations({
    entrance: this.#entrance,
    arm: () => this.frame.arm(),
    existing: () => this.#ledgers.existing?.confirmations ?? null,
    open: () => this.#ledgers.open().confirmations,
    clock: Date.now,
  });
  /** Has the meter judge all live holders again. A gate that dies before has another stamp in its next life. */
  readonly #accessPush = this.#push(async () => {
    await accountMeter(this.env, this.#account).accessChanged();
    return null;
  });
  readonly #eventPush = this.#push(() => this.#deliverEvents());
  readonly #webhookPush = this.#push(async () => {
    await accountEvents(this.env, this.#account).webhooksChanged();
    return null;
  });
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    // Most gates store nothing but their alarm.
    holds: () => true,
    build: () => ({
      access: this.#accessPush,
      events: this.#eventPush,
      webhooks: this.#webhookPush,
      confirmations: this.#confirmations,
    }),
    parts: (all) => all,
    report: (error, context) => logError("account gate", error, context),
  });
  /** One after the other: of two by the same session the one that fails must not undo what keeps the session. */
  readonly #passwordChanges = new InTurn();
  /** Counts changes of who may come in that are no writes of configuration. */
  #otherChanges = 0;
  #meterIsAwake = false;
  readonly #version = new CatalogueVersion(this.ctx.storage.kv, crypto.randomUUID(), afterTimeout);
  readonly #voicePreviews = new VoicePreviews(this.ctx.storage.kv, PREVIEWS_AN_HOUR);
  readonly #writes = new ConfigurationWrites({
    account: this.#account,
    database: directly(this.env.DB),
    version: this.#version,
    entrance: this.#entrance,
    signIns: this.#signIns,
    plan: this.#plan,
    planChanged: () => this.#planChanged(),
    accessChanged: () => this.#pushAccess(),
    // A meter that is not reached reads them again within a minute.
    budgetsChanged: () => accountMeter(this.env, this.#account).budgetsChanged().catch(this.#report),
    expectEvents: () => this.#eventPush.expect(),
    pushEvents: () => this.ctx.waitUntil(this.#eventPush.push()),
    expectWebhooks: () => this.#webhookPush.expect(),
    pushWebhooks: () => this.#webhookPush.push(),
  });

  #push(deliver: () => Promise<number | null>): Push {
    return new Push({ deliver, arm: () => this.frame.arm(), report: this.#report });
  }

  /** Brings pending events to the account's sequence; returns when (ms) to look again, null for never. */
  async #deliverEvents(): Promise<number | null> {
    const run = directly(this.env.DB);
    const configure = async ({ statements }: ConfigurationBatch) => ({ results: await run(statements) });
    const store = new AccountStore({ run, configure }, this.#account, { actor: "system:events", request_id: "" });
    let left: PendingLeft = "more";
    while (left === "more")
      left = await deliverPending(store, (events) => accountEvents(this.env, this.#account).take(events));
    if (left === "nothing") return null;
    this.#report(new Error("events of types that only another release knows are left to it"));
    return Date.now() + FOREIGN_AGAIN_MS;
  }

  /** The meter reads the plan for itself, every 30 s anyway: one that is not reached keeps it no longer. */
  async #planChanged(): Promise<void> {
    this.#plan.invalidate();
    await accountMeter(this.env, this.#account).planChanged().catch(this.#report);
  }

  /** Runs in the background: no request waits until the meter has closed what may not stay. */
  #pushAccess(): void {
    this.ctx.waitUntil(this.#accessPush.push());
  }

  /** Once in the gate's life: after a crash of both nothing else wakes a meter whose alarm was lost. */
  #wakeMeter(): void {
    if (this.#meterIsAwake) return;
    this.#meterIsAwake = true;
    accountMeter(this.env, this.#account).wake().catch(this.#report);
  }

  get #quotas(): AccountQuotas {
    return this.#ledgers.open().quotas;
  }

  #store(author: Author): AccountStore {
    return accountStore(this.env, this.#account, author);
  }

  /** Admits one request, and returns the version of the configuration that may answer it. */
  async enter(pass: Pass | OperatorPass, address: string): Promise<Entry> {
    const entry = await this.#entrance.enter(pass, address, Date.now);
    if (entry.outcome === "ok") this.#wakeMeter();
    return entry.outcome === "ok" ? { ...entry, version: this.#version.at(Date.now()) } : entry;
  }

  /** Whether an admitted reader may stay. */
  async mayStay(reader: Reader): Promise<boolean> {
    return (await this.authorityOfReader(reader)) !== null;
  }

  /** The authority of an admitted reader; null if they may not stay. */
  async authorityOfReader(reader: Reader): Promise<Authority | null> {
    return this.#entrance.authorityOfReader(reader, Date.now());
  }

  async configure(batch: ConfigurationBatch): Promise<ConfigurationOutcome> {
    return this.#writes.configure(batch);
  }

  /** The plan, its quotas and how much of each is used, for GET /quotas. */
  async quotas(): Promise<{ plan: Plan; quotas: Record<QuotaName, QuotaUse> }> {
    const { plan } = await this.#plan.get();
    return { plan, quotas: await this.#quotas.use(Date.now) };
  }

  /** Opens a campaign, a new one or one again. @throws ApiError 403 if it is one too many */
  async openCampaign(campaign: string): Promise<void> {
    await this.#quotas.openCampaign(campaign, Date.now);
  }

  /** A campaign that was being created is listed now, or gone. */
  async campaignListed(campaign: string): Promise<void> {
    await this.#quotas.campaignListed(campaign);
  }

  async campaignEnded(campaign: string): Promise<void> {
    this.#quotas.campaignEnded(campaign);
  }

  /**
   * Returns what live leases are judged by: a stamp that changes with every change of access, null while one is under
   * way; and what only the gate knows about these sessions.
   */
  async accessOf(sessions: string[]): Promise<GateAccess> {
    const version = this.#version.at(Date.now());
    const stamp = version === null ? null : `${version}.${this.#otherChanges}`;
    const outlived = this.#ledgers.existing?.sessions.outlivedOf(sessions) ?? {};
    return { stamp, sessions: { ended: await this.#entrance.endedOf(sessions, Date.now()), outlived } };
  }

  /** A session or a visitor's sign-in ended: has the meter close what is live through it. */
  async accessChanged(): Promise<void> {
    this.#otherChanges++;
    this.#pushAccess();
  }

  /** The session is over from the next request on; `expiresAt` (ms) is when its token would have expired. */
  async endSession(id: string, expiresAt: number): Promise<void> {
    const now = Date.now();
    this.#ledgers.open().sessions.end(id, now, Math.max(expiresAt, now + FAMILY_KEPT_MS));
    await this.accessChanged();
  }

  /** Begins a renewable session for an authenticated user; null if their ticket is spent. */
  async beginSession(session: NewSession, ticket: Ticket | null): Promise<SessionTerms | null> {
    if (ticket && !this.#ledgers.open().tickets.spend(ticket, Date.now())) return null;
    return this.#consoleSessions.begin(session);
  }

  /** Counts one more try at the code that a sign-in waits for; false if none is left. */
  async tryTicket(ticket: Ticket): Promise<boolean> {
    return this.#ledgers.open().tickets.try(ticket, Date.now());
  }

  /** These sessions of the user, or all, have shown a second factor, or do not count as having shown one any more. */
  async setSecondFactor(user: string, sessions: string[] | "all", shown: boolean): Promise<void> {
    await this.#consoleSessions.setSecondFactor(user, sessions, shown);
  }

  /** Remembers the address: the user signed in from it or proved their identity by a link. */
  async addressProved(pair: SignInPair): Promise<void> {
    this.#ledgers.open().signIns.succeeded(pair, Date.now());
  }

  /** Renews a session by its refresh token; one that is spent ends it. */
  async refreshSession(request: RefreshRequest): Promise<RefreshOutcome> {
    return this.#consoleSessions.refresh(request);
  }

  /** Joins a session of another account to one of the user's. */
  async joinSession(session: { id: string; user: string }, other: JoinedSession): Promise<JoinOutcome> {
    return this.#consoleSessions.join(session, other);
  }

  /** Whether a session goes on that is used, or renewed, with one that it is joined to. */
  async sessionGoesOn(session: Session, how: "used" | "renewed"): Promise<boolean> {
    return this.#consoleSessions.goesOn(session, how);
  }

  /** When each user was last seen in a session that is not long over, ms. */
  async lastSeen(): Promise<Map<string, number>> {
    return this.#ledgers.existing?.sessions.families.lastSeen() ?? new Map();
  }

  async ownSessions(user: string): Promise<OwnSession[]> {
    return this.#consoleSessions.list(user);
  }

  /** Ends a session of the user from the next request on; false if there is none. */
  async endOwnSession(user: string, id: string): Promise<boolean> {
    return this.#consoleSessions.end(user, id);
  }

  /** Whether a password may be tried now, checked before the password is; null if failures are not counted. */
  async trySignIn(pair: SignInPair | null): Promise<SignInChance> {
    return this.#signIns.begin(pair);
  }

  async signInTried(pair: SignInPair, result: SignInResult): Promise<number> {
    return this.#signIns.end(pair, result);
  }

  async changePassword(change: PasswordChange, author: Author): Promise<PasswordOutcome> {
    // Its own writes do not go round by the object's address.
    const database = { run: directly(this.env.DB), configure: (batch: ConfigurationBatch) => this.configure(batch) };
    const store = new AccountStore(database, this.#account, author);
    const sessions = () => this.#ledgers.open().sessions;
    return this.#passwordChanges.run(() => changePassword({ store, sessions, entrance: this.#entrance }, change));
  }

  /** Counts one preview of a voice; returns the ms until there is room if it is one too many, else 0. */
  async countVoicePreview(): Promise<number> {
    return this.#voicePreviews.count(Date.now());
  }

  /** An act of an API key waits for its confirmation, until when (ms); null if the key is not good any more. */
  async requestConfirmation(request: ConfirmationRequest): Promise<number | null> {
    return this.#confirmations.add(request);
  }

  /** Whether an act is confirmed, once. */
  async takeConfirmation(request: TakingRequest): Promise<Taken> {
    return this.#confirmations.take(request);
  }

  async confirmation(id: string): Promise<Confirmation | null> {
    return this.#confirmations.get(id);
  }

  /** A member approves or declines; null if there is nothing to confirm. */
  async decideConfirmation(id: string, decision: Decision, member: string): Promise<Confirmation | null> {
    return this.#confirmations.decide(id, decision, member);
  }

  /** Deletes confirmations about a phone number (E.164); returns how many rows there were. */
  async eraseNumber(number: string): Promise<number> {
    return this.#confirmations.erase(number);
  }
}
