import { conflict, notFound } from "../kernel/http/errors.ts";
import { type AgentIds, isWithin } from "../kernel/scopes.ts";
import type { CampaignRow } from "./store/campaign-row.ts";
import type { CampaignStore } from "./store/campaign-store.ts";

/** @throws ApiError 409 if the campaign's object is nearly full, because the remaining room is for its calls */
export function assertRoom({ isFull }: Pick<CampaignStore, "isFull">): void {
  if (isFull) throw conflict("campaign_full", "the campaign's storage is full; put these contacts in another campaign");
}

/** A long task on the whole campaign. If its process dies, it ends. */
type Activity = "importing" | "starting" | "removing";

/** Decides which operations the campaign allows now, and tracks the current task of this instance of its object. */
export class CampaignGuard {
  readonly #store: CampaignStore;
  readonly #activities = new Set<Activity>();

  constructor(store: CampaignStore) {
    this.#store = store;
  }

  is(activity: Activity): boolean {
    return this.#activities.has(activity);
  }

  async while<T>(activity: Activity, work: () => Promise<T>): Promise<T> {
    this.#activities.add(activity);
    try {
      return await work();
    } finally {
      this.#activities.delete(activity);
    }
  }

  /** Checks whether the object has a campaign, and whether its agent is one of these. */
  has(agentIds: AgentIds): boolean {
    const { campaign } = this.#store;
    return campaign.row !== null && (agentIds === null || isWithin(agentIds, campaign.settings.agent_id));
  }

  /** @throws ApiError 404 if the object has no campaign of one of these agents */
  existing(agentIds: AgentIds = null): CampaignRow {
    const { row } = this.#store.campaign;
    if (row === null || !this.has(agentIds)) throw notFound("campaign");
    return row;
  }

  /** @throws ApiError 404; 409 while an upload is being read or the campaign is being deleted */
  settled(): CampaignRow {
    const row = this.existing();
    if (this.is("removing")) throw conflict("wrong_state", "the campaign is being deleted");
    if (row.importing || row.append_after !== null) throw conflict("importing", "the upload is still being read");
    return row;
  }
}
