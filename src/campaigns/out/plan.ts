import type { AccountStore } from "../../db/account-store.ts";
import type { CampaignPlan } from "../contract.ts";
import type { AccountUsage } from "../decide/explain-waiting.ts";
import { forecast, type PlannedCampaign } from "../decide/forecast.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { allWaiting, blockedWaiting } from "./waiting-groups.ts";

/** When the campaign would finish, and why contacts wait; null where it was deleted meanwhile. */
export async function planOf(
  store: CampaignStore,
  accountStore: AccountStore,
  account: AccountUsage,
  now: number,
): Promise<CampaignPlan | null> {
  const blocked = await blockedWaiting(store, accountStore, now);
  const all = await allWaiting(store, now);
  return store.campaign.row && forecast(plannedCampaign(store, account, now), account, all, blocked, now);
}

/** What a forecast needs to know of the campaign. */
export function plannedCampaign(
  { campaign, attempts }: CampaignStore,
  { caps }: AccountUsage,
  now: number,
): PlannedCampaign {
  const { settings, known } = campaign;
  const rate = Math.min(settings.calls_per_minute ?? Number.POSITIVE_INFINITY, caps.calls_per_minute);
  return {
    status: known.status,
    importing: known.importing === 1,
    endedAt: known.ended_at,
    settings,
    callLength: attempts.averageLength(),
    open: attempts.openCount(),
    dialledAt: attempts.dialledInMinute(now, rate),
  };
}
