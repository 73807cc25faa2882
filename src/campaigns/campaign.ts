import { DurableObject } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { accountStore } from "../account-gate/account-stores.ts";
import type { Reader } from "../account-gate/entrance.ts";
import type { CallLine } from "../calls/call-line.ts";
import type { CampaignCall } from "../calls/campaign-call.ts";
import { notHungUp } from "../calls/hang-up.ts";
import type { CallEvent } from "../carriers/carrier.ts";
import type { AccountStore, Author } from "../db/account-store.ts";
import { campaigns } from "../db/schema/index.ts";
import { armNoLaterThan, earliest, nextAlarm } from "../durable/alarm.ts";
import { AlarmLoop, type Round } from "../durable/alarm-loop.ts";
import { accountGate, campaignObject, campaignOf } from "../durable/objects.ts";
import { conflict, invalid, notFound } from "../http/errors.ts";
import { logError } from "../log.ts";
import { EventHub } from "../streams/event-hub.ts";
import { OpenStreams } from "../streams/open-streams.ts";
import type { AttemptRecord, CampaignRecord, ContactRecord } from "./contract.ts";
import type { Operation, Outcome } from "./decide/state.ts";
import { type TakenReport, takeReport } from "./dial/call-reports.ts";
import { dialDependencies } from "./dial/dependencies.ts";
import { Dispatcher } from "./dial/dispatcher.ts";
import { messageAskedFor } from "./dial/machine-message.ts";
import { whyWaiting } from "./dial/why-waiting.ts";
import { ContactAppend } from "./import/append.ts";
import { importUpload } from "./import/importer.ts";
import type { Upload } from "./import/read-list.ts";
import { callSession } from "./out/call-session.ts";
import {
  type ContactList,
  type ContactQuery,
  contactWithCalls,
  listContacts,
  shownContact,
} from "./out/contact-list.ts";
import { DOWNLOADS } from "./out/downloads.ts";
import { eventSource } from "./out/event-source.ts";
import { planOf } from "./out/plan.ts";
import { strictRefusal } from "./out/preflight.ts";
import { Projection } from "./out/projection.ts";
import type { CampaignPlan } from "./plan-contract.ts";
import { QuotaClaims } from "./quota-claims.ts";
import { missingReference, startRefusal } from "./references.ts";
import { cancelContact } from "./repair/cancel.ts";
import { type CloneOrder, cloneInto, type Original } from "./repair/clone.ts";
import { contactsToCopy, noteClone, originalOf } from "./repair/copy.ts";
import { type Correction, correctContact } from "./repair/correct.ts";
import { redialUnderWay } from "./repair/decide.ts";
import { Redials } from "./repair/redials.ts";
import { type CampaignSettings, patchedSettings, type SettingsPatch, withDefaults } from "./settings.ts";
import type { HeldConversation } from "./store/attempts.ts";
import { lookAtAllCalls } from "./store/call-transitions.ts";
import type { CampaignRow } from "./store/campaign-row.ts";
import { CampaignStore } from "./store/campaign-store.ts";
import { cancelSome, changeSettings, operate } from "./store/campaign-transitions.ts";
import type { ImportCounts } from "./store/import-batch.ts";
import { beginImport } from "./store/import-transitions.ts";
import type { CopiedContacts } from "./store/repairs.ts";
import { campaignView } from "./view.ts";

/** Says in words what is named and missing; null where all is there. */
type Missing = (named: Partial<CampaignSettings>) => Promise<string | null>;

/** Most contacts cancelled before a stop is answered; the rest follow. */
const CANCEL_AT_ONCE = 2_000;
/** An import that shows no sign of life for this long (ms) was cut off with its process. */
const IMPORT_WATCH_MS = 30_000;
/** An import whose traces could not be erased is looked at again after this time, ms. */
const TRY_AGAIN_MS = 2_000;

const DELETED_MEANWHILE = "the campaign was deleted while its upload was being read";

/**
 * One object per campaign, named `account/campaignId`: owns its contacts, calls and history, dials by its alarm and
 * sends its events. It holds nothing but wiring: the store is the state, the dispatcher the work. What it refuses it
 * throws as ApiError.
 */
export class Campaign extends DurableObject<Env> {
  readonly #name = campaignOf(this.ctx);
  readonly #store: CampaignStore = new CampaignStore(this.ctx.storage, (seq) => {
    this.#hub.publish(seq).catch((error: unknown) => this.#report(error));
  });
  readonly #claims = new QuotaClaims(this.env, this.#name, (error) => this.#report(error));
  readonly #streams = new OpenStreams(
    this.#claims.streams,
    (ids) => this.#hub.end(ids),
    (error) => this.#report(error),
  );
  readonly #hub = new EventHub(
    eventSource(this.#store, this.#name.id, this.ctx.storage),
    this.#store.campaign.row?.seq ?? 0,
    this.#streams,
  );
  readonly #accountStore = accountStore(this.env, this.#name.account, {
    actor: `campaign:${this.#name.id}`,
    request_id: "",
  });
  readonly #projection = new Projection(this.#store, this.#accountStore);
  readonly #deps = dialDependencies(this.env, this.#store, this.#accountStore, () => void this.#loop.wake());
  readonly #preflight = { env: this.env, store: this.#store, accountStore: this.#accountStore };
  readonly #appends = new ContactAppend(this.#store, this.#claims);
  readonly #usage = () => accountGate(this.env, this.#name.account).usage();
  readonly #dispatcher = new Dispatcher(this.#store, this.#deps);
  readonly #redials = new Redials(this.#store, this.#claims);
  /** An import of this life of the object is under way. */
  #importing = false;
  /** Somebody is deleting the campaign: its calls are being hung up. */
  #removing = false;
  readonly #loop = new AlarmLoop(this.ctx.storage, {
    round: () => this.#round(),
    // While D1 is away the campaign goes on; it is told everything afterwards.
    beside: async () => {
      await this.#claims.sayIfEnded(this.#store.campaign.row);
      return this.#projection.push(Date.now());
    },
    alive: () => this.#store.campaign.row !== null,
    report: (error) => this.#report(error),
  });

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    // An alarm can be lost with its process: whoever is built with work to do arms it again.
    if (this.#store.campaign.row !== null) {
      const now = Date.now();
      lookAtAllCalls(this.#store, now);
      ctx.blockConcurrencyWhile(async () => {
        // An append whose process died is undone at once: until then the campaign cannot be started.
        const undoAt = this.#store.campaign.row?.append_after == null ? null : now + 1;
        const due = nextAlarm([await ctx.storage.getAlarm(), this.#store.attempts.nextLookAt(), undoAt], now + 1);
        await armNoLaterThan(ctx.storage, due ?? now + 1);
      });
    }
  }

  /** @throws ApiError 404 where the object holds no campaign, or no longer does */
  #known(): CampaignRow {
    const { row } = this.#store.campaign;
    if (row === null) throw notFound("campaign");
    return row;
  }

  /** @throws ApiError 409 while an upload is being read, or the campaign deleted */
  #settled(): void {
    const { importing, append_after } = this.#known();
    if (this.#removing) throw conflict("wrong_state", "the campaign is being deleted");
    if (importing || append_after !== null) throw conflict("importing", "the upload is still being read");
  }

  /**
   * Creates the campaign from an upload. The body comes as an argument: it is taken no faster than it is stored, and
   * errors where the client's connection breaks, as the body of a request would.
   */
  async import(upload: Upload, body: ReadableStream<Uint8Array> | null): Promise<CampaignRecord> {
    const form = { headers: new Headers({ "content-type": upload.content_type }), body };
    return this.#claims.uploading(() =>
      this.#fill(upload, (missing) => importUpload(form, this.#store, Date.now, missing)),
    );
  }

  /** Creates the campaign from another one of the account. Counts as an upload while it is made. */
  async clone(order: CloneOrder): Promise<CampaignRecord> {
    const source = campaignObject(this.env, this.#name.account, order.original.id);
    return this.#claims.uploading(() =>
      this.#fill(order, (missing) => cloneInto(this.#store, source, order, missing, Date.now)),
    );
  }

  /** Begins the campaign and has it filled; whatever goes wrong leaves nothing behind. */
  async #fill(
    { author, created_by }: Pick<Upload, "author" | "created_by">,
    fill: (missing: Missing) => Promise<void>,
  ) {
    const now = Date.now();
    const settings = JSON.stringify(withDefaults({}, ""));
    await this.ctx.storage.setAlarm(now + IMPORT_WATCH_MS);
    beginImport(this.#store, { ...this.#name, settings, created_at: now, created_by }, author);
    this.#importing = true;
    try {
      await this.#projection.pushNow(Date.now());
      await fill((named) => missingReference(this.#accountStore, named));
      return await this.#changed();
    } catch (error) {
      if (this.#store.campaign.row === null) throw conflict("campaign_deleted", DELETED_MEANWHILE);
      await this.#erase(this.#accountStore).catch(async (failure: unknown) => {
        this.#report(failure);
        await this.ctx.storage.setAlarm(Date.now() + TRY_AGAIN_MS);
      });
      throw error;
    } finally {
      this.#importing = false;
    }
  }

  /** Adds the contacts of an upload, whose body comes as that of a new campaign. */
  async append(upload: Upload, body: ReadableStream<Uint8Array> | null): Promise<ImportCounts> {
    const armed = () => armNoLaterThan(this.ctx.storage, Date.now() + IMPORT_WATCH_MS);
    const counts = await this.#appends.append(upload, body, armed);
    await this.#changed();
    return counts;
  }

  /** The campaign's events, those after `lastSeen` first. The hub hears at once of a reader that leaves. */
  async events(lastSeen: number | null, reader: Reader): Promise<ReadableStream<Uint8Array>> {
    this.#known();
    const id = await this.#streams.enter(reader);
    if (this.#store.campaign.row === null) this.#streams.left(id);
    this.#known();
    return this.#hub.open(lastSeen, id);
  }

  /** A file of the campaign, as it is read. */
  download(file: keyof typeof DOWNLOADS): ReadableStream<Uint8Array> {
    this.#known();
    return DOWNLOADS[file](this.#store);
  }

  record(): CampaignRecord {
    return campaignView(this.#known());
  }

  /** @param strict the start is refused for whatever a plan would warn of */
  async operate(operation: Operation, author: Author, strict = false): Promise<CampaignRecord> {
    this.#settled();
    if (operation === "start" || operation === "resume") {
      const refusal = await startRefusal(this.env, this.#accountStore, this.#store.campaign.settings, Date.now());
      this.#settled();
      const { redial } = this.#known();
      if (refusal) throw refusal;
      if (redial !== null) throw redialUnderWay();
      if (strict) await this.#refuseWarnings(operation);
    }
    const now = Date.now();
    if (!operate(this.#store, operation, author, now)) {
      throw conflict("wrong_state", `cannot ${operation} a campaign that is ${this.#known().status}`);
    }
    if (operation === "stop") cancelSome(this.#store, CANCEL_AT_ONCE, now);
    return this.#changed();
  }

  async #refuseWarnings(operation: Operation): Promise<void> {
    const account = await this.#usage();
    this.#known();
    const refusal = await strictRefusal(this.#preflight, account, operation, Date.now());
    this.#settled();
    if (refusal) throw refusal;
  }

  async update(changes: SettingsPatch, author: Author): Promise<CampaignRecord> {
    this.#known();
    const missing = await missingReference(this.#accountStore, patchedSettings(this.#store.campaign.settings, changes));
    const { status, importing } = this.#known();
    if (missing) throw invalid(missing, "unknown_reference");
    if (!["draft", "paused"].includes(status) || importing) {
      const state = importing ? "importing" : status;
      throw conflict("wrong_state", `settings of a campaign that is ${state} cannot be changed`);
    }
    changeSettings(this.#store, patchedSettings(this.#store.campaign.settings, changes), author, Date.now());
    return this.#changed();
  }

  /** Corrects a contact that waits. @throws ApiError 400, 404, 409 */
  async correct(contact: string, correction: Correction, author: Author): Promise<ContactRecord> {
    this.#known();
    correctContact(this.#store, contact, correction, author, Date.now());
    return this.#changedContact(contact);
  }

  /** Cancels a contact that waits. @throws ApiError 404, 409 */
  async cancel(contact: string, author: Author): Promise<ContactRecord> {
    this.#known();
    cancelContact(this.#store, contact, author, Date.now());
    return this.#changedContact(contact);
  }

  async #changedContact(id: string): Promise<ContactRecord> {
    const contact = shownContact(this.#store, id);
    await this.#changed();
    return contact;
  }

  /** Makes failed contacts pending again; gives how many, once all are. @throws ApiError 403, 404, 409 */
  async redial(outcomes: Outcome[], author: Author): Promise<{ contacts: number }> {
    const contacts = await this.#redials.redial(outcomes, author, Date.now, () => this.#loop.wake());
    if (contacts > 0) await this.#changed();
    return { contacts };
  }

  /** What a clone of it would be made of. @throws ApiError 404, 409 */
  original(): Original {
    return originalOf(this.#known());
  }

  /** It is being cloned, which its audit log is to tell. */
  async cloned(author: Author): Promise<void> {
    this.#known();
    noteClone(this.#store, author, Date.now());
    await this.#loop.wake();
  }

  /** Contacts after a row, for a clone. */
  copy(after: number, outcomes: Outcome[] | null): CopiedContacts {
    this.#known();
    return contactsToCopy(this.#store, after, outcomes);
  }

  /** Deletes the campaign with all it holds; its calls stay listed. */
  async remove(author: Author): Promise<void> {
    if (this.#known().status === "running")
      throw conflict("wrong_state", "the campaign is running; pause or stop it first");
    this.#removing = true;
    try {
      // Nobody would be left to follow a call: all are hung up and settled first.
      await this.#dispatcher.settled();
      const left = await this.#dispatcher.calls.endAll();
      this.#known();
      if (left > 0)
        throw conflict("calls_under_way", `${left} calls are still under way and could not be hung up; try again`);
      await this.#dispatcher.giveBack();
      while (this.#projection.behind) await this.#projection.pushNow(Date.now());
      await this.#erase(accountStore(this.env, this.#name.account, author));
    } finally {
      this.#removing = false;
    }
  }

  /** A page of its contacts; null where there is no campaign, or no longer: a page under way ends there. */
  contacts(query: ContactQuery): ContactList | null {
    return this.#store.campaign.row && listContacts(this.#store, query);
  }

  async contact(id: string): Promise<ContactRecord & { attempts: AttemptRecord[]; waiting_for: string | null }> {
    const found = contactWithCalls(this.#store, id);
    if (!found) throw notFound("contact");
    const waiting_for = await whyWaiting(found.contact, this.#store, this.#dispatcher, this.#deps, this.#usage);
    return { ...found.record, waiting_for };
  }

  /** When the campaign would finish, why contacts wait, and what to look at before it dials. */
  async plan(): Promise<CampaignPlan> {
    this.#known();
    const plan = await planOf(this.#preflight, await this.#usage(), Date.now());
    if (plan === null) throw notFound("campaign");
    return plan;
  }

  /** Takes in events of one of its calls, from a webhook that these credentials signed. */
  async callEvents(callId: string, credentialsId: string | null, events: CallEvent[]): Promise<TakenReport> {
    const taken = takeReport(this.#store, { callId, credentialsId, events }, this.#deps.limits, Date.now);
    if (taken !== null && taken !== "another_call") {
      // A machine that records waits for nobody: not for the loop's turn either.
      this.ctx.waitUntil(this.#dispatcher.messages.round().catch((error: unknown) => this.#report(error)));
      await this.#loop.wake();
    }
    return taken;
  }

  /** What its carrier is to say to the machine that answered one of its calls; null where nothing is to be said. */
  async machineMessage(callId: string): Promise<string | null> {
    return messageAskedFor(this.#store, this.#deps, callId);
  }

  /** What the conversation on one of its calls is to know; null where it has no such call. */
  async session(callId: string): Promise<CampaignCall | null> {
    return callSession(this.#store, callId);
  }

  /** Remembers with one of its calls the conversation held on it and what came of it; with nulls forgets them. */
  async conversation(callId: string, { conversation_id, disposition }: HeldConversation): Promise<void> {
    if (this.#store.campaign.row) this.#store.attempts.update(callId, { conversation_id, disposition });
  }

  /** Ends one of its calls; false where it has no such call. @throws ApiError where its carrier does not: tried again */
  async hangUp(callId: string): Promise<boolean> {
    const attempt = this.#store.campaign.row && this.#store.attempts.get(callId);
    if (!attempt) return false;
    try {
      if (attempt.state !== "ended") await this.#dispatcher.calls.hangUp(attempt);
    } catch (error) {
      throw notHungUp(error);
    } finally {
      await this.#loop.wake();
    }
    await this.#projection.pushNow(Date.now());
    return true;
  }

  /** How one of its calls is reached at its carrier, also before it is listed; null where it has no such call. */
  lineOf(callId: string): CallLine | null {
    const attempt = this.#store.campaign.row && this.#store.attempts.get(callId);
    if (!attempt) return null;
    const { provider, credentials_id, state } = attempt;
    return { ref: this.#dispatcher.calls.ref(attempt), provider, credentials_id, over: state === "ended" };
  }

  /** The account's gate has room again. */
  async wake(): Promise<void> {
    if (this.#store.campaign.row) await this.#loop.wake();
  }

  override async alarm(): Promise<void> {
    if (this.#store.campaign.row !== null) await this.#loop.run();
  }

  async #round(): Promise<Round> {
    if (!this.#store.campaign.known.importing) {
      const redialled = this.#redials.round(Date.now());
      const watchAt = (await this.#appends.round()) ? Date.now() + IMPORT_WATCH_MS : null;
      const { worked, wakeAt } = await this.#dispatcher.round();
      return { worked: worked || redialled, wakeAt: earliest([wakeAt, watchAt]) };
    }
    if (this.#importing) await this.#claims.keepUpload();
    if (this.#importing) return { worked: false, wakeAt: Date.now() + IMPORT_WATCH_MS };
    // An upload whose process died, or that failed while D1 was away, leaves nothing behind.
    await this.#erase(this.#accountStore);
    await this.#claims.uploaded();
    return { worked: false, wakeAt: null };
  }

  /** After a change by a person: D1 is told at once, and again later if that fails. Gives the campaign as it is then. */
  async #changed(): Promise<CampaignRecord> {
    const changed = { ...this.#store.campaign.known };
    await this.#loop.wake();
    await this.#claims.sayIfEnded(this.#store.campaign.row);
    await this.#projection.pushNow(Date.now()).catch((error: unknown) => this.#report(error));
    // It may have been deleted meanwhile.
    return campaignView(this.#store.campaign.row ?? changed);
  }

  /** Leaves nothing behind. D1 goes first: as long as it holds, the object knows that there is something to erase. */
  async #erase(accountStore: AccountStore): Promise<void> {
    const { id } = this.#name;
    await this.#projection.inTurn(async () => {
      await accountStore.write(
        { action: "delete", resource: "campaign", resource_id: id },
        accountStore.delete(campaigns, eq(campaigns.id, id)),
      );
      this.#hub.close();
      await this.ctx.storage.deleteAll();
      this.#store.campaign.forget();
    });
  }

  #report(error: unknown): void {
    logError("campaign", error, { campaign: this.#name.id });
  }
}
