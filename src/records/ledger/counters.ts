import { instantOf } from "../../kernel/instant-ids.ts";
import { costOf } from "../prices/cost.ts";
import type { CallStatus } from "./call-status.ts";
import { type EndReason, endReasonOnRecord } from "./end-reason.ts";
import type { CallRow, ConversationRow, UsageRow } from "./report.ts";

/** The columns by which counters are grouped; "" and 0 mean none. */
export interface CounterKey {
  hour: string;
  agent_id: string;
  agent_version: number;
  campaign_id: string;
  kind: string;
  direction: string;
  api_key_id: string;
}

/** What one row of the ledger adds to the counters. It depends on nothing but the row. */
export interface Contribution {
  key: CounterKey;
  sums: Record<string, number>;
}

/** Checks whether a person or machine answered a call that is over, even if the answer itself was not reported. */
export function wasAnswered({ status, connected_at }: Pick<CallRow, "status" | "connected_at">): boolean {
  return status === "completed" || connected_at !== null;
}

/** The fields of a call that determine how it is counted. */
export type CountedCall = Counted &
  Pick<
    CallRow,
    "line_revision" | "status" | "connected_at" | "ended_at" | "end_reason" | "metadata" | "hangup_requested"
  >;

/** Returns why a call ended; null while it runs. */
export function callEndReason(row: Omit<CountedCall, keyof Counted>): EndReason | null {
  const { status, ended_at, end_reason, metadata, hangup_requested } = row;
  if (ended_at === null) return null;
  return endReasonOnRecord({
    status: status as CallStatus,
    end_reason,
    by_machine: metadata.answered_by === "machine",
    hangup_requested,
  });
}

/** Returns what a call counts for; null until its line is reported. */
export function callContribution(row: CountedCall | null): Contribution | null {
  if (row === null || row.line_revision === 0) return null;
  const reason = callEndReason(row);
  const over = reason !== null;
  const answered = wasAnswered(row) && row.metadata.answered_by !== "machine" && reason !== "machine";
  const sums: Record<string, number> = {
    calls: 1,
    running: over ? 0 : 1,
    answered: answered ? 1 : 0,
    decided: answered || over ? 1 : 0,
    talk_ms: timeBetween(row.connected_at, row.ended_at),
  };
  if (over) sums[`ended_${reason}`] = 1;
  return { key: keyOf(row, "call"), sums };
}

/** Returns what a conversation counts for. */
export function conversationContribution(row: ConversationRow | null): Contribution | null {
  if (row === null) return null;
  const { started_at, ended_at, usage, rates } = row;
  const cost = costOf(usage, rates ?? []);
  return {
    key: keyOf(row, row.kind),
    sums: {
      conversations: 1,
      conversation_ms: timeBetween(started_at, ended_at),
      input_tokens: usage.input_tokens,
      cached_tokens: usage.cached_tokens,
      output_tokens: usage.output_tokens,
      speech_chars: usage.speech_chars,
      carrier_s: usage.carrier_s,
      tool_runs: usage.tool_runs,
      model_errors: usage.model_errors ?? 0,
      cost_micros: cost.amount_micros,
      cost_incomplete: cost.complete ? 0 : 1,
    },
  };
}

/** Returns what usage outside conversations counts for. */
export function usageContribution(row: UsageRow): Contribution {
  const { kind, input_tokens, cached_tokens, output_tokens, models, rates } = row;
  const none = { audio_ms: 0, speech_chars: 0, carrier_s: 0, tool_runs: 0 };
  const tokens = { input_tokens, cached_tokens, output_tokens };
  const cost = costOf(Object.assign(tokens, none, models && { models }), rates);
  const key = keyOf(Object.assign({ campaign_id: null, direction: null }, row), kind);
  const cost_incomplete = cost.complete ? 0 : 1;
  return {
    key,
    sums: { input_tokens, cached_tokens, output_tokens, cost_micros: cost.amount_micros, cost_incomplete },
  };
}

/** Returns what all analyses of a conversation count for; null if there was none. */
export function analysisContribution(row: ConversationRow | null): Contribution | null {
  if (!row?.analysis_brief) return null;
  const { usage, rates, past } = row.analysis_brief;
  const cost = costOf(Object.assign({ audio_ms: 0, speech_chars: 0, carrier_s: 0, tool_runs: 0 }, usage), rates ?? []);
  return {
    key: keyOf(row, "analysis"),
    sums: {
      input_tokens: past.input_tokens + usage.input_tokens,
      cached_tokens: past.cached_tokens + usage.cached_tokens,
      output_tokens: past.output_tokens + usage.output_tokens,
      cost_micros: past.cost_micros + cost.amount_micros,
      cost_incomplete: past.cost_incomplete + (cost.complete ? 0 : 1),
    },
  };
}

/** Returns the ms between two times; 0 if one is unknown, or if carriers' clocks report them in the wrong order. */
export function timeBetween(from: string | null, to: string | null): number {
  if (from === null || to === null) return 0;
  return Math.max(0, Date.parse(to) - Date.parse(from)) || 0;
}

type Counted = Pick<
  CallRow | ConversationRow,
  "id" | "agent_id" | "agent_version" | "campaign_id" | "direction" | "api_key_id"
>;

/** Returns the key of a row, which counts in the hour of its id, so that each day's counters are in one volume. */
function keyOf(row: Counted, kind: string): CounterKey {
  return {
    hour: new Date(instantOf(row.id) ?? 0).toISOString().slice(0, 13),
    agent_id: row.agent_id,
    agent_version: row.agent_version ?? 0,
    campaign_id: row.campaign_id ?? "",
    kind,
    direction: row.direction ?? "",
    api_key_id: row.api_key_id ?? "",
  };
}

/** Changes of counters, summed during a transaction and written at its end. */
export class CounterChanges {
  readonly #changes = new Map<string, Contribution>();

  /** Replaces what a row counted for by what it counts for now. */
  replace(before: Contribution | null, after: Contribution | null): void {
    if (before) this.#add(before, -1);
    if (after) this.#add(after, 1);
  }

  /** Writes the changes in the caller's transaction and returns the days (UTC) that changed. */
  write(sql: SqlStorage): Set<string> {
    const days = new Set<string>();
    for (const { key, sums } of this.#changes.values()) {
      const changed = Object.entries(sums).filter(([, by]) => by !== 0);
      if (changed.length === 0) continue;
      add(sql, key, changed);
      days.add(key.hour.slice(0, 10));
    }
    return days;
  }

  #add({ key, sums }: Contribution, sign: 1 | -1): void {
    const name = Object.values(key).join("\n");
    const change = this.#changes.get(name) ?? { key, sums: {} };
    for (const [sum, by] of Object.entries(sums)) change.sums[sum] = (change.sums[sum] ?? 0) + sign * by;
    this.#changes.set(name, change);
  }
}

/**
 * Adds to the counters of a key. The names of sums come from the ledger, never from a client, so they are safe in SQL.
 */
function add(sql: SqlStorage, key: CounterKey, sums: [name: string, by: number][]): void {
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
