import { ApiError, tooMany } from "../../kernel/http/errors.ts";
import { eachQuota, overQuota, type QuotaName, type Quotas, type QuotaUse } from "../plan/quotas.ts";
import type { Listing } from "./listing.ts";
import { OpenCampaigns } from "./open-campaigns.ts";
import { QuotaLeases } from "./quota-leases.ts";

/** How long a stream, an upload or a campaign that is not listed yet counts without a sign of life, ms. */
export const QUOTA_LEASE_MS = 90_000;
/** When to try again where there are too many at once, ms: a reader that left is noticed at the next heartbeat. */
const RETRY_AFTER_MS = { event_streams: 15_000, uploads: 5_000 };

/** The quotas that the gate counts itself: campaigns that are open, event streams and uploads at once. */
export class AccountQuotas {
  readonly #leases: QuotaLeases;
  readonly #campaigns: OpenCampaigns;
  readonly #limits: () => Promise<Quotas>;
  /** Admissions of campaigns, one after the other: each counts what the one before admitted. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param limits what the account may have now */
  constructor(sql: SqlStorage, limits: () => Promise<Quotas>, read: () => Promise<Listing>) {
    this.#leases = new QuotaLeases(sql);
    this.#campaigns = new OpenCampaigns(sql, read);
    this.#limits = limits;
  }

  /** @param first whether it is the first in this life of its object. @throws ApiError 429 where the quota is reached */
  async openStream(campaign: string, id: string, first: boolean, clock: () => number): Promise<void> {
    if (first) this.keepStreams(campaign, [], [], clock());
    this.#take("event_streams", { id, campaign }, await this.#limits(), clock());
  }

  /** The streams a campaign has now, and those it has asked for. */
  keepStreams(campaign: string, held: string[], asked: string[], now: number): void {
    this.#leases.keep("event_streams", campaign, held, asked, QUOTA_LEASE_MS, now);
  }

  closeStreams(ids: string[]): void {
    this.#leases.free("event_streams", ids);
  }

  /** The upload of a new campaign begins. @throws ApiError 429 or 403 where there is one too many */
  async beginUpload(campaign: string, clock: () => number): Promise<void> {
    this.#take("uploads", { id: campaign, campaign }, await this.#limits(), clock());
    try {
      await this.openCampaign(campaign, clock);
    } catch (error) {
      this.#leases.free("uploads", [campaign]);
      throw error;
    }
  }

  keepUpload(campaign: string, now: number): void {
    this.#leases.keep("uploads", campaign, [campaign], [], QUOTA_LEASE_MS, now);
  }

  /** The upload is read, or given up: its campaign is listed now, or gone. */
  async endUpload(campaign: string): Promise<void> {
    this.#leases.free("uploads", [campaign]);
    await this.#inTurn(async () => this.#leases.free("open_campaigns", [campaign]));
  }

  /** An upload for a campaign that is open begins. @throws ApiError 429 where there is one too many at once */
  async beginAppend(campaign: string, clock: () => number): Promise<void> {
    this.#take("uploads", { id: campaign, campaign }, await this.#limits(), clock());
  }

  endAppend(campaign: string): void {
    this.#leases.free("uploads", [campaign]);
  }

  /** A campaign is to be open, perhaps again: it counts from now on. @throws ApiError 403 where it is one too many */
  openCampaign(id: string, clock: () => number): Promise<void> {
    return this.#inTurn(async () => {
      const { open_campaigns: most } = await this.#limits();
      const { open } = await this.#open(clock);
      if (open >= most) throw new ApiError(403, "quota_exceeded", overQuota("open_campaigns", most));
      this.#campaigns.reopened(id);
      const lease = { id, campaign: id };
      this.#leases.take("open_campaigns", lease, Number.MAX_SAFE_INTEGER, QUOTA_LEASE_MS, clock());
    });
  }

  /** A campaign was stopped or has completed; D1 may hear of it later. */
  campaignEnded(id: string): void {
    this.#campaigns.ended(id);
  }

  /** Every quota, and what of it is used. */
  async use(clock: () => number): Promise<Record<QuotaName, QuotaUse>> {
    const limits = await this.#limits();
    const { open, used } = await this.#open(clock);
    const here: Partial<Record<string, number>> = {
      open_campaigns: open,
      event_streams: this.#leases.used("event_streams", clock()),
      uploads: this.#leases.used("uploads", clock()),
    };
    return eachQuota((name) => ({ limit: limits[name], used: here[name] ?? used[name] ?? 0 }));
  }

  #open(clock: () => number) {
    return this.#campaigns.count(() => this.#leases.campaigns("open_campaigns", clock()));
  }

  #take(quota: "event_streams" | "uploads", lease: { id: string; campaign: string }, limits: Quotas, now: number) {
    if (this.#leases.take(quota, lease, limits[quota], QUOTA_LEASE_MS, now)) return;
    throw tooMany("quota_exceeded", overQuota(quota, limits[quota]), RETRY_AFTER_MS[quota]);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => {});
    return mine;
  }
}
