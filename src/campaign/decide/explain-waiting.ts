import { admitCalls, admitCampaignCalls, type Usage } from "../../phone/call-limits/call-caps.ts";
import type { CallCaps } from "../../phone/call-limits/plans.ts";
import type { CampaignSettings } from "../settings.ts";
import { nextOpening } from "./calling-windows.ts";
import { type DispatchState, nextStep } from "./next-step.ts";

/** The account's caps, how many of its concurrent calls campaigns may use, and the usage. */
export interface AccountUsage {
  caps: CallCaps;
  campaign_slots: number;
  usage: Usage;
}

/** The properties of a contact that determine whether its campaign lets it wait. */
export interface WaitingContact {
  contact: { zone: number; next_attempt_at: number | null };
  /** Its own time zone; null for the campaign's. */
  zone: string | null;
  settings: Pick<CampaignSettings, "schedule_config" | "timezone">;
  statusReason: string | null;
  state: DispatchState;
}

/**
 * Returns the campaign's rule that holds the contact back, as the dispatcher would decide if there were no other
 * contacts; null if none does.
 */
export function heldByCampaign(
  { contact, zone, settings, statusReason, state }: WaitingContact,
  now: number,
): string | null {
  const own = zone ?? settings.timezone;
  const dueAt = contact.next_attempt_at ?? 0;
  const opensAt = nextOpening(settings.schedule_config, own, now);
  const queue = { zone: contact.zone, opensAt, due: dueAt <= now ? 1 : 0, nextDueAt: dueAt > now ? dueAt : null };
  const { waiting } = nextStep({ ...state, zones: [queue] }, now);
  switch (waiting) {
    case "not_running":
      return `the campaign is ${state.status}${statusReason === null ? "" : `: ${statusReason}`}`;
    case "schedule":
      return `the campaign is scheduled for ${time(state.scheduledAt)}`;
    case "carrier":
      return `the carrier is failing; dialing is paused until ${time(state.notBefore)}`;
    case "window":
      return opensAt === null
        ? "no calling window ever opens"
        : `the calling window in ${own} opens at ${time(opensAt)}`;
    case "retry":
      return `the next attempt is due at ${time(dueAt)}`;
    case "concurrency":
      return `the campaign's max_concurrency of ${state.maxConcurrency} is reached`;
    case "rate":
      return `the campaign's calls_per_minute of ${state.callsPerMinute} is reached`;
    default:
      return null;
  }
}

/** Returns the account's rule that holds a campaign's next call back; null if none does. */
export function heldByAccount({ caps, campaign_slots, usage }: AccountUsage, now: number): string | null {
  const { refusal } = admitCampaignCalls(caps, campaign_slots, usage, 1, now);
  if (refusal === null) return null;
  if (admitCalls(caps, usage, 1, now).refusal !== null)
    return `the account's ${refusal.cap.replace("_cap", "")} cap is reached`;
  const kept = caps.concurrent_calls - campaign_slots;
  return `campaigns are using all the calls available to them: ${kept} of the account's ${caps.concurrent_calls} concurrent_calls are reserved for other calls (inbound_reserve)`;
}

function time(ms: number | null): string {
  return new Date(ms ?? 0).toISOString();
}
