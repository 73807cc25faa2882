import type { Author } from "../kernel/db/account-store.ts";
import { accountStore } from "../kernel/durable/account-stores.ts";
import { armNoLaterThan } from "../kernel/durable/alarm.ts";
import { campaignObject } from "../kernel/durable/objects.ts";
import { ApiError, conflict, type FieldError, notFound } from "../kernel/http/errors.ts";
import { changedMeanwhile } from "../kernel/http/if-match.ts";
import { invalidFields } from "../kernel/http/issues.ts";
import type { Reader } from "../kernel/http/pass.ts";
import { CampaignContacts } from "./campaign-contacts.ts";
import { IMPORT_WATCH_MS } from "./campaign-object.ts";
import type { CampaignRecord } from "./contract.ts";
import { afterOperation, type Operation } from "./decide/state.ts";
import { importUpload } from "./import/importer.ts";
import type { Upload } from "./import/read-list.ts";
import { planOf } from "./plan/plan.ts";
import { strictRefusal } from "./plan/preflight.ts";
import type { CampaignPlan } from "./plan-contract.ts";
import { agentGone, agentNotHeld, missingReference, startRefusal } from "./references.ts";
import { type CloneOrder, cloneInto } from "./repair/clone.ts";
import { redialUnderWay } from "./repair/decide.ts";
import { type CampaignSettings, patchedSettings, type SettingsPatch, withDefaults } from "./settings.ts";
import { cancelSome, changeSettings, operate } from "./store/campaign-transitions.ts";
import { beginImport } from "./store/import-transitions.ts";
import { type RevisedCampaign, revisedCampaign } from "./view.ts";

/** Says in words what is named and missing; null where all is there. */
type Missing = (named: Partial<CampaignSettings>) => Promise<FieldError[]>;

/** Most contacts cancelled before a stop is answered; the rest follow. */
const CANCEL_AT_ONCE = 2_000;
/** What was begun and could not be brought to its end is looked at again after this time, ms. */
const TRY_AGAIN_MS = 2_000;

const DELETED_MEANWHILE = "the campaign was deleted while its upload was being read";

/**
 * One object per campaign, named `account/campaignId`: owns its contacts, calls and history, dials by its alarm and
 * sends its events. It holds nothing but wiring: the store is the state, the dispatcher the work. What it refuses it
 * throws as ApiError.
 */
export class Campaign extends CampaignContacts {
  /**
   * Creates the campaign from an upload. The body comes as an argument: it is taken no faster than it is stored, and
   * errors where the client's connection breaks, as the body of a request would.
   */
  async import(upload: Upload, body: ReadableStream<Uint8Array> | null): Promise<CampaignRecord> {
    const form = { headers: new Headers({ "content-type": upload.content_type }), body };
    return this.claims.uploading(() =>
      this.#fill(upload, (missing) => importUpload(form, this.store, Date.now, missing)),
    );
  }

  /** Creates the campaign from another one of the account. Counts as an upload while it is made. */
  async clone(order: CloneOrder): Promise<CampaignRecord> {
    const source = campaignObject(this.env, this.name.account, order.original.id);
    return this.claims.uploading(() =>
      this.#fill(order, (missing) => cloneInto(this.store, source, order, missing, Date.now)),
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
    beginImport(this.store, { ...this.name, settings, created_at: now, created_by }, author);
    this.importing = true;
    try {
      await this.projection.pushNow(Date.now());
      await fill((named) => missingReference(this.accountStore, named));
      return await this.changed();
    } catch (error) {
      if (this.store.campaign.row === null) throw conflict("campaign_deleted", DELETED_MEANWHILE);
      await this.erase(this.accountStore).catch(async (failure: unknown) => {
        this.report(failure);
        await this.ctx.storage.setAlarm(Date.now() + TRY_AGAIN_MS);
      });
      throw error;
    } finally {
      this.importing = false;
    }
  }

  /** The campaign where an attempt that was cut off has made it, else null. @throws ApiError 503 while it is being made */
  made(): CampaignRecord | null {
    const { row } = this.store.campaign;
    if (row?.importing)
      throw new ApiError(503, "being_made", "the campaign is still being created; try again in a moment");
    return row && revisedCampaign(row);
  }

  record(): RevisedCampaign {
    return revisedCampaign(this.known());
  }

  /** @param strict the start is refused for whatever a plan would warn of */
  async operate(
    operation: Operation,
    author: Author,
    { strict = false, id = null }: { strict?: boolean; id?: string | null } = {},
  ): Promise<RevisedCampaign> {
    this.settled();
    if (this.store.operations.find(id)) return this.changed();
    if (operation === "start" || operation === "resume") return this.#start(operation, author, strict, id);
    this.#operate(operation, author, id);
    return this.changed();
  }

  /** Starts or resumes, with the agent held from when it was looked for until D1 lists the campaign as running. */
  async #start(operation: Operation, author: Author, strict: boolean, id: string | null): Promise<RevisedCampaign> {
    if (this.starting) throw conflict("wrong_state", "the campaign is being started");
    this.starting = true;
    try {
      const refusal = await startRefusal(this.env, this.accountStore, this.store.campaign.settings, Date.now());
      this.settled();
      const { redial, status } = this.known();
      if (refusal) throw refusal;
      if (redial !== null) throw redialUnderWay();
      if (strict) await this.#refuseWarnings(operation);
      if (afterOperation(status, operation) === null) throw this.#wrongState(operation);
      await armNoLaterThan(this.ctx.storage, Date.now() + TRY_AGAIN_MS);
      try {
        const isHeld = await this.projection.holdAgent().catch((error: unknown) => {
          this.report(error);
          throw agentNotHeld();
        });
        this.settled();
        if (!isHeld) throw agentGone();
        this.#operate(operation, author, id);
      } finally {
        this.projection.releaseAgent();
      }
    } finally {
      this.starting = false;
    }
    return this.changed();
  }

  #operate(operation: Operation, author: Author, id: string | null): void {
    const now = Date.now();
    if (!operate(this.store, operation, author, now, id)) throw this.#wrongState(operation);
    if (operation === "stop") cancelSome(this.store, CANCEL_AT_ONCE, now);
  }

  #wrongState(operation: Operation): ApiError {
    return conflict("wrong_state", `cannot ${operation} a campaign that is ${this.known().status}`);
  }

  async #refuseWarnings(operation: Operation): Promise<void> {
    const account = await this.usage();
    this.known();
    const refusal = await strictRefusal(this.preflight, account, operation, Date.now());
    this.settled();
    if (refusal) throw refusal;
  }

  /** @param ifMatch the revision that the settings are to be changed from; null for any */
  async update(changes: SettingsPatch, author: Author, ifMatch: number | null): Promise<RevisedCampaign> {
    this.known();
    const missing = await missingReference(this.accountStore, patchedSettings(this.store.campaign.settings, changes));
    const { status, importing, settings_revision, settings_by, settings_at } = this.known();
    if (ifMatch !== null && ifMatch !== settings_revision) {
      const revised_at = settings_at === null ? null : new Date(settings_at).toISOString();
      throw await changedMeanwhile(this.accountStore, "campaign", { updated_by: settings_by, revised_at });
    }
    if (missing.length > 0) throw invalidFields(missing, "unknown_reference");
    if (!["draft", "paused"].includes(status) || importing || this.starting) {
      const state = importing ? "importing" : this.starting ? "being started" : status;
      throw conflict("wrong_state", `the settings of a campaign that is ${state} cannot be changed`);
    }
    changeSettings(this.store, patchedSettings(this.store.campaign.settings, changes), author, Date.now());
    return this.changed();
  }

  /** Deletes the campaign with all it holds; its calls stay listed. */
  async remove(author: Author): Promise<void> {
    if (this.known().status === "running")
      throw conflict("wrong_state", "the campaign is it is running; pause or stop it first");
    this.removing = true;
    try {
      // Nobody would be left to follow a call: all are hung up and settled first.
      await this.dispatcher.settled();
      const left = await this.dispatcher.calls.endAll();
      this.known();
      if (left > 0)
        throw conflict("calls_under_way", `${left} calls are still in progress and could not be hung up; try again`);
      await this.dispatcher.giveBack();
      while (this.projection.behind) await this.projection.pushNow(Date.now());
      await this.erase(accountStore(this.env, this.name.account, author));
    } finally {
      this.removing = false;
    }
  }

  /** When the campaign would finish, why contacts wait, and what to look at before it dials. */
  async plan(): Promise<CampaignPlan> {
    this.known();
    const plan = await planOf(this.preflight, await this.usage(), Date.now());
    if (plan === null) throw notFound("campaign");
    return plan;
  }

  /** The campaign's events, those after `lastSeen` first. The hub hears at once of a reader that leaves. */
  async events(lastSeen: number | null, reader: Reader): Promise<ReadableStream<Uint8Array>> {
    this.known();
    const id = await this.streams.enter(reader);
    if (this.store.campaign.row === null) this.streams.left(id);
    this.known();
    return this.hub.open(lastSeen, id);
  }
}
