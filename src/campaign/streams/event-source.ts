import type { EventSource } from "../../kernel/streams/event-hub.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { campaignView, eventView } from "../view.ts";

/** Adapts a campaign's history for its streams. */
export function eventSource(store: CampaignStore, id: string, storage: DurableObjectStorage): EventSource {
  return {
    after: (seq, limit) =>
      store.log.after(seq, limit).map((row) => ({ seq: row.seq, event: row.event, data: eventView(id, row) })),
    snapshot: () => {
      const { seq } = store.campaign.existing;
      return { seq, data: { seq, campaign_id: id, ...campaignView(store.campaign.existing) } };
    },
    storage,
  };
}
