import { type NewEvent, newEvent } from "../../records/events/event.ts";
import type { EventData } from "../../records/events/types.ts";
import { contactId, shownNumber } from "../contact-id.ts";
import type { CampaignStatus, Outcome } from "../decide/state.ts";
import type { StoredSettings } from "../settings.ts";
import type { Milestone } from "../store/log.ts";

export interface ReportedCampaign {
  id: string;
  settings: Pick<StoredSettings, "name" | "agent_id">;
  total_contacts: number;
}

const CAMPAIGN_EVENTS = {
  resumed: "campaign.resumed",
  running: "campaign.started",
  paused: "campaign.paused",
  stopped: "campaign.stopped",
  completed: "campaign.completed",
} as const;

/** Returns the event of a change from one status to another; null for none. */
function campaignEventType(before: CampaignStatus, after: CampaignStatus) {
  if (before === after || after === "draft") return null;
  return CAMPAIGN_EVENTS[after === "running" && before !== "draft" ? "resumed" : after];
}

/**
 * Returns the account's events for entries of a campaign's history, in order, and the campaign's status after them.
 * `status` is the status before them.
 */
export function milestoneEvents(
  campaign: ReportedCampaign,
  milestones: Milestone[],
  status: CampaignStatus,
): { events: NewEvent[]; status: CampaignStatus } {
  const events: NewEvent[] = [];
  let last = status;
  for (const entry of milestones) {
    if (entry.contact !== null) {
      events.push(contactEvent(campaign, entry, entry.contact));
      continue;
    }
    const after = entry.status as CampaignStatus;
    const type = campaignEventType(last, after);
    last = after;
    if (type !== null)
      events.push(newEvent(type, instant(entry), campaign.id, campaignData(campaign, entry), entry.seq));
  }
  return { events, status: last };
}

function campaignData(
  { id, settings, total_contacts }: ReportedCampaign,
  { status, actor, reason, counts }: Milestone,
): EventData<"campaign.started"> {
  return {
    campaign_id: id,
    name: settings.name,
    status: status as CampaignStatus,
    // For a user's act, the campaign has no reason of its own.
    status_reason: actor === null ? reason : null,
    agent_id: settings.agent_id,
    total_contacts,
    counts: JSON.parse(counts ?? "{}"),
    url: `/api/v1/campaigns/${id}`,
  };
}

/** Returns the event of a contact. The entry's number distinguishes repeated events of the same contact. */
function contactEvent({ id: campaign_id, settings }: ReportedCampaign, entry: Milestone, row: number): NewEvent {
  const { call_id, phone, attempts, agent_id, reason, seq } = entry;
  const contact_id = contactId(campaign_id, row);
  const status = entry.status === "completed" ? "completed" : "failed";
  const data: EventData<"contact.completed"> = {
    campaign_id,
    contact_id,
    agent_id: agent_id ?? settings.agent_id,
    phone_number: shownNumber(phone),
    status,
    outcome: outcomeOf(entry),
    reason: entry.status === "completed" ? null : reason,
    attempt_count: attempts ?? 0,
    call_id,
    url: `/api/v1/campaigns/${campaign_id}/contacts/${contact_id}`,
  };
  return newEvent(`contact.${status}`, instant(entry), contact_id, data, seq);
}

/** Returns the outcome at the time of the entry. A machine that is detected later is another entry. */
function outcomeOf({ status, outcome, call_id, reason }: Milestone): Outcome | null {
  if (status === "completed") return "answered";
  if (call_id !== null) return outcome;
  return reason === "do_not_call" ? "do_not_call" : "rejected";
}

const instant = ({ at }: Milestone) => new Date(at).toISOString();
