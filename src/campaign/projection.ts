import { recordedAssumptions } from "../lists/rows.ts";
import { FOUND_ALONE, type ValuedState } from "../records/analysis/analysis.ts";
import { type HeldAnalysis, valuesIn } from "../records/analysis/brief.ts";
import { contactId, shownNumber } from "./contact-id.ts";
import type { AttemptRecord, CampaignRecord, ContactRecord } from "./contract.ts";
import { storedSettings } from "./settings.ts";
import type { AttemptRow } from "./store/attempt-row.ts";
import type { CampaignRow } from "./store/campaign-row.ts";
import type { ListedContact } from "./store/contact-listing.ts";
import type { ContactRow } from "./store/contacts.ts";
import type { LogEntry } from "./store/log.ts";

const time = (ms: number) => new Date(ms).toISOString();
const timeOrNull = (ms: number | null) => (ms === null ? null : time(ms));

export type RevisedCampaign = CampaignRecord & { revision: number };

export function revisedCampaign(row: CampaignRow): RevisedCampaign {
  return { ...projectCampaign(row), revision: row.settings_revision };
}

export function projectCampaign(row: CampaignRow): CampaignRecord {
  const settings = storedSettings(row.settings);
  const { pending, originated, connected, completed, failed, cancelled } = row;
  return {
    id: row.id,
    ...settings,
    status: row.status,
    status_reason: row.status_reason,
    total_contacts: row.accepted,
    counts: { pending, originated, connected, completed, failed, cancelled },
    import: {
      accepted: row.accepted,
      rejected: row.rejected,
      duplicates: row.duplicates,
      assumed: recordedAssumptions(row.assumed),
    },
    created_by: row.created_by,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    started_at: timeOrNull(row.started_at),
    ended_at: timeOrNull(row.ended_at),
  };
}

/** Returns the analysis of the conversation of a contact's latest call; null for none. */
export function heldAnalysis({ analysis }: Pick<ListedContact, "analysis">): HeldAnalysis | null {
  return analysis === null ? null : (JSON.parse(analysis) as HeldAnalysis);
}

/**
 * Returns a contact as clients see it. `timezone` is its own time zone, if it has one; `states` are the states of the
 * values to show.
 */
export function projectContact(
  campaign: string,
  columns: string[],
  row: ListedContact,
  { timezone = null, states = FOUND_ALONE }: { timezone?: string | null; states?: readonly ValuedState[] } = {},
): ContactRecord {
  const analysis = heldAnalysis(row);
  return {
    id: contactId(campaign, row.id),
    position: row.position,
    phone_number: shownNumber(row.phone),
    timezone,
    status: row.status,
    outcome: row.outcome,
    failure_reason: row.failure_reason,
    attempt_count: row.attempts,
    last_attempt_at: timeOrNull(row.last_attempt_at),
    next_attempt_at: row.next_attempt_at ? time(row.next_attempt_at) : null,
    call_id: row.call_id,
    conversation_id: row.conversation_id,
    disposition: row.disposition,
    agent_version: row.agent_version,
    successful: analysis?.successful ?? null,
    summary: analysis?.summary ?? null,
    data: analysis === null ? {} : valuesIn(analysis, states),
    variables: Object.fromEntries(namedVariables(columns, row.variables)),
    updated_at: time(row.updated_at),
  };
}

/** Returns a contact's variables as pairs of column and value. */
export function namedVariables(columns: string[], variables: string): [name: string, value: string][] {
  const values: string[] = JSON.parse(variables);
  return columns.map((column, i) => [column, values[i] ?? ""]);
}

/** Returns the values for rendering the texts of a contact's call: its number and its columns. */
export function contactVariables(
  columns: string,
  { phone, variables }: Pick<ContactRow, "phone" | "variables">,
): [name: string, value: string][] {
  return [["phone_number", shownNumber(phone)], ...namedVariables(JSON.parse(columns), variables)];
}

export function projectAttempt(row: AttemptRow): AttemptRecord {
  return {
    attempt: row.number,
    call_id: row.call_id,
    status: row.status,
    outcome: row.outcome,
    reason: row.reason,
    message_left: row.message === "left",
    conversation_id: row.conversation_id,
    disposition: row.disposition,
    agent_version: row.agent_version ?? row.pinned_version,
    provider: row.provider,
    provider_call_id: row.provider_call_id,
    dialled_at: time(row.dialled_at),
    connected_at: timeOrNull(row.connected_at),
    ended_at: timeOrNull(row.ended_at),
  };
}

export function projectEvent(campaign: string, row: LogEntry): Record<string, unknown> {
  const { seq, status, reason } = row;
  if (row.contact === null) {
    return { seq, campaign_id: campaign, status, reason, counts: JSON.parse(row.counts ?? "null"), at: time(row.at) };
  }
  return {
    seq,
    campaign_id: campaign,
    contact_id: contactId(campaign, row.contact),
    position: row.position,
    phone_number: shownNumber(row.phone),
    status,
    previous_status: row.previous_status,
    attempt: row.attempt,
    call_id: row.call_id,
    reason,
    at: time(row.at),
  };
}
