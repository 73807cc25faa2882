import { env } from "cloudflare:workers";
import { ledgerVolume } from "../../../src/kernel/durable/objects.ts";
import type { CallLine, ConversationRow, LedgerReport } from "../../../src/records/ledger/report.ts";
import type { Rate } from "../../../src/records/prices/cost.ts";
import { newId } from "../../support/ids.ts";

/** The beginning of today (UTC), ms. */
export const TODAY_MS = new Date().setUTCHours(0, 0, 0, 0);
export const today = (): string => new Date(TODAY_MS).toISOString().slice(0, 10);

/** Reports to the account's ledger, whose only volume begins with the account. */
export async function report(account: string, ...reports: LedgerReport[]): Promise<void> {
  await ledgerVolume(env, account, today()).report(reports);
}

/** Returns the report of a call that was created at `at`, ms. */
export function callReport(at: number, over: Partial<CallLine> = {}): LedgerReport {
  const line: CallLine = {
    direction: "outbound",
    status: "completed",
    agent_id: "agent",
    agent_version: null,
    campaign_id: null,
    contact_id: null,
    api_key_id: null,
    from_number: "+12025550100",
    to_number: "+13035550110",
    provider: "sandbox",
    credentials_id: null,
    provider_call_id: null,
    end_reason: "answered",
    started_at: new Date(at).toISOString(),
    connected_at: new Date(at).toISOString(),
    ended_at: new Date(at + 90_000).toISOString(),
    disclosure: null,
    recorded: false,
    voicemail: null,
    message: null,
    message_until: null,
    metadata: {},
    variables: {},
    own_metadata: {},
  };
  return { part: "line", id: newId(at), revision: 1, line: Object.assign(line, over) };
}

/**
 * Returns the report of a conversation that started at `at`, ms, and has ended, at this price per million uncached
 * tokens.
 */
export function conversationReport(
  at: number,
  unit_micros: number | null,
  over: Partial<ConversationRow> = {},
): Extract<LedgerReport, { part: "conversation" }> {
  const rate: Rate = { what: "model/gpt-4o/input", measure: "uncached_tokens", unit: "million_tokens", unit_micros };
  const id = newId(at);
  const row: ConversationRow = {
    id,
    revision: 1,
    session_key: id,
    kind: "widget",
    status: "ended",
    direction: null,
    agent_id: "agent",
    agent_version: null,
    prompt_id: null,
    call_id: null,
    campaign_id: null,
    contact_id: null,
    api_key_id: null,
    visitor_id: null,
    visitor_type: null,
    phone_number: null,
    variables: {},
    started_at: new Date(at).toISOString(),
    ended_at: new Date(at + 60_000).toISOString(),
    end_reason: "agent_ended",
    disclosure: null,
    disclosed: null,
    disclosed_at: null,
    transferred_to: null,
    disposition: null,
    turn_count: 2,
    tool_call_count: 0,
    usage: {
      input_tokens: 1_000_000,
      cached_tokens: 0,
      output_tokens: 7,
      audio_ms: 0,
      speech_chars: 0,
      carrier_s: 0,
      tool_runs: 1,
    },
    rates: [rate],
    latency: { first_ms: null, median_ms: null, max_ms: null },
    complete: true,
    archived: true,
    analysis_status: null,
    successful: null,
    analysis_brief: null,
  };
  return { part: "conversation", row: Object.assign(row, over) };
}
