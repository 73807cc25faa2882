import { InTurn } from "../../kernel/durable/in-turn.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { eachQuota, overQuota, type QuotaName, type Quotas, type QuotaUse } from "../plan/quotas.ts";
import type { Listing } from "./listing.ts";
import { OpenCampaigns } from "./open-campaigns.ts";

/** The quotas that D1 and the gate count: rows, and open campaigns. */
export class AccountQuotas {
  readonly #campaigns: OpenCampaigns;
  readonly #limits: () => Promise<Quotas>;
  /** Admits campaigns one at a time, so that each one counts those admitted before it. */
  readonly #turns = new InTurn();

  /** @param limits returns the current limits */
  constructor(sql: SqlStorage, limits: () => Promise<Quotas>, read: () => Promise<Listing>) {
    this.#campaigns = new OpenCampaigns(sql, read);
    this.#limits = limits;
  }

  /** Releases the reservation of a campaign that was being created, because D1 now lists it or it is gone. */
  async campaignListed(campaign: string): Promise<void> {
    await this.#turns.run(async () => this.#campaigns.listed(campaign));
  }

  /** Counts a new or reopened campaign as open from now on. @throws ApiError 403 if the quota is reached */
  openCampaign(id: string, clock: () => number): Promise<void> {
    return this.#turns.run(async () => {
      const { open_campaigns: most } = await this.#limits();
      const { open } = await this.#campaigns.count(clock);
      if (open >= most) throw new ApiError(403, "quota_exceeded", overQuota("open_campaigns", most));
      this.#campaigns.reserve(id, clock());
    });
  }

  /** Records that a campaign was stopped or has completed, before D1 shows it. */
  campaignEnded(id: string): void {
    this.#campaigns.ended(id);
  }

  /** Returns every quota and how much of it is used. */
  async use(clock: () => number): Promise<Record<QuotaName, QuotaUse>> {
    const limits = await this.#limits();
    const { open, used } = await this.#campaigns.count(clock);
    const usedOf = (name: QuotaName) => (name === "open_campaigns" ? open : (used[name] ?? 0));
    return eachQuota((name) => ({ limit: limits[name], used: usedOf(name) }));
  }
}
