import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { ledgerVolume } from "../../../src/kernel/durable/objects.ts";
import type {
  CallLine,
  ConversationRow,
  LedgerReport,
  RecordingRow,
  ToolRunRow,
} from "../../../src/records/ledger/report.ts";

export const DAY = "2026-11-23";
export const AT = `${DAY}T09:00:00.000Z`;

/** Returns the time this many ms after `AT`. */
export const later = (ms: number) => new Date(Date.parse(AT) + ms).toISOString();

/** Returns the line of a campaign's call that was placed at `AT`. */
export function line(over: Partial<CallLine> = {}): CallLine {
  const base: CallLine = {
    direction: "outbound",
    status: "initiated",
    agent_id: "agent",
    agent_version: null,
    campaign_id: "campaign",
    contact_id: "contact",
    api_key_id: null,
    from_number: "+12025550100",
    to_number: "+13035550110",
    provider: "sandbox",
    credentials_id: null,
    provider_call_id: "CA1",
    end_reason: null,
    started_at: AT,
    connected_at: null,
    ended_at: null,
    disclosure: null,
    recorded: false,
    voicemail: null,
    message: null,
    message_until: null,
    metadata: {},
    variables: {},
    own_metadata: {},
  };
  return Object.assign(base, over);
}

export function lineReport(id: string, revision: number, over: Partial<CallLine> = {}): LedgerReport {
  return { part: "line", id, revision, line: line(over) };
}

/** A call that was answered and has ended. */
export const ENDED = {
  status: "completed",
  connected_at: later(5_000),
  ended_at: later(65_000),
  end_reason: "answered",
} as const;

/** Returns a conversation that began at `AT`. */
export function conversation(id: string, over: Partial<ConversationRow> = {}): ConversationRow {
  const base: ConversationRow = {
    id,
    revision: 1,
    session_key: id,
    kind: "widget",
    status: "live",
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
    started_at: AT,
    ended_at: null,
    end_reason: null,
    disclosure: null,
    disclosed: null,
    disclosed_at: null,
    transferred_to: null,
    disposition: null,
    turn_count: 0,
    tool_call_count: 0,
    usage: {
      input_tokens: 0,
      cached_tokens: 0,
      output_tokens: 0,
      audio_ms: 0,
      speech_chars: 0,
      carrier_s: 0,
      tool_runs: 0,
    },
    rates: null,
    latency: { first_ms: null, median_ms: null, max_ms: null },
    complete: false,
    archived: false,
    analysis_status: null,
    successful: null,
    analysis_brief: null,
  };
  return Object.assign(base, over);
}

export function recording(id: string, call_id: string, over: Partial<RecordingRow> = {}): RecordingRow {
  const base: RecordingRow = {
    id,
    call_id,
    agent_id: "agent",
    campaign_id: null,
    provider_recording_id: `RE-${id}`,
    content_type: "audio/wav",
    size_bytes: 100,
    duration_ms: 60_000,
    created_at: later(70_000),
  };
  return Object.assign(base, over);
}

/** Returns a tool run that was made at `AT`. */
export function toolRun(id: string, over: Partial<ToolRunRow> = {}): ToolRunRow {
  const base: ToolRunRow = {
    id,
    tool_name: "look_up",
    at: AT,
    conversation_id: null,
    tool_call_id: null,
    ok: true,
    status: 200,
    duration_ms: 10,
    error: null,
  };
  return Object.assign(base, over);
}

export type Volume = ReturnType<typeof ledgerVolume>;

/** Returns a volume of a new account. */
export function newVolume(day = DAY): Volume {
  return ledgerVolume(env, `t-${crypto.randomUUID()}`, day);
}

/** Runs a query on a volume's database. */
export function rowsOf<Row extends Record<string, SqlStorageValue>>(
  volume: Volume,
  query: string,
  ...values: SqlStorageValue[]
): Promise<Row[]> {
  return runInDurableObject(volume, (_, { storage }) => storage.sql.exec<Row>(query, ...values).toArray());
}

/** Returns the sum of each counter over all its keys. */
export async function counts(volume: Volume): Promise<Record<string, number>> {
  const rows = await rowsOf<Record<string, SqlStorageValue>>(volume, "SELECT * FROM counters");
  const sums: Record<string, number> = {};
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      if (typeof value === "number" && name !== "agent_version") sums[name] = (sums[name] ?? 0) + value;
  return sums;
}
