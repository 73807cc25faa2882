import { DurableObject } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { speaksOf } from "../calls/call-identity.ts";
import { hangUpFailure } from "../calls/hang-up.ts";
import type { CallEvent } from "../carriers/carrier.ts";
import { AccountStore, type Author } from "../db/account-store.ts";
import { campaigns } from "../db/schema/index.ts";
import { AlarmLoop, type Round } from "../durable/alarm-loop.ts";
import { logError } from "../log.ts";
import { contactRow } from "./contact-id.ts";
import type { AttemptRecord, CampaignPlan, CampaignRecord, ContactRecord } from "./contract.ts";
import type { Operation } from "./decide/state.ts";
import { dialDependencies } from "./dial/dependencies.ts";
import { Dispatcher } from "./dial/dispatcher.ts";
import { whyWaiting } from "./dial/why-waiting.ts";
import { ImportRefused, importUpload } from "./import/importer.ts";
import { UploadTooLarge } from "./import/multipart.ts";
import { type ContactList, type ContactQuery, listContacts } from "./out/contact-list.ts";
import { contactsCsv, historyNdjson, rejectsCsv } from "./out/downloads.ts";
import { EventHub } from "./out/events.ts";
import { planOf } from "./out/plan.ts";
import { Projection } from "./out/projection.ts";
import { missingReference, startRefusal } from "./references.ts";
import { type CampaignSettings, withDefaults } from "./settings.ts";
import { lookAtAllCalls, takeCallEvent } from "./store/call-transitions.ts";
import { CampaignStore } from "./store/campaign-store.ts";
import { cancelSome, changeSettings, operate } from "./store/campaign-transitions.ts";
import type { NewCampaign } from "./store/import-transitions.ts";
import { beginImport } from "./store/import-transitions.ts";
import { attemptView, campaignView, contactView, eventView } from "./view.ts";

/** An answer to a request that may be refused; classes of errors do not travel between objects. */
export type Reply<T> = { ok: T } | { refused: { status: 400 | 404 | 409 | 413; code: string; message: string } };

const refuse = (status: 400 | 404 | 409 | 413, code: string, message: string) => ({
  refused: { status, code, message },
});
const UNKNOWN = refuse(404, "not_found", "campaign not found");
const DELETED = refuse(409, "campaign_deleted", "the campaign was deleted while its upload was being read");
/** Most contacts cancelled before a stop is answered; the rest follow. */
const CANCEL_AT_ONCE = 2_000;
/** An import that shows no sign of life for this long (ms) was cut off with its process. */
const IMPORT_WATCH_MS = 30_000;
/** An import whose traces could not be erased is looked at again after this time, ms. */
const TRY_AGAIN_MS = 2_000;

/**
 * One object per campaign, named `account/campaignId`: owns its contacts, calls and history, dials by its alarm and
 * sends its events. It holds nothing but wiring: the store is the state, the dispatcher the work.
 */
export class Campaign extends DurableObject<Env> {
  readonly #store: CampaignStore = new CampaignStore(this.ctx.storage, (seq) => {
    this.#hub.publish(seq).catch((error: unknown) => this.#report(error));
  });
  readonly #hub = new EventHub(
    {
      after: (seq, limit) =>
        this.#store.log
          .after(seq, limit)
          .map((row) => ({ seq: row.seq, event: row.event, data: eventView(this.#name.id, row) })),
      snapshot: () => {
        const { seq, id } = this.#store.campaign.known;
        return { seq, data: { seq, campaign_id: id, ...campaignView(this.#store.campaign.known) } };
      },
      durable: () => this.ctx.storage.sync(),
    },
    this.#store.campaign.row?.seq ?? 0,
  );
  readonly #accountStore = new AccountStore(
    this.env.DB,
    this.#name.account,
    { actor: `campaign:${this.#name.id}`, request_id: "" },
    true,
  );
  readonly #projection = new Projection(this.#store, this.#accountStore);
  readonly #deps = dialDependencies(this.env, this.#store, this.#accountStore, () => void this.#loop.wake());
  readonly #dispatcher = new Dispatcher(this.#store, this.#deps);
  /** An import of this life of the object is under way. */
  #importing = false;
  /** Somebody is deleting the campaign: its calls are being hung up. */
  #removing = false;
  readonly #loop = new AlarmLoop(this.ctx.storage, {
    round: () => this.#round(),
    // While D1 is away the campaign goes on; it is told everything afterwards.
    beside: () => this.#projection.push(Date.now()),
    alive: () => this.#store.campaign.row !== null,
    report: (error) => this.#report(error),
  });

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    // An alarm can be lost with its process: whoever is built with work to do arms it again.
    if (this.#store.campaign.row !== null) {
      lookAtAllCalls(this.#store, Date.now());
      ctx.blockConcurrencyWhile(async () => {
        if ((await ctx.storage.getAlarm()) === null) await ctx.storage.setAlarm(Date.now() + 1);
      });
    }
  }

  get #name(): { account: string; id: string } {
    const [account, id] = (this.ctx.id.name ?? "").split("/");
    if (!account || !id) throw new TypeError("a campaign is reached by account/id");
    return { account, id };
  }

  #usage() {
    return this.env.ACCOUNT_GATE.getByName(this.#name.account).usage();
  }

  /** POST /import: the upload; GET /events, /contacts, /rejects, /history: streams. Bodies too large for a call. */
  override async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/import") return Response.json(await this.#import(request));
    if (this.#store.campaign.row === null) return Response.json(UNKNOWN, { status: 404 });
    switch (pathname) {
      case "/events": {
        const lastSeen = request.headers.get("last-event-id");
        return new Response(this.#hub.open(lastSeen !== null && /^\d{1,15}$/.test(lastSeen) ? Number(lastSeen) : null));
      }
      case "/contacts":
        return new Response(contactsCsv(this.#store));
      case "/rejects":
        return new Response(rejectsCsv(this.#store));
      default:
        return new Response(historyNdjson(this.#store));
    }
  }

  /** The campaign, null where there is none. */
  record(): CampaignRecord | null {
    const { row } = this.#store.campaign;
    return row && campaignView(row);
  }

  async operate(operation: Operation, author: Author, origin: string): Promise<Reply<CampaignRecord>> {
    const { row } = this.#store.campaign;
    if (!row) return UNKNOWN;
    if (this.#removing) return refuse(409, "wrong_state", "the campaign is being deleted");
    if (row.importing) return refuse(409, "importing", "the upload is still being read");
    const { agent_id, from_number } = this.#store.campaign.settings;
    if (operation === "start" || operation === "resume") {
      const missing = [agent_id === null && "agent_id", from_number === null && "from_number"].filter(Boolean);
      if (missing.length > 0) return refuse(409, "incomplete", `set ${missing.join(" and ")} before the start`);
      const refusal = await startRefusal(this.env, this.#accountStore, this.#store.campaign.settings, origin);
      if (this.#store.campaign.row === null) return UNKNOWN;
      if (refusal) return refuse(409, refusal.code, refusal.message);
    }
    const now = Date.now();
    if (!operate(this.#store, operation, author, now, operation === "pause" ? undefined : origin)) {
      return refuse(409, "wrong_state", `cannot ${operation} a campaign that is ${this.#store.campaign.known.status}`);
    }
    if (operation === "stop") cancelSome(this.#store, CANCEL_AT_ONCE, now);
    return this.#changed();
  }

  async update(
    changes: { [K in keyof CampaignSettings]?: CampaignSettings[K] | undefined },
    author: Author,
  ): Promise<Reply<CampaignRecord>> {
    const { row } = this.#store.campaign;
    if (!row) return UNKNOWN;
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const lost = await missingReference(this.#accountStore, given);
    if (this.#store.campaign.row === null) return UNKNOWN;
    if (lost) return refuse(400, "unknown_reference", lost);
    if (!["draft", "paused"].includes(row.status) || row.importing) {
      return refuse(
        409,
        "wrong_state",
        `settings of a campaign that is ${row.importing ? "importing" : row.status} cannot be changed`,
      );
    }
    changeSettings(this.#store, { ...this.#store.campaign.settings, ...given }, Object.keys(given), author, Date.now());
    return this.#changed();
  }

  /** Deletes the campaign with all it holds; its calls stay listed. */
  async remove(author: Author): Promise<Reply<null>> {
    const { row } = this.#store.campaign;
    if (!row) return UNKNOWN;
    if (row.status === "running") return refuse(409, "wrong_state", "the campaign is running; pause or stop it first");
    this.#removing = true;
    try {
      return await this.#remove(author);
    } finally {
      this.#removing = false;
    }
  }

  async #remove(author: Author): Promise<Reply<null>> {
    // Nobody would be left to follow a call: all are hung up and settled first.
    await this.#dispatcher.settled();
    const left = await this.#dispatcher.calls.endAll();
    const { row } = this.#store.campaign;
    if (row === null) return UNKNOWN;
    if (left > 0)
      return refuse(409, "calls_under_way", `${left} calls are still under way and could not be hung up; try again`);
    await this.#dispatcher.giveBack();
    while (this.#projection.behind) await this.#projection.pushNow(Date.now());
    await this.#erase(new AccountStore(this.env.DB, row.account, author, true));
    return { ok: null };
  }

  contacts(query: ContactQuery): ContactList | null {
    return this.#store.campaign.row && listContacts(this.#store, query);
  }

  async contact(
    id: string,
  ): Promise<(ContactRecord & { attempts: AttemptRecord[]; waiting_for: string | null }) | null> {
    const { row } = this.#store.campaign;
    const at = row && contactRow(row.id, id);
    const contact = at ? this.#store.contacts.get(at) : undefined;
    if (!row || !contact) return null;
    return {
      ...contactView(row.id, JSON.parse(row.columns), contact),
      attempts: this.#store.attempts.ofContact(contact.id).map(attemptView),
      waiting_for: await whyWaiting(contact, this.#store, this.#dispatcher, this.#deps, () => this.#usage()),
    };
  }

  /** When the campaign would finish, and why contacts wait. */
  async plan(): Promise<CampaignPlan | null> {
    if (!this.#store.campaign.row) return null;
    const account = await this.#usage();
    const now = Date.now();
    return planOf(this.#store, this.#accountStore, account, now);
  }

  /**
   * Events of one of its calls, from a webhook that these credentials signed. Gives the agent that makes the call, null
   * where there is no such call; nothing is taken where they are of another call.
   */
  async callEvents(
    callId: string,
    credentialsId: string | null,
    events: CallEvent[],
  ): Promise<{ agent_id: string } | "another_call" | null> {
    const attempt = this.#store.campaign.row && this.#store.attempts.get(callId);
    if (!attempt) return null;
    const own = attempt.credentials_id === null || attempt.credentials_id === credentialsId;
    if (!own || !events.every((event) => speaksOf(attempt.provider_call_id, event))) return "another_call";
    for (const event of events) takeCallEvent(this.#store, callId, event, this.#deps.limits, Date.now());
    await this.#loop.wake();
    return { agent_id: attempt.agent_id ?? "" };
  }

  /** Ends one of its calls; null where it has no such call. Where its carrier does not, that is tried again. */
  async hangUp(callId: string): Promise<{ ok: true } | { failed: { code: string; message: string } } | null> {
    const attempt = this.#store.campaign.row && this.#store.attempts.get(callId);
    if (!attempt) return null;
    try {
      if (attempt.state !== "ended") await this.#dispatcher.calls.hangUp(attempt);
    } catch (error) {
      return { failed: hangUpFailure(error) };
    } finally {
      await this.#loop.wake();
    }
    await this.#projection.pushNow(Date.now());
    return { ok: true };
  }

  /** The account's gate has room again. */
  async wake(): Promise<void> {
    if (this.#store.campaign.row) await this.#loop.wake();
  }

  override async alarm(): Promise<void> {
    if (this.#store.campaign.row !== null) await this.#loop.run();
  }

  async #round(): Promise<Round> {
    if (!this.#store.campaign.known.importing) return this.#dispatcher.round();
    if (this.#importing) return { worked: false, wakeAt: Date.now() + IMPORT_WATCH_MS };
    // An upload whose process died, or that failed while D1 was away, leaves nothing behind.
    await this.#erase(this.#accountStore);
    return { worked: false, wakeAt: null };
  }

  async #import(request: Request): Promise<Reply<CampaignRecord>> {
    const { account, id } = this.#name;
    const author: Author = {
      actor: request.headers.get("x-actor") ?? "",
      request_id: request.headers.get("x-request-id") ?? "",
    };
    const campaign: NewCampaign = {
      id,
      account,
      settings: JSON.stringify(withDefaults({}, "")),
      created_at: Date.now(),
      created_by: request.headers.get("x-created-by") ?? "",
      origin: request.headers.get("x-origin") ?? "",
    };
    await this.ctx.storage.setAlarm(Date.now() + IMPORT_WATCH_MS);
    beginImport(this.#store, campaign, author);
    this.#importing = true;
    try {
      await this.#projection.pushNow(Date.now());
      await importUpload(request, this.#store, Date.now, (settings) => missingReference(this.#accountStore, settings));
      return await this.#changed();
    } catch (error) {
      if (this.#store.campaign.row === null) return DELETED;
      await this.#erase(this.#accountStore).catch(async (failure: unknown) => {
        this.#report(failure);
        await this.ctx.storage.setAlarm(Date.now() + TRY_AGAIN_MS);
      });
      if (error instanceof ImportRefused) return refuse(400, "invalid_csv", error.message);
      if (error instanceof UploadTooLarge) return refuse(413, "body_too_large", error.message);
      throw error;
    } finally {
      this.#importing = false;
    }
  }

  /** After a change by a person: D1 is told at once, and again later if that fails. Gives the campaign as it is then. */
  async #changed(): Promise<Reply<CampaignRecord>> {
    const changed = { ...this.#store.campaign.known };
    await this.#loop.wake();
    await this.#projection.pushNow(Date.now()).catch((error: unknown) => this.#report(error));
    // It may have been deleted meanwhile.
    return { ok: campaignView(this.#store.campaign.row ?? changed) };
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
