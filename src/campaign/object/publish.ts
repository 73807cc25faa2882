import type { CampaignContext } from "../context.ts";
import { type RevisedCampaign, revisedCampaign } from "../view.ts";

type Context = Pick<CampaignContext, "store" | "claims" | "projection" | "wake" | "report" | "now">;

/** Publishes a change that a person made: to D1 at once, and again later if that fails. Gives the campaign as it is then. */
export async function publish({ store, claims, projection, wake, report, now }: Context): Promise<RevisedCampaign> {
  const changed = { ...store.campaign.known };
  await wake();
  await claims.sayIfEnded(store.campaign.row);
  await projection.pushNow(now()).catch(report);
  // It may have been deleted meanwhile.
  return revisedCampaign(store.campaign.row ?? changed);
}
