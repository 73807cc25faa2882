import pMap from "p-map";
import { AccountStore, type Author } from "../../kernel/db/account-store.ts";
import type { ConfigurationBatch, ConfigurationOutcome } from "../../kernel/db/batch.ts";
import { LookUps } from "../../kernel/db/look-ups.ts";
import { OPERATOR_ACCOUNT } from "../../kernel/db/schema/index.ts";
import { accountStore, drizzleOn } from "../../kernel/durable/account-stores.ts";
import { InTurn } from "../../kernel/durable/in-turn.ts";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import { accountEvents, accountGate, accountMeter, accountOf } from "../../kernel/durable/objects.ts";
import type { Credential, OperatorCredential, Reader, Session } from "../../kernel/http/credential.ts";
import { logError } from "../../kernel/log.ts";
import { directly } from "../../kernel/observing/observed-d1.ts";
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
import type { EndingSession, JoinedSession } from "./joined-sessions.ts";
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

/** The number of other accounts' gates that are notified of ended sessions at a time. */
const GATES_AT_ONCE = 6;
/** The retry delay for events that only another release can deliver, ms. */
const FOREIGN_AGAIN_MS = HOUR_MS;

/**
 * The gate of an account. It decides whether a request is admitted, and which version of the account's configuration is
 * current. Everything that affects these decisions is written through it, so that a change applies everywhere from the
 * next request on. It stores only configuration and sign-ins; the meter stores what changes often.
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
    // Operators can reach every account.
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
    expectEnds: () => this.#joinedPush.expect(),
    endElsewhere: () => this.#joinedPush.push(),
  });
  readonly #confirmations = new GateConfirmations({
    entrance: this.#entrance,
    arm: () => this.frame.arm(),
    existing: () => this.#ledgers.existing?.confirmations ?? null,
    open: () => this.#ledgers.open().confirmations,
    clock: Date.now,
  });
  /**
   * Makes the meter check all live holders again. If the gate restarts before that, its new instance has another stamp,
   * which has the same effect.
   */
  readonly #accessPush = this.#push(async () => {
    await accountMeter(this.env, this.#account).accessChanged();
    return null;
  });
  readonly #eventPush = this.#push(() => this.#deliverEvents());
  readonly #webhookPush = this.#push(async () => {
    await accountEvents(this.env, this.#account).webhooksChanged();
    return null;
  });
  readonly #joinedPush = this.#push(
    () => this.#endJoined(),
    () => this.#endingJoined.length > 0,
  );
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    // Most gates store nothing but their alarm.
    holds: () => true,
    build: () => ({
      access: this.#accessPush,
      events: this.#eventPush,
      webhooks: this.#webhookPush,
      joined: this.#joinedPush,
      confirmations: this.#confirmations,
    }),
    parts: (all) => all,
    report: (error, context) => logError("account gate", error, context),
  });
  /**
   * Password changes run one at a time. If one of two changes by the same session fails, it must not undo what keeps
   * the session alive.
   */
  readonly #passwordChanges = new InTurn();
  /** Counts changes of access that are not writes of configuration. */
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
    // If the meter cannot be reached, it reads the budgets again within a minute.
    budgetsChanged: () => accountMeter(this.env, this.#account).budgetsChanged().catch(this.#report),
    expectEvents: () => this.#eventPush.expect(),
    pushEvents: () => this.ctx.waitUntil(this.#eventPush.push()),
    expectWebhooks: () => this.#webhookPush.expect(),
    pushWebhooks: () => this.#webhookPush.push(),
  });

  #push(deliver: () => Promise<number | null>, owes = () => this.#version.wasCutOff): Push {
    return new Push({ deliver, owes, arm: () => this.frame.arm(), report: this.#report });
  }

  /** Delivers pending events to the account's sequence. Returns when (ms) to check again; null if there is no need. */
  async #deliverEvents(): Promise<number | null> {
    const run = directly(this.env.DB);
    const configure = async ({ statements }: ConfigurationBatch) => ({ results: await run(statements) });
    const store = new AccountStore({ db: drizzleOn(this.env.DB), configure }, this.#account, {
      actor: "system:events",
      request_id: "",
    });
    let left: PendingLeft = "more";
    while (left === "more")
      left = await deliverPending(store, (events) => accountEvents(this.env, this.#account).take(events));
    if (left === "nothing") return null;
    this.#report(new Error("events of types that only another release knows are left to it"));
    return Date.now() + FOREIGN_AGAIN_MS;
  }

  /** Ends the sessions of other accounts that were joined to an ended one. A gate that fails does not delay the others. */
  async #endJoined(): Promise<null> {
    const failures: unknown[] = [];
    const end = async (one: EndingSession) => {
      await accountGate(this.env, one.account).endSession(one.id, one.endsAt);
      this.#ledgers.open().sessions.families.joined.ended(one);
    };
    await pMap(this.#endingJoined, (one) => end(one).catch((error: unknown) => failures.push(error)), {
      concurrency: GATES_AT_ONCE,
    });
    if (failures.length > 0) throw failures[0];
    return null;
  }

  get #endingJoined(): EndingSession[] {
    return this.#ledgers.existing?.sessions.families.joined.ending(Date.now()) ?? [];
  }

  /** Makes the meter read the plan. A meter that cannot be reached still reads it every 30 s. */
  async #planChanged(): Promise<void> {
    this.#plan.invalidate();
    await accountMeter(this.env, this.#account).planChanged().catch(this.#report);
  }

  /** Runs in the background, so that no request waits until the meter has closed everything that lost access. */
  #pushAccess(): void {
    this.ctx.waitUntil(this.#accessPush.push());
  }

  /** Runs once per instance of the gate: if both objects crashed, nothing else wakes a meter whose alarm was lost. */
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

  /** Admits a request, and returns the configuration's version, with which cached responses must agree. */
  async enter(credential: Credential | OperatorCredential, address: string): Promise<Entry> {
    const entry = await this.#entrance.enter(credential, address, Date.now);
    if (entry.outcome === "ok") this.#wakeMeter();
    return entry.outcome === "ok" ? { ...entry, version: this.#version.at(Date.now()) } : entry;
  }

  async mayStay(reader: Reader): Promise<boolean> {
    return (await this.authorityOfReader(reader)) !== null;
  }

  /** Returns the authority of an admitted reader; null if the reader has lost access. */
  async authorityOfReader(reader: Reader): Promise<Authority | null> {
    return this.#entrance.authorityOfReader(reader, Date.now());
  }

  async configure(batch: ConfigurationBatch): Promise<ConfigurationOutcome> {
    return this.#writes.configure(batch);
  }

  async quotas(): Promise<{ plan: Plan; quotas: Record<QuotaName, QuotaUse> }> {
    const { plan } = await this.#plan.get();
    return { plan, quotas: await this.#quotas.use(Date.now) };
  }

  /** Counts a new or reopened campaign as open. @throws ApiError 403 if the quota is reached */
  async openCampaign(campaign: string): Promise<void> {
    await this.#quotas.openCampaign(campaign, Date.now);
  }

  /** Releases the reservation of a campaign that was being created, because D1 now lists it or it is gone. */
  async campaignListed(campaign: string): Promise<void> {
    await this.#quotas.campaignListed(campaign);
  }

  async campaignEnded(campaign: string): Promise<void> {
    this.#quotas.campaignEnded(campaign);
  }

  /**
   * Returns what live leases are checked against: the gate's knowledge of these sessions, and a stamp that changes with
   * every change of access. The stamp is null during a change.
   */
  async accessOf(sessions: string[]): Promise<GateAccess> {
    const version = this.#version.at(Date.now());
    const stamp = version === null ? null : `${version}.${this.#otherChanges}`;
    const outlived = this.#ledgers.existing?.sessions.outlivedOf(sessions) ?? {};
    return { stamp, sessions: { ended: await this.#entrance.endedOf(sessions, Date.now()), outlived } };
  }

  /** Makes the meter close everything that is live through a session or a visitor's sign-in that has ended. */
  async accessChanged(): Promise<void> {
    this.#otherChanges++;
    this.#pushAccess();
  }

  /** Ends the session from the next request on. `expiresAt` (ms) is when its token would have expired. */
  async endSession(id: string, expiresAt: number): Promise<void> {
    const now = Date.now();
    const { sessions } = this.#ledgers.open();
    sessions.end(id, now, Math.max(expiresAt, now + FAMILY_KEPT_MS));
    // A sign-out has ended the others before, and ending a joined session does not end what is joined to it.
    sessions.families.joined.delete(id);
    await this.accessChanged();
  }

  /** Begins a renewable session for an authenticated user; null if the ticket has already been spent. */
  async beginSession(session: NewSession, ticket: Ticket | null): Promise<SessionTerms | null> {
    if (ticket && !this.#ledgers.open().tickets.spend(ticket, Date.now())) return null;
    return this.#consoleSessions.begin(session);
  }

  /** Counts an attempt to enter the code for which a sign-in waits; false if no attempts are left. */
  async tryTicket(ticket: Ticket): Promise<boolean> {
    return this.#ledgers.open().tickets.try(ticket, Date.now());
  }

  async setSecondFactor(user: string, sessions: string[] | "all", shown: boolean): Promise<void> {
    await this.#consoleSessions.setSecondFactor(user, sessions, shown);
  }

  /** Remembers that the user signed in from the address, or proved their identity there through a link. */
  async addressProved(pair: SignInPair): Promise<void> {
    this.#ledgers.open().signIns.succeeded(pair, Date.now());
  }

  /** Renews a session with its refresh token. If the token was used before, the session ends. */
  async refreshSession(request: RefreshRequest): Promise<RefreshOutcome> {
    return this.#consoleSessions.refresh(request);
  }

  async joinSession(session: { id: string; user: string }, other: JoinedSession): Promise<JoinOutcome> {
    return this.#consoleSessions.join(session, other);
  }

  async sessionGoesOn(session: Session, how: "used" | "renewed"): Promise<boolean> {
    return this.#consoleSessions.goesOn(session, how);
  }

  /** Returns when (ms) each user was last seen, in sessions that are current or ended recently. */
  async lastSeen(): Promise<Map<string, number>> {
    return this.#ledgers.existing?.sessions.families.lastSeen() ?? new Map();
  }

  async ownSessions(user: string): Promise<OwnSession[]> {
    return this.#consoleSessions.list(user);
  }

  /** Ends a session of the user from the next request on; false if there is no such session. */
  async endOwnSession(user: string, id: string): Promise<boolean> {
    return this.#consoleSessions.end(user, id);
  }

  /**
   * Checks whether a password may be tried now, before the password itself is checked. A null pair means that failures
   * are not counted.
   */
  async trySignIn(pair: SignInPair | null): Promise<SignInChance> {
    return this.#signIns.begin(pair);
  }

  async signInTried(pair: SignInPair, result: SignInResult): Promise<number> {
    return this.#signIns.end(pair, result);
  }

  async changePassword(change: PasswordChange, author: Author): Promise<PasswordOutcome> {
    // The gate writes directly, not through the object's stub.
    const configure = (batch: ConfigurationBatch) => this.configure(batch);
    const database = { db: drizzleOn(this.env.DB), configure };
    const store = new AccountStore(database, this.#account, author);
    const sessions = () => this.#ledgers.open().sessions;
    return this.#passwordChanges.run(() => changePassword({ store, sessions, entrance: this.#entrance }, change));
  }

  /** Counts a preview of a voice. Returns 0, or how long (ms) to wait if the limit is reached. */
  async countVoicePreview(): Promise<number> {
    return this.#voicePreviews.count(Date.now());
  }

  /**
   * Stores an act of an API key for confirmation. Returns when (ms) the confirmation expires; null if the key is no
   * longer valid.
   */
  async requestConfirmation(request: ConfirmationRequest): Promise<number | null> {
    return this.#confirmations.add(request);
  }

  /** Takes the confirmation of an act, which is possible once. */
  async takeConfirmation(request: TakingRequest): Promise<Taken> {
    return this.#confirmations.take(request);
  }

  async confirmation(id: string): Promise<Confirmation | null> {
    return this.#confirmations.get(id);
  }

  async decideConfirmation(id: string, decision: Decision, member: string): Promise<Confirmation | null> {
    return this.#confirmations.decide(id, decision, member);
  }

  /** Deletes the confirmations that contain a phone number (E.164), and returns how many there were. */
  async eraseNumber(number: string): Promise<number> {
    return this.#confirmations.erase(number);
  }
}
