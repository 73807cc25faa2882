import { costOf } from "../usage/cost.ts";
import type { CallStatus } from "./call-status.ts";
import { endReasonOnRecord } from "./end-reason.ts";
import type { CallRow, ConversationRow } from "./report.ts";

/** What a row of counters is by; "" and 0 stand for none. */
export interface CounterKey {
  hour: string;
  agent_id: string;
  agent_version: number;
  campaign_id: string;
  kind: string;
  direction: string;
  api_key_id: string;
}

/** What one row of the ledger adds to the counters: a pure function of it. */
export interface Contribution {
  key: CounterKey;
  sums: Record<string, number>;
}

/** Whether somebody or a machine picked up a call that is over: that it was answered may not have been reported. */
export function wasAnswered({ status, connected_at }: Pick<CallRow, "status" | "connected_at">): boolean {
  return status === "completed" || connected_at !== null;
}

/** What a call counts for; null while only other parts of it have come. */
export function callContribution(row: CallRow | null): Contribution | null {
  if (row === null || row.line_revision === 0) return null;
  const { status, connected_at, ended_at, end_reason, metadata, hangup_requested } = row;
  const reason = endReasonOnRecord({
    status: status as CallStatus,
    end_reason,
    by_machine: metadata.answered_by === "machine",
    hangup_requested,
  });
  const over = ended_at !== null;
  const answered = wasAnswered(row) && reason !== "machine";
  const sums: Record<string, number> = {
    calls: 1,
    running: over ? 0 : 1,
    answered: answered ? 1 : 0,
    decided: answered || over ? 1 : 0,
    talk_ms: connected_at !== null && over ? Date.parse(ended_at) - Date.parse(connected_at) : 0,
  };
  if (over) sums[`ended_${reason}`] = 1;
  return { key: keyOf(row, row.created_at, "call"), sums };
}

/** What a conversation counts for. */
export function conversationContribution(row: ConversationRow | null): Contribution | null {
  if (row === null) return null;
  const { started_at, ended_at, usage, rates } = row;
  const cost = costOf(usage, rates ?? []);
  return {
    key: keyOf(row, started_at, row.kind),
    sums: {
      conversations: 1,
      conversation_ms: ended_at === null ? 0 : Date.parse(ended_at) - Date.parse(started_at),
      input_tokens: usage.input_tokens,
      cached_tokens: usage.cached_tokens,
      output_tokens: usage.output_tokens,
      speech_chars: usage.speech_chars,
      carrier_s: usage.carrier_s,
      tool_runs: usage.tool_runs,
      cost_micros: cost.amount_micros,
      cost_incomplete: cost.complete ? 0 : 1,
    },
  };
}

type Counted = Pick<
  CallRow | ConversationRow,
  "agent_id" | "agent_version" | "campaign_id" | "direction" | "api_key_id"
>;

function keyOf(row: Counted, at: string, kind: string): CounterKey {
  return {
    hour: at.slice(0, 13),
    agent_id: row.agent_id,
    agent_version: row.agent_version ?? 0,
    campaign_id: row.campaign_id ?? "",
    kind,
    direction: row.direction ?? "",
    api_key_id: row.api_key_id ?? "",
  };
}

/** Replaces what a row counted for before by what it counts for now, in the caller's transaction. */
export function recount(sql: SqlStorage, before: Contribution | null, after: Contribution | null): void {
  if (before && after && isSame(before.key, after.key)) {
    add(sql, after.key, difference(before.sums, after.sums));
    return;
  }
  if (before) add(sql, before.key, difference(before.sums, {}));
  if (after) add(sql, after.key, difference({}, after.sums));
}

function isSame(a: CounterKey, b: CounterKey): boolean {
  return Object.values(a).join("\n") === Object.values(b).join("\n");
}

function difference(before: Record<string, number>, after: Record<string, number>): [string, number][] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((name): [string, number] => [name, (after[name] ?? 0) - (before[name] ?? 0)])
    .filter(([, by]) => by !== 0);
}

/** The names of sums are the ledger's own, never a client's. */
function add(sql: SqlStorage, key: CounterKey, sums: [name: string, by: number][]): void {
  if (sums.length === 0) return;
  const keys = Object.keys(key);
  const names = sums.map(([name]) => name);
  const marks = Array.from({ length: keys.length + names.length }, () => "?").join(", ");
  sql.exec(
    `INSERT INTO counters (${[...keys, ...names].join(", ")}) VALUES (${marks})
      ON CONFLICT DO UPDATE SET ${names.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`,
    ...Object.values(key),
    ...sums.map(([, by]) => by),
  );
}
