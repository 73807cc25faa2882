import { jsonBytes } from "../../kernel/http/fields.ts";
import { MAX_VARIABLES_BYTES } from "../../phone/calls/contract.ts";
import { endNotes, endReason } from "../../records/ledger/end-reason.ts";
import type { CallLine, LedgerReport } from "../../records/ledger/report.ts";
import { contactId, shownNumber } from "../contact-id.ts";
import { namedVariables } from "../projection.ts";
import { type AttemptOfContact, disclosureIn } from "../store/attempt-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";

export type LineReport = Extract<LedgerReport, { part: "line" }>;

/** Returns the report of an attempt for the account's ledger. `columns` are those of its contact. */
export function lineReport(campaign: string, columns: string[], attempt: AttemptOfContact): LineReport {
  // The outcome of a message comes from the campaign itself, not from the carrier.
  const reason = attempt.message === null ? attempt.reason : null;
  const end = { status: attempt.status, reason, answered_by: attempt.answered_by, own: attempt.outcome };
  const over = attempt.ended_at !== null;
  const end_reason = over ? endReason(end) : null;
  const metadata: Record<string, unknown> = over ? endNotes(end) : {};
  if (attempt.answered_by !== null) metadata.answered_by = attempt.answered_by;
  if (over && attempt.message === "left") metadata.message_left = true;
  const line: CallLine = {
    direction: "outbound",
    status: attempt.status,
    agent_id: attempt.agent_id,
    agent_version: attempt.agent_version ?? attempt.pinned_version,
    campaign_id: campaign,
    contact_id: contactId(campaign, attempt.contact),
    api_key_id: null,
    from_number: attempt.from_number,
    to_number: shownNumber(attempt.phone),
    provider: attempt.provider,
    credentials_id: attempt.credentials_id,
    provider_call_id: attempt.provider_call_id,
    end_reason,
    started_at: time(attempt.dialled_at),
    connected_at: time(attempt.connected_at),
    ended_at: time(attempt.ended_at),
    disclosure: disclosureIn(attempt.disclosure),
    recorded: attempt.recorded === 1,
    voicemail: null,
    message: null,
    message_until: null,
    metadata,
    variables: variablesOf(attempt, columns),
    own_metadata: {},
  };
  return { part: "line", id: attempt.call_id, revision: attempt.revision, line };
}

/** Returns the current report of a call; null if the campaign has no such call. */
export function lineReportOf({ campaign, attempts }: CampaignStore, callId: string): LineReport | null {
  const attempt = campaign.row && attempts.ofContactCalled(callId, MAX_VARIABLES_BYTES);
  if (!attempt) return null;
  const { id, columns } = campaign.existing;
  return lineReport(id, JSON.parse(columns), attempt);
}

const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Returns the columns of the call's contact, unless they exceed the limit for a single call. */
function variablesOf({ variables }: AttemptOfContact, columns: string[]): Record<string, string> {
  const named = variables === null ? {} : Object.fromEntries(namedVariables(columns, variables));
  return jsonBytes(named) <= MAX_VARIABLES_BYTES ? named : {};
}
