import type { Migration } from "../durable/migrate.ts";
import { ApiError, tooMany } from "../http/errors.ts";
import { ENDED_CAMPAIGNS, OpenCampaigns } from "./open-campaigns.ts";
import { type LeasedQuota, QUOTA_LEASES, QuotaLeases } from "./quota-leases.ts";
import { overQuota, type Quotas } from "./quotas.ts";

export const QUOTA_MIGRATIONS: readonly Migration[] = [QUOTA_LEASES, ENDED_CAMPAIGNS];

/** How long a stream, an upload or a campaign that is not listed yet counts without a sign of life, ms. */
export const QUOTA_LEASE_MS = 90_000;
/** When to try again where there are too many at once, ms: a reader that left is noticed at the next heartbeat. */
const RETRY_AFTER_MS = { event_streams: 15_000, uploads: 5_000 };

/** The quotas that the gate counts itself: campaigns that are open, event streams and uploads at once. */
export class AccountQuotas {
  readonly #leases: QuotaLeases;
  readonly #campaigns: OpenCampaigns;
  /** Admissions of campaigns, one after the other: each counts what the one before admitted. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param listed the ids of the campaigns that D1 lists as open */
  constructor(sql: SqlStorage, listed: () => Promise<string[]>) {
    this.#leases = new QuotaLeases(sql);
    this.#campaigns = new OpenCampaigns(sql, listed);
  }

  /** @throws ApiError 429 where as many streams as there may be are open */
  openStream(id: string, campaign: string, quotas: Quotas, now: number): void {
    this.#take("event_streams", { id, campaign }, quotas, now);
  }

  /** The streams a campaign has now, and those it has asked for. */
  keepStreams(campaign: string, held: string[], asked: string[], now: number): void {
    this.#leases.keep("event_streams", campaign, held, asked, QUOTA_LEASE_MS, now);
  }

  closeStreams(ids: string[]): void {
    this.#leases.free("event_streams", ids);
  }

  /** An upload begins, of a new campaign. @throws ApiError 429 or 403 where there is one too many */
  async beginUpload(campaign: string, quotas: Quotas, now: number): Promise<void> {
    this.#take("uploads", { id: campaign, campaign }, quotas, now);
    try {
      await this.openCampaign(campaign, quotas, now);
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

  /** A campaign is to be open, again perhaps: it counts from now on. @throws ApiError 403 where it is one too many */
  openCampaign(id: string, { open_campaigns: most }: Quotas, now: number): Promise<void> {
    return this.#inTurn(async () => {
      if ((await this.#openCampaigns(now)) >= most) {
        throw new ApiError(403, "quota_exceeded", overQuota("open_campaigns", most));
      }
      this.#campaigns.reopened(id);
      this.#leases.take("open_campaigns", { id, campaign: id }, Number.MAX_SAFE_INTEGER, QUOTA_LEASE_MS, now);
    });
  }

  /** A campaign was stopped, completed or deleted; D1 may hear of it later. */
  campaignEnded(id: string): void {
    this.#campaigns.ended(id);
  }

  async used(now: number): Promise<Pick<Quotas, LeasedQuota>> {
    return {
      open_campaigns: await this.#openCampaigns(now),
      event_streams: this.#leases.used("event_streams", now),
      uploads: this.#leases.used("uploads", now),
    };
  }

  #openCampaigns(now: number): Promise<number> {
    return this.#campaigns.count(() => this.#leases.campaigns("open_campaigns", now));
  }

  #take(quota: "event_streams" | "uploads", lease: { id: string; campaign: string }, quotas: Quotas, now: number) {
    if (this.#leases.take(quota, lease, quotas[quota], QUOTA_LEASE_MS, now)) return;
    throw tooMany("quota_exceeded", overQuota(quota, quotas[quota]), RETRY_AFTER_MS[quota]);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => {});
    return mine;
  }
}
