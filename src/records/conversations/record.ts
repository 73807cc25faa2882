import type { Storage } from "../../kernel/db/schema/index.ts";
import type { Analysis } from "../analysis/analysis.ts";
import type { ConversationRow } from "../ledger/report.ts";
import type { ConversationLatency } from "../ledger/schema.ts";
import type { ConversationUsage, ModelShare } from "../prices/conversation-usage.ts";
import { inOrder } from "./event-order.ts";
import type { ConversationEvent } from "./events.ts";
import type { TurnSource } from "./sources.ts";
import type { Timing } from "./timing.ts";

/** A conversation as lists return it: its row without internal columns. */
export type ConversationRecord = Omit<
  ConversationRow,
  "revision" | "session_key" | "api_key_id" | "rates" | "archived" | "analysis_status" | "successful" | "analysis_brief"
>;

/** The state of a tool call; `unknown` if it is not known whether the call happened. */
export const TOOL_STATES = ["running", "ok", "failed", "unknown"] as const;
export type ToolState = (typeof TOOL_STATES)[number];

export interface ToolUse {
  tool_call_id: string;
  /** The id of the service's run; null for tools that a runtime runs itself, and for built-in tools. */
  run_id: string | null;
  name: string;
  arguments: Record<string, unknown>;
  state: ToolState;
  ok: boolean | null;
  result: unknown;
  duration_ms: number | null;
}

/** An utterance or a tool call. */
export interface Turn {
  seq: number;
  at: string;
  role: "user" | "agent" | "tool";
  /** What was said. For an interrupted agent turn, it also marks what was heard; for a tool, it is the tool's name. */
  text: string;
  interrupted: boolean;
  /** Its language (BCP 47), if known. */
  lang: string | null;
  /** Why the model's answer was cut off; null if it was complete. */
  finish: "length" | "content_filter" | null;
  tool_call: ToolUse | null;
  /** The passages of documents that an agent's turn is based on. */
  sources: TurnSource[];
}

/** A conversation with its turns: read from its object while it is live, from R2 afterwards. */
export interface ConversationDetail extends ConversationRecord {
  /** From the ledger; absent in the object's response. */
  rates?: ConversationRow["rates"];
  storage: Storage;
  /** Whether the person asked in this conversation not to be called again; absent if not. */
  opted_out?: boolean;
  /** Whether documents that belong in the prompt could not be read in time; absent if not. */
  documents_late?: boolean;
  turns: Turn[];
  /** When its model was requested and its answers began. Clients do not receive this. */
  timing?: Timing;
  /** The time zone of its dates and times; absent in the object's response. */
  timezone?: string;
  /** From the ledger and R2; absent in the object's response. */
  analysis?: Analysis | null;
}

/** The counts, sums and outcome that follow from a conversation's events. */
export interface Tally {
  turn_count: number;
  tool_call_count: number;
  usage: Required<
    Pick<ConversationUsage, "input_tokens" | "cached_tokens" | "output_tokens" | "audio_ms" | "model_errors">
  > &
    Pick<ConversationUsage, "models">;
  latency: ConversationLatency;
  /** The last disposition that was reported. */
  disposition: string | null;
}

/** Returns the turns of a conversation, in the order of its events. */
export function turnsOf(events: ConversationEvent[]): Turn[] {
  const ordered = numberedAlike(inOrder(events));
  const results = resultsOf(ordered);
  const isOver = endOf(ordered) !== null;
  return ordered.flatMap((event): Turn[] => {
    const { seq, at } = event;
    const plain = { seq, at, interrupted: false, lang: null, finish: null, tool_call: null, sources: [] };
    switch (event.type) {
      case "user_turn":
        return [{ ...plain, role: "user", text: event.text, lang: event.lang ?? null }];
      case "agent_turn": {
        const interrupted = event.interrupted === true;
        const text = interrupted ? (event.heard ?? event.text) : event.text;
        const { lang = null, finish = null } = event;
        const { sources = [] } = event;
        return [{ ...plain, role: "agent", text, interrupted, lang, finish, sources }];
      }
      case "tool_call": {
        const { tool_call_id, name, run_id = null } = event;
        const result = results.get(useOf(event));
        const tool_call = {
          tool_call_id,
          run_id,
          name,
          arguments: event.arguments,
          state: toolState(result ?? null, run_id, isOver),
          ok: result?.ok ?? null,
          result: result?.result ?? null,
          duration_ms: result?.duration_ms ?? null,
        };
        return [{ ...plain, role: "tool", text: name, tool_call }];
      }
      default:
        return [];
    }
  });
}

type ToolResult = Extract<ConversationEvent, { type: "tool_result" }>;

/** Returns the key of a tool use. An interrupted call may be repeated under the same id with another run. */
function useOf({ tool_call_id, run_id }: Pick<ToolResult, "tool_call_id" | "run_id">): string {
  return `${run_id ?? ""} ${tool_call_id}`;
}

/** Returns the results that have arrived, by tool use. */
function resultsOf(events: ConversationEvent[]): Map<string, ToolResult> {
  return new Map(events.flatMap((event) => (event.type === "tool_result" ? [[useOf(event), event] as const] : [])));
}

/** Returns a tool call's state; `unknown` if no result can arrive any more. */
export function toolState(
  result: Pick<ToolResult, "ok" | "state"> | null,
  run_id: string | null,
  isOver: boolean,
): ToolState {
  if (result !== null) return result.state ?? (result.ok ? "ok" : "failed");
  return run_id !== null || !isOver ? "running" : "unknown";
}

/** Gives events that the service logged between a runtime's events the number of the runtime's event before them. */
function numberedAlike(events: ConversationEvent[]): ConversationEvent[] {
  let last = 0;
  return events.map((event) => {
    last = event.seq > 0 ? event.seq : last;
    return event.seq > 0 ? event : { ...event, seq: last };
  });
}

/** Computes the counts, sums and outcome of a conversation's events. */
export function tally(events: ConversationEvent[]): Tally {
  const usage: Tally["usage"] = {
    input_tokens: 0,
    cached_tokens: 0,
    output_tokens: 0,
    audio_ms: 0,
    model_errors: 0,
  };
  const models = modelShares(events.filter((event) => event.type === "usage"));
  if (models !== null) usage.models = models;
  const latencies: number[] = [];
  const counted: Tally = {
    turn_count: 0,
    tool_call_count: 0,
    usage,
    latency: { first_ms: null, median_ms: null, max_ms: null },
    disposition: null,
  };
  for (const event of inOrder(events)) {
    if (event.type === "user_turn" || event.type === "agent_turn") counted.turn_count++;
    else if (event.type === "tool_call") counted.tool_call_count++;
    else if (event.type === "latency") latencies.push(event.ms);
    else if (event.type === "disposition") counted.disposition = event.value;
    else if (event.type === "usage") {
      const { input_tokens = 0, cached_tokens = 0 } = event;
      usage.input_tokens += input_tokens;
      usage.cached_tokens += Math.min(cached_tokens, input_tokens);
      usage.output_tokens += event.output_tokens ?? 0;
      usage.audio_ms += event.audio_ms ?? 0;
      if (event.failed) usage.model_errors++;
    }
  }
  const [first] = latencies;
  if (first !== undefined) {
    const sorted = latencies.toSorted((a, b) => a - b);
    const median_ms = sorted[Math.floor((sorted.length - 1) / 2)] ?? first;
    counted.latency = { first_ms: first, median_ms, max_ms: sorted.at(-1) ?? first };
  }
  return counted;
}

/** The usage of one model request, and its model. */
export type ModelRequestUse = Pick<
  Extract<ConversationEvent, { type: "usage" }>,
  "model" | "fallback" | "input_tokens" | "cached_tokens" | "output_tokens" | "failed"
>;

/** Returns the usage of each model that was requested; null if there was no request to the fallback model. */
export function modelShares(requests: readonly ModelRequestUse[]): ModelShare[] | null {
  if (!requests.some(({ fallback }) => fallback)) return null;
  const shares = new Map<string, ModelShare>();
  for (const {
    model = "",
    fallback = false,
    input_tokens = 0,
    cached_tokens = 0,
    output_tokens = 0,
    failed,
  } of requests) {
    const key = `${fallback} ${model}`;
    const none = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, model_errors: 0 };
    const share = shares.get(key) ?? Object.assign({ model, fallback }, none);
    shares.set(key, share);
    share.input_tokens += input_tokens;
    share.cached_tokens += Math.min(cached_tokens, input_tokens);
    share.output_tokens += output_tokens;
    if (failed) share.model_errors++;
  }
  return [...shares.values()];
}

/**
 * Counts the characters of the agent's turns that were sent to be spoken. For an interrupted turn, the edge runtime
 * logs only the text that it sent; a custom runtime logs the whole text and reports what was heard.
 */
export function speechChars(events: ConversationEvent[], heldBy: "edge" | "own" | null): number {
  return events.reduce((sum, event) => {
    if (event.type !== "agent_turn") return sum;
    const spoken = event.interrupted && heldBy === "own" ? (event.heard ?? event.text) : event.text;
    return sum + [...spoken].length;
  }, 0);
}

/** Returns the last number before the first gap; 0 if the first event is missing. */
export function acceptedThrough(events: Pick<ConversationEvent, "seq">[]): number {
  const numbers = new Set(events.map(({ seq }) => seq));
  let last = 0;
  while (numbers.has(last + 1)) last++;
  return last;
}

/** Checks whether the end and every event before it have arrived, and the results of all tool runs of the service. */
export function isComplete(events: ConversationEvent[]): boolean {
  const end = endOf(events);
  if (end === null || acceptedThrough(events) < end.seq) return false;
  const results = resultsOf(events);
  return events.every((event) => event.type !== "tool_call" || event.run_id === undefined || results.has(useOf(event)));
}

/** Returns the event that ended a conversation: the first by number, in whatever order several arrived. */
export function endOf(events: ConversationEvent[]): Extract<ConversationEvent, { type: "ended" }> | null {
  return inOrder(events).find((event) => event.type === "ended") ?? null;
}
