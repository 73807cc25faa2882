import type { EventSource } from "../../kernel/streams/event-hub.ts";
import { projectCampaign, projectEvent } from "../projection.ts";
import type { CampaignStore } from "../store/campaign-store.ts";

/** Adapts a campaign's history for its streams. */
export function eventSource(store: CampaignStore, id: string, storage: DurableObjectStorage): EventSource {
  return {
    after: (seq, limit) =>
      store.log.after(seq, limit).map((row) => ({ seq: row.seq, event: row.event, data: projectEvent(id, row) })),
    snapshot: () => {
      const { seq } = store.campaign.existing;
      return { seq, data: { seq, campaign_id: id, ...projectCampaign(store.campaign.existing) } };
    },
    storage,
  };
}
