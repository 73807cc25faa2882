import type { CampaignContext } from "../context.ts";
import { type RevisedCampaign, revisedCampaign } from "../projection.ts";

type Context = Pick<CampaignContext, "store" | "claims" | "outbox" | "wake" | "report">;

/** Publishes a user's change to D1 at once, or later if that fails. Returns the changed campaign. */
export async function publish({ store, claims, outbox, wake, report }: Context): Promise<RevisedCampaign> {
  const changed = { ...store.campaign.existing };
  await wake();
  await claims.sayIfEnded(store.campaign.row).catch(report);
  await outbox.push("d1").catch(report);
  // The campaign may have been deleted in the meantime.
  return revisedCampaign(store.campaign.row ?? changed);
}
