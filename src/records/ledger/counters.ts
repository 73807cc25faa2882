import { instantOf } from "../../kernel/instant-ids.ts";
import { costOf, type PricedUsage, type Rate, shareOf } from "../prices/cost.ts";
import { modelOfRates } from "../prices/rates.ts";
import { recordedEndReason } from "./end-reason.ts";
import type { CallRow, ConversationRow, UsageRow } from "./report.ts";
import type { UsageSum } from "./usage.ts";

/** The columns by which counters are grouped; "" and 0 mean none. */
export interface CounterKey {
  hour: string;
  agent_id: string;
  agent_version: number;
  campaign_id: string;
  kind: string;
  direction: string;
  api_key_id: string;
  /** The model that answered, by its name in the price list. */
  model: string;
}

/** The amounts that one row of the ledger adds to the counters. They depend only on the row. */
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

/** Returns what a call adds to the counters; null until its line is reported. */
export function callContribution(row: CountedCall | null): Contribution | null {
  if (row === null || row.line_revision === 0) return null;
  const reason = row.ended_at === null ? null : recordedEndReason(row);
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
  return { key: keyOf(row, "call", ""), sums };
}

export function callContributions(row: CountedCall | null): Contribution[] {
  const contribution = callContribution(row);
  return contribution === null ? [] : [contribution];
}

/**
 * Returns what a conversation adds to the counters: one contribution for the model that wrote more, and another for
 * what its other model used.
 */
export function conversationContributions(row: ConversationRow | null): Contribution[] {
  if (row === null) return [];
  const { started_at, ended_at, usage } = row;
  const counted = {
    conversations: 1,
    conversation_ms: timeBetween(started_at, ended_at),
    speech_chars: usage.speech_chars,
    carrier_s: usage.carrier_s,
    tool_runs: usage.tool_runs,
    model_errors: usage.model_errors ?? 0,
  };
  const [main, ...other] = sumsByModel(usage, row.rates ?? []);
  return [
    { key: keyOf(row, row.kind, main.model), sums: Object.assign(counted, main.sums) },
    ...other.map(({ model, sums }) => ({ key: keyOf(row, row.kind, model), sums })),
  ];
}

export function usageContributions(row: UsageRow): Contribution[] {
  const { kind, input_tokens, cached_tokens, output_tokens, models, rates } = row;
  const usage = Object.assign({ input_tokens, cached_tokens, output_tokens }, NO_SPEECH, models && { models });
  const counted = Object.assign({ campaign_id: null, direction: null }, row);
  return sumsByModel(usage, rates).map(({ model, sums }) => ({ key: keyOf(counted, kind, model), sums }));
}

/**
 * Returns what all analyses of a conversation add to the counters. Those before the latest are counted under the model
 * of the last of them.
 */
export function analysisContributions(row: ConversationRow | null): Contribution[] {
  if (!row?.analysis_brief) return [];
  const { usage, rates, past } = row.analysis_brief;
  const { model, ...sums } = past;
  const latest = sumsByModel(Object.assign({}, NO_SPEECH, usage), rates ?? []);
  return [{ model: model ?? "", sums }, ...latest].map((one) => ({
    key: keyOf(row, "analysis", one.model),
    sums: one.sums,
  }));
}

export function totalOf(contributions: readonly Contribution[], name: UsageSum): number {
  return contributions.reduce((total, { sums }) => total + (sums[name] ?? 0), 0);
}

const NO_SPEECH = { speech_chars: 0, carrier_s: 0 };

/** The tokens and costs of a model; the names are those of the counters. */
type ModelSums = Record<"input_tokens" | "cached_tokens" | "output_tokens" | "cost_micros" | "cost_incomplete", number>;
interface OfModel {
  model: string;
  sums: ModelSums;
}

/**
 * Returns the tokens and costs by model. The model that wrote more comes first and includes everything that belongs to
 * no model. The parts add up to the whole, and at most one of them is incomplete.
 */
function sumsByModel(usage: PricedUsage, rates: readonly Rate[]): [OfModel, ...OfModel[]] {
  const whole = sumsOf(usage, rates);
  if (!rates.some(({ fallback }) => fallback !== undefined)) return [{ model: modelOfRates(rates), sums: whole }];
  const [first, second] = [shareOf(usage, false), shareOf(usage, true)];
  const isSecondMain = second.output_tokens > first.output_tokens;
  const ofOther = rates.filter(({ fallback }) => fallback === !isSecondMain);
  const { input_tokens, cached_tokens, output_tokens } = isSecondMain ? first : second;
  const other = Object.assign(sumsOf(usage, ofOther), { input_tokens, cached_tokens, output_tokens });
  const ofMain = rates.filter(({ fallback }) => fallback !== !isSecondMain);
  if (!costOf(usage, ofMain).complete) other.cost_incomplete = 0;
  const main = {
    input_tokens: whole.input_tokens - other.input_tokens,
    cached_tokens: whole.cached_tokens - other.cached_tokens,
    output_tokens: whole.output_tokens - other.output_tokens,
    cost_micros: whole.cost_micros - other.cost_micros,
    cost_incomplete: whole.cost_incomplete - other.cost_incomplete,
  };
  return [
    { model: modelOfRates(rates, isSecondMain), sums: main },
    { model: modelOfRates(rates, !isSecondMain), sums: other },
  ];
}

function sumsOf(usage: PricedUsage, rates: readonly Rate[]): ModelSums {
  const { input_tokens, cached_tokens, output_tokens } = usage;
  const cost = costOf(usage, rates);
  const cost_incomplete = cost.complete ? 0 : 1;
  return { input_tokens, cached_tokens, output_tokens, cost_micros: cost.amount_micros, cost_incomplete };
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

/**
 * Returns the key of a row. The row is counted in the hour of its id, so that each day's counters are in one volume.
 */
function keyOf(row: Counted, kind: string, model: string): CounterKey {
  return {
    hour: new Date(instantOf(row.id) ?? 0).toISOString().slice(0, 13),
    agent_id: row.agent_id,
    agent_version: row.agent_version ?? 0,
    campaign_id: row.campaign_id ?? "",
    kind,
    direction: row.direction ?? "",
    api_key_id: row.api_key_id ?? "",
    model,
  };
}

/** Changes of counters. They are summed during a transaction and written at its end. */
export class CounterChanges {
  readonly #changes = new Map<string, Contribution>();

  replace(before: readonly Contribution[], after: readonly Contribution[]): void {
    for (const one of before) this.#add(one, -1);
    for (const one of after) this.#add(one, 1);
  }

  /** Writes the changes in the caller's transaction and returns the days (UTC) that changed. */
  write(sql: SqlStorage): Set<string> {
    const days = new Set<string>();
    for (const { key, sums } of this.#changes.values()) {
      const changed = Object.entries(sums).filter(([, by]) => by !== 0);
      if (changed.length === 0) continue;
      add(sql, key, changed);
      // The model is known only once the conversation has ended. It then takes over what was counted without a model.
      if (key.model === "" && changed.some(([, by]) => by < 0)) deleteEmpty(sql, key);
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
 * Adds amounts to the counters of a key. The names of sums come from the ledger, never from a client, so they are safe
 * in SQL.
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

function deleteEmpty(sql: SqlStorage, key: CounterKey): void {
  const isIt = Object.keys(key).map((name) => `${name} = ?`);
  const isEmpty = COUNTING.map((name) => `${name} = 0`);
  sql.exec(`DELETE FROM counters WHERE ${[...isIt, ...isEmpty].join(" AND ")}`, ...Object.values(key));
}

/** The sums that count. A row in which all of them are 0 is empty. */
const COUNTING = ["calls", "conversations", "input_tokens", "output_tokens", "cost_micros", "cost_incomplete"] as const;
