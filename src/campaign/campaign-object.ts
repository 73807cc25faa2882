import { DurableObject } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import type { AccountStore } from "../kernel/db/account-store.ts";
import { campaigns } from "../kernel/db/schema/index.ts";
import { accountStore } from "../kernel/durable/account-stores.ts";
import { armNoLaterThan, earliest, nextAlarm } from "../kernel/durable/alarm.ts";
import { AlarmLoop, type Round } from "../kernel/durable/alarm-loop.ts";
import { accountGate, campaignOf } from "../kernel/durable/objects.ts";
import { conflict, notFound } from "../kernel/http/errors.ts";
import { logError } from "../kernel/log.ts";
import { EventHub } from "../kernel/streams/event-hub.ts";
import { OpenStreams } from "../kernel/streams/open-streams.ts";
import { dialDependencies } from "./dial/dependencies.ts";
import { Dispatcher } from "./dial/dispatcher.ts";
import { ContactAppend } from "./import/append.ts";
import { Projection } from "./projection/projection.ts";
import { QuotaClaims } from "./quota-claims.ts";
import { Redials } from "./repair/redials.ts";
import { lookAtAllCalls } from "./store/call-transitions.ts";
import type { CampaignRow } from "./store/campaign-row.ts";
import { CampaignStore } from "./store/campaign-store.ts";
import { eventSource } from "./streams/event-source.ts";
import { type RevisedCampaign, revisedCampaign } from "./view.ts";

/** An import that shows no sign of life for this long (ms) was cut off with its process. */
export const IMPORT_WATCH_MS = 30_000;

/** What every part of a campaign's object works with: its store, its alarm loop, and what it tells others. */
export abstract class CampaignObject extends DurableObject<Env> {
  protected readonly name = campaignOf(this.ctx);
  protected readonly store: CampaignStore = new CampaignStore(this.ctx.storage, (seq) => {
    this.hub.publish(seq).catch((error: unknown) => this.report(error));
  });
  protected readonly claims = new QuotaClaims(this.env, this.name, (error) => this.report(error));
  protected readonly streams = new OpenStreams(
    this.claims.streams,
    (ids) => this.hub.end(ids),
    (error) => this.report(error),
  );
  protected readonly hub = new EventHub(
    eventSource(this.store, this.name.id, this.ctx.storage),
    this.store.campaign.row?.seq ?? 0,
    this.streams,
  );
  protected readonly accountStore = accountStore(this.env, this.name.account, {
    actor: `campaign:${this.name.id}`,
    request_id: "",
  });
  protected readonly projection = new Projection(this.store, this.accountStore);
  protected readonly deps = dialDependencies(this.env, this.store, this.accountStore, () => void this.loop.wake());
  protected readonly preflight = { env: this.env, store: this.store, accountStore: this.accountStore };
  protected readonly appends = new ContactAppend(this.store, this.claims);
  protected readonly usage = () => accountGate(this.env, this.name.account).usage();
  protected readonly dispatcher = new Dispatcher(this.store, this.deps);
  protected readonly redials = new Redials(this.store, this.claims);
  /** An import of this life of the object is under way. */
  protected importing = false;
  /** Somebody is deleting the campaign: its calls are being hung up. */
  protected removing = false;
  /** Somebody is starting the campaign: its settings stay as they are. */
  protected starting = false;
  protected readonly loop = new AlarmLoop(this.ctx.storage, {
    round: () => this.#round(),
    // While D1 is away the campaign goes on; it is told everything afterwards.
    beside: async () => {
      await this.claims.sayIfEnded(this.store.campaign.row);
      return this.projection.push(Date.now());
    },
    alive: () => this.store.campaign.row !== null,
    report: (error) => this.report(error),
  });

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    // An alarm can be lost with its process: whoever is built with work to do arms it again.
    if (this.store.campaign.row !== null) {
      const now = Date.now();
      lookAtAllCalls(this.store, now);
      ctx.blockConcurrencyWhile(async () => {
        // An append whose process died is undone at once: until then the campaign cannot be started.
        const undoAt = this.store.campaign.row?.append_after == null ? null : now + 1;
        const due = nextAlarm([await ctx.storage.getAlarm(), this.store.attempts.nextLookAt(), undoAt], now + 1);
        await armNoLaterThan(ctx.storage, due ?? now + 1);
      });
    }
  }

  /** @throws ApiError 404 where the object holds no campaign, or no longer does */
  protected known(): CampaignRow {
    const { row } = this.store.campaign;
    if (row === null) throw notFound("campaign");
    return row;
  }

  /** @throws ApiError 409 while an upload is being read, or the campaign deleted */
  protected settled(): void {
    const { importing, append_after } = this.known();
    if (this.removing) throw conflict("wrong_state", "the campaign is being deleted");
    if (importing || append_after !== null) throw conflict("importing", "the upload is still being read");
  }

  /** The account's gate has room again. */
  async wake(): Promise<void> {
    if (this.store.campaign.row) await this.loop.wake();
  }

  override async alarm(): Promise<void> {
    if (this.store.campaign.row !== null) await this.loop.run();
  }

  async #round(): Promise<Round> {
    if (!this.store.campaign.known.importing) {
      const redialled = this.redials.round(Date.now());
      const watchAt = (await this.appends.round()) ? Date.now() + IMPORT_WATCH_MS : null;
      const { worked, wakeAt } = await this.dispatcher.round();
      return { worked: worked || redialled, wakeAt: earliest([wakeAt, watchAt]) };
    }
    if (this.importing) await this.claims.keepUpload();
    if (this.importing) return { worked: false, wakeAt: Date.now() + IMPORT_WATCH_MS };
    // An upload whose process died, or that failed while D1 was away, leaves nothing behind.
    await this.erase(this.accountStore);
    await this.claims.uploaded();
    return { worked: false, wakeAt: null };
  }

  /** After a change by a person: D1 is told at once, and again later if that fails. Gives the campaign as it is then. */
  protected async changed(): Promise<RevisedCampaign> {
    const changed = { ...this.store.campaign.known };
    await this.loop.wake();
    await this.claims.sayIfEnded(this.store.campaign.row);
    await this.projection.pushNow(Date.now()).catch((error: unknown) => this.report(error));
    // It may have been deleted meanwhile.
    return revisedCampaign(this.store.campaign.row ?? changed);
  }

  /** Leaves nothing behind. D1 goes first: as long as it holds, the object knows that there is something to erase. */
  protected async erase(accountStore: AccountStore): Promise<void> {
    const { id } = this.name;
    await this.projection.inTurn(async () => {
      await accountStore.write(
        { action: "delete", resource: "campaign", resource_id: id },
        accountStore.delete(campaigns, eq(campaigns.id, id)),
      );
      this.hub.close();
      await this.ctx.storage.deleteAll();
      this.store.campaign.forget();
    });
  }

  protected report(error: unknown): void {
    logError("campaign", error, { campaign: this.name.id });
  }
}
