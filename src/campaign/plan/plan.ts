import type { CampaignContext } from "../context.ts";
import type { AccountUsage } from "../decide/explain-waiting.ts";
import { forecast, type PlannedCampaign } from "../decide/forecast.ts";
import type { WaitingGroup } from "../decide/waiting-zone.ts";
import type { CampaignPlan } from "../plan-contract.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { type PreflightContext, preflight } from "./preflight.ts";
import { samples } from "./samples.ts";
import { allWaiting, blockedWaiting } from "./waiting-groups.ts";

type PlanContext = PreflightContext & Pick<CampaignContext, "guard" | "usage" | "now">;

/**
 * Returns when the campaign would finish, why contacts wait, and what to check before it dials. @throws ApiError 404
 */
export async function planOf(context: PlanContext): Promise<CampaignPlan> {
  const { store, guard, usage } = context;
  guard.existing();
  const account = await usage();
  const now = context.now();
  const blocked = await blockedWaiting(context, now);
  const all = await allWaiting(store, now);
  guard.existing();
  const checked = await preflight(context, account, all, now);
  guard.existing();
  const shown = {
    contacts_revision: store.campaign.existing.contacts_revision,
    timezones: zoneShares(all, store.campaign.settings.timezone),
    warnings: checked.warnings,
    samples: samples(store, checked, now),
  };
  return { ...(await forecast(plannedCampaign(store, account, now), account, all, blocked, now)), ...shown };
}

export function plannedCampaign(
  { campaign, attempts }: CampaignStore,
  { caps }: AccountUsage,
  now: number,
): PlannedCampaign {
  const { settings, existing } = campaign;
  const rate = Math.min(settings.calls_per_minute ?? Number.POSITIVE_INFINITY, caps.calls_per_minute);
  return {
    status: existing.status,
    importing: existing.importing === 1,
    endedAt: existing.ended_at,
    settings,
    callLength: attempts.averageLength(),
    open: attempts.openCount(),
    dialledAt: attempts.dialledInMinute(now, rate),
  };
}

interface ZoneShare {
  /** Null for all other zones together. */
  timezone: string | null;
  contacts: number;
  /** Whether it is the contacts' own zone, or the campaign's for those without one. */
  source: "campaign" | "contact" | "others";
}

/** Maximum number of time zones that are named; the rest are summed. */
const NAMED = 20;

/** Returns the time zones of the waiting contacts, most contacts first. */
export function zoneShares(groups: WaitingGroup[], timezone: string): ZoneShare[] {
  const shares = [...Map.groupBy(groups, ({ zone }) => zone).values()]
    .map((ofZone): ZoneShare => {
      const name = ofZone[0]?.name ?? null;
      const contacts = ofZone.reduce((sum, { n }) => sum + n, 0);
      return { timezone: name ?? timezone, contacts, source: name === null ? "campaign" : "contact" };
    })
    .filter(({ contacts }) => contacts > 0)
    .sort((a, b) => b.contacts - a.contacts);
  const others = shares.slice(NAMED).reduce((sum, { contacts }) => sum + contacts, 0);
  if (others === 0) return shares;
  return [...shares.slice(0, NAMED), { timezone: null, contacts: others, source: "others" }];
}
