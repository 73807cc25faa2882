import type { ObjectRestore } from "../kernel/backup/object-copy.ts";
import type { Act, Author } from "../kernel/db/account-store.ts";
import { accountStore } from "../kernel/durable/account-stores.ts";
import { ObjectFrame } from "../kernel/durable/object-frame.ts";
import { accountEvents, accountMeter, campaignOf } from "../kernel/durable/objects.ts";
import type { Reader } from "../kernel/http/credential.ts";
import { ApiError, notFound } from "../kernel/http/errors.ts";
import { logError } from "../kernel/log.ts";
import { ObservedObject } from "../kernel/observing/observed-object.ts";
import type { AgentIds } from "../kernel/scopes.ts";
import { EventHub } from "../kernel/streams/event-hub.ts";
import { OpenStreams } from "../kernel/streams/open-streams.ts";
import type { CallReport, TakenReport } from "../phone/calls/call-report.ts";
import type { CallSession } from "../phone/calls/call-session.ts";
import { requestedMessage } from "../phone/calls/live/voicemail.ts";
import { voicemailTimeoutMs } from "../phone/calls/voicemail.ts";
import type { SpokenMessage } from "../phone/carriers/carrier.ts";
import type { ValuedState } from "../records/analysis/analysis.ts";
import type { HeldAnalysis } from "../records/analysis/brief.ts";
import { Ledger } from "../records/ledger/ledger.ts";
import type { CampaignContext } from "./context.ts";
import type { AttemptRecord, CampaignRecord, ContactRecord } from "./contract.ts";
import type { Operation, Outcome } from "./decide/state.ts";
import { takeReport } from "./dial/call-reports.ts";
import { callSession } from "./dial/call-session.ts";
import { dialDependencies } from "./dial/dependencies.ts";
import { Dispatcher } from "./dial/dispatcher.ts";
import { hangUp } from "./dial/hang-up.ts";
import { whyWaiting } from "./dial/why-waiting.ts";
import { CampaignGuard } from "./guard.ts";
import { type Appended, ContactAppend } from "./import/append.ts";
import type { Upload } from "./import/read-list.ts";
import { IMPORT_WATCH_MS } from "./import/watch.ts";
import { AS_IT_IS, type Expected } from "./object/apply-operation.ts";
import { type CampaignCursor, type CampaignPage, readCampaign } from "./object/backup.ts";
import { changeContact } from "./object/change-contact.ts";
import { cloneCampaign, type Imported, importCampaign } from "./object/create.ts";
import { type ErasedPiece, erasePerson, type PersonErasure } from "./object/erase-person.ts";
import { openEvents } from "./object/open-events.ts";
import { operateCampaign } from "./object/operate.ts";
import { publish } from "./object/publish.ts";
import { removeCampaign } from "./object/remove.ts";
import { restoreCampaign } from "./object/restore.ts";
import { updateCampaign } from "./object/update.ts";
import { upkeepPart } from "./object/upkeep.ts";
import { campaignOutbox } from "./outbox/campaign-outbox.ts";
import { type LineReport, lineReportOf } from "./outbox/line-report.ts";
import { planOf } from "./plan/plan.ts";
import type { CampaignPlan } from "./plan-contract.ts";
import { type RevisedCampaign, revisedCampaign } from "./projection.ts";
import { QuotaClaims } from "./quota-claims.ts";
import { cancelContact } from "./repair/cancel.ts";
import type { CloneOrder, Original } from "./repair/clone.ts";
import { choiceCounts, contactsToCopy, noteClone, originalOf } from "./repair/copy.ts";
import { type Correction, correctContact } from "./repair/correct.ts";
import type { Choice, ChoiceCounts } from "./repair/outcomes.ts";
import { Redials } from "./repair/redials.ts";
import type { SettingsPatch } from "./settings.ts";
import type { HeldConversation } from "./store/attempt-row.ts";
import { CampaignStore } from "./store/campaign-store.ts";
import type { CopiedContacts } from "./store/repairs.ts";
import {
  type ContactList,
  type ContactQuery,
  type ContactSearch,
  contactWithCalls,
  listContacts,
} from "./streams/contact-list.ts";
import { DOWNLOADS } from "./streams/downloads.ts";
import { eventSource } from "./streams/event-source.ts";

/**
 * The object of one campaign, named `account/campaignId`. It owns the campaign's contacts, calls and history, dials
 * from its alarm and sends its events. This class only wires the parts: the store holds the state, the dispatcher does
 * the work. Refusals are thrown as ApiError.
 */
export class Campaign extends ObservedObject<Env> {
  readonly #name = campaignOf(this.ctx);
  readonly #report = (error: unknown, context?: { part: string }) =>
    logError("campaign", error, Object.assign({ campaign: this.#name.id }, context));
  readonly #wake = (at = 0): Promise<void> => {
    this.#upkeep.remind(at);
    return this.frame.arm();
  };
  readonly #store: CampaignStore = new CampaignStore(
    this.ctx.storage,
    (seq) => {
      this.#hub.publish(seq).catch(this.#report);
    },
    voicemailTimeoutMs(this.env),
  );
  readonly #guard = new CampaignGuard(this.#store);
  readonly #claims = new QuotaClaims(this.env, this.#name, this.#report);
  readonly #streams: OpenStreams = new OpenStreams(this.#claims.streams, (ids) => this.#hub.end(ids), this.#report);
  readonly #hub: EventHub = new EventHub(
    eventSource(this.#store, this.#name.id, this.ctx.storage),
    this.#store.campaign.row?.seq ?? 0,
    this.#streams,
  );
  readonly #accountStore = accountStore(this.env, this.#name.account, {
    actor: `campaign:${this.#name.id}`,
    request_id: "",
  });
  readonly #owing = campaignOutbox({
    sql: this.ctx.storage.sql,
    store: this.#store,
    accountStore: this.#accountStore,
    report: (reports) => new Ledger({ env: this.env, store: this.#accountStore }).report(reports),
    take: (events) => accountEvents(this.env, this.#name.account).take(events),
    now: Date.now,
  });
  readonly #dial = dialDependencies(this.env, this.#store, this.#accountStore, () => void this.#wake());
  readonly #dispatcher = new Dispatcher(this.#store, this.#dial);
  readonly #context: CampaignContext = {
    env: this.env,
    name: this.#name,
    storage: this.ctx.storage,
    store: this.#store,
    guard: this.#guard,
    accountStore: this.#accountStore,
    outbox: this.#owing.outbox,
    listing: this.#owing.listing,
    claims: this.#claims,
    streams: this.#streams,
    hub: this.#hub,
    dial: this.#dial,
    dispatcher: this.#dispatcher,
    usage: () => accountMeter(this.env, this.#name.account).usage(),
    wake: this.#wake,
    background: (work) => this.ctx.waitUntil(work.catch(this.#report)),
    report: this.#report,
    now: Date.now,
  };
  readonly #appends = new ContactAppend(this.#store, this.#claims);
  readonly #redials = new Redials(this.#store, this.#claims);
  readonly #upkeep = upkeepPart({ ...this.#context, appends: this.#appends, redials: this.#redials });
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    holds: () => this.#store.campaign.row !== null,
    build: () => ({
      upkeep: this.#upkeep,
      end: this.#claims.endPart(this.#store),
      ledger: this.#owing.outbox.to("ledger"),
      events: this.#owing.outbox.to("events"),
      d1: this.#owing.outbox.to("d1"),
    }),
    // While the first upload is being read, nothing is reported about the campaign, because the upload may fail.
    parts: (all) => (this.#store.campaign.row?.importing ? { upkeep: all.upkeep } : all),
    report: this.#report,
  });

  async import(upload: Upload, body: ReadableStream<Uint8Array> | null): Promise<Imported> {
    return importCampaign(this.#context, { upload, body });
  }

  async clone(order: CloneOrder): Promise<CampaignRecord> {
    return cloneCampaign(this.#context, order);
  }

  /**
   * Returns the campaign if an interrupted attempt created it, otherwise null. @throws ApiError 503 while it is being
   * created
   */
  created(): CampaignRecord | null {
    const { row } = this.#store.campaign;
    if (row?.importing)
      throw new ApiError(503, "being_made", "the campaign is still being created; try again in a moment");
    return row && revisedCampaign(row);
  }

  record(agentIds: AgentIds): RevisedCampaign {
    return revisedCampaign(this.#guard.existing(agentIds));
  }

  /** @param strict refuse a start if the plan has warnings */
  async operate(
    operation: Operation,
    author: Author,
    agentIds: AgentIds,
    {
      strict = false,
      id = null,
      expected = AS_IT_IS,
    }: { strict?: boolean; id?: string | null; expected?: Expected } = {},
  ): Promise<RevisedCampaign> {
    this.#guard.existing(agentIds);
    return operateCampaign(this.#context, { operation, author, strict, id, expected });
  }

  /** @param ifMatch the required revision of the settings; null for any */
  async update(
    changes: SettingsPatch,
    author: Author,
    agentIds: AgentIds,
    ifMatch: number | null,
  ): Promise<RevisedCampaign> {
    return updateCampaign(this.#context, { changes, author, agentIds, ifMatch });
  }

  async remove(author: Author, agentIds: AgentIds): Promise<void> {
    this.#guard.existing(agentIds);
    return removeCampaign(this.#context, { author });
  }

  async plan(agentIds: AgentIds): Promise<CampaignPlan> {
    this.#guard.existing(agentIds);
    return planOf(this.#context);
  }

  async events(lastSeen: number | null, reader: Reader, agentIds: AgentIds): Promise<ReadableStream<Uint8Array>> {
    return openEvents(this.#context, { lastSeen, reader, agentIds });
  }

  /** Ends these streams, or the upload, because the account's meter no longer allows them. */
  async revoke(ids: string[], reason: string): Promise<void> {
    this.#streams.revoke(ids);
    this.#claims.revokeUpload(ids, reason);
  }

  /** Adds the contacts of an upload; its body is passed as for a new campaign. */
  async append(upload: Upload, body: ReadableStream<Uint8Array> | null): Promise<Appended> {
    this.#guard.existing(upload.agentIds);
    const watch = () => this.#wake(Date.now() + IMPORT_WATCH_MS);
    const appended = await this.#appends.append(upload, body, watch);
    await publish(this.#context);
    return appended;
  }

  async correct(id: string, correction: Correction, author: Author, agentIds: AgentIds): Promise<ContactRecord> {
    this.#guard.existing(agentIds);
    const change = () => correctContact(this.#context, { id, correction, author });
    return changeContact(this.#context, { id, change });
  }

  async cancel(id: string, author: Author, agentIds: AgentIds, operation: string | null): Promise<ContactRecord> {
    this.#guard.existing(agentIds);
    const change = () => cancelContact(this.#context, { id, author, operation });
    return changeContact(this.#context, { id, change });
  }

  /**
   * Makes failed contacts pending again, in the background if there are many. Returns how many. @throws ApiError 403,
   * 404, 409
   */
  async redial(
    outcomes: Outcome[],
    author: Author,
    agentIds: AgentIds,
    operation: string | null,
  ): Promise<{ contacts: number }> {
    this.#guard.existing(agentIds);
    const contacts = await this.#redials.redial(outcomes, author, Date.now, this.#wake, operation);
    if (contacts > 0) await publish(this.#context);
    return { contacts };
  }

  /** Returns the data from which a clone of the campaign is created. @throws ApiError 404, 409 */
  original(agentIds: AgentIds): Original {
    return originalOf(this.#guard.existing(agentIds));
  }

  /** Writes to the audit log that the campaign is being cloned. */
  async cloned(author: Author): Promise<void> {
    this.#guard.existing();
    noteClone(this.#store, author, Date.now());
    await this.#wake();
  }

  copy(after: number, choices: Choice[] | null): CopiedContacts {
    this.#guard.existing();
    return contactsToCopy(this.#store, after, choices);
  }

  /** Returns the number of contacts for each choice. @throws ApiError 404 */
  outcomes(agentIds: AgentIds): ChoiceCounts {
    this.#guard.existing(agentIds);
    return choiceCounts(this.#store);
  }

  /** Returns a page of contacts; null if the campaign was deleted, which ends a page that is being streamed. */
  contacts(query: ContactQuery, agentIds: AgentIds): ContactList | null {
    return this.#guard.has(agentIds) ? listContacts(this.#store, query) : null;
  }

  async contact(
    id: string,
    agentIds: AgentIds,
    states?: readonly ValuedState[],
  ): Promise<ContactRecord & { attempts: AttemptRecord[]; waiting_for: string | null }> {
    if (!this.#guard.has(agentIds)) throw notFound("contact");
    const found = contactWithCalls(this.#store, id, states);
    if (!found) throw notFound("contact");
    return { ...found.record, waiting_for: await whyWaiting(this.#context, found.contact) };
  }

  /** Returns a file of the campaign as a stream. The filter applies only to the file of contacts. */
  download(file: keyof typeof DOWNLOADS, agentIds: AgentIds, filter: ContactSearch = {}): ReadableStream<Uint8Array> {
    this.#guard.existing(agentIds);
    return DOWNLOADS[file](this.#store, filter);
  }

  async callEvents(report: CallReport): Promise<TakenReport> {
    return takeReport(this.#context, report);
  }

  async machineMessage(callId: string): Promise<SpokenMessage | null> {
    const attempt = this.#store.campaign.row && this.#store.attempts.get(callId);
    if (!attempt) return null;
    const call = { message: attempt.message, over: attempt.state === "ended" };
    return requestedMessage(call, () => this.#context.dial.machineMessage(attempt));
  }

  async session(callId: string): Promise<CallSession | null> {
    return callSession(this.#store, callId);
  }

  async conversation(callId: string, held: HeldConversation): Promise<void> {
    if (this.#store.campaign.row) this.#store.attempts.update(callId, held);
  }

  async analyzed(callId: string, conversationId: string, analysis: HeldAnalysis | null): Promise<void> {
    if (this.#store.campaign.row) this.#store.attempts.analyzed(callId, conversationId, analysis);
  }

  /** Removes the conversations held on these calls and their dispositions. */
  async unlinkConversations(callIds: string[]): Promise<void> {
    if (this.#store.campaign.row) this.#store.attempts.unlinkConversations(callIds);
  }

  /** Erases a person in bounded steps. Call it until it is `done`; nothing is counted twice. */
  async erasePerson(order: PersonErasure): Promise<ErasedPiece> {
    return erasePerson(this.#context, order);
  }

  async hangUp(callId: string, act: Act | null): Promise<boolean> {
    return hangUp(this.#context, { callId, act });
  }

  /** Returns the report of a call for a ledger that lacks it; null if the campaign has no such call. */
  lineReport(callId: string): LineReport | null {
    return lineReportOf(this.#store, callId);
  }

  /** Wakes the campaign, because the account's meter has room again. */
  async wake(): Promise<void> {
    if (this.#store.campaign.row) await this.#wake();
  }

  async backup(from: CampaignCursor | null): Promise<CampaignPage> {
    return readCampaign(this.ctx.storage, from);
  }

  /**
   * Restores a page of a backup into an object without a campaign. The last page completes the campaign, paused.
   * @throws ApiError 409
   */
  async restore(page: ObjectRestore): Promise<void> {
    return restoreCampaign(this.#context, page);
  }
}
