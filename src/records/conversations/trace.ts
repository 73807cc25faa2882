import { type Attributes, type OtlpTraces, otlpOf, type Span } from "./otlp.ts";
import type { ConversationDetail, ToolUse, Turn } from "./record.ts";
import { NO_TIMING, type Timing } from "./timing.ts";

type Request = Timing["requests"][number];

/** A turn of the user with the turns that follow it, or the turns before the first one; times in ms. */
interface Exchange {
  start: number;
  userTurn: Turn | null;
  turns: Turn[];
  requests: Request[];
  /** Milliseconds from the end of the user's words to the agent's first word. */
  firstWordMs: number | null;
  /** When its last part ended, if that is stored. */
  end: number;
}

const ROOT = "0000000000000001";
/** Returns a stable span id, made of the kind of span and its number. */
const idOf = (kind: 1 | 2 | 3, n: number) => `${kind}${n.toString(16).padStart(15, "0")}`;
const ms = (at: string) => Date.parse(at);
const beganAt = ({ at, duration_ms }: Request) => ms(at) - duration_ms;

/**
 * Returns a conversation as a trace that follows the semantic conventions for generative AI: a span for the
 * conversation, one for each exchange, and inside each exchange one for every model request and tool run. It contains
 * as much of the text as the record does. Spans that are still open end at `now` (ms).
 */
export function traceOf(detail: ConversationDetail, account: string, now: number): OtlpTraces {
  const exchanges = exchangesOf(detail);
  const spans = exchanges.flatMap((exchange, n) => exchangeSpans(exchange, { n, now }));
  const ended = detail.ended_at === null ? Math.max(now, ms(detail.started_at)) : ms(detail.ended_at);
  const root: Span = {
    id: ROOT,
    name: "invoke_agent",
    kind: "internal",
    start: ms(detail.started_at),
    end: ended,
    attributes: conversationAttributes(detail),
  };
  if (detail.end_reason === "model_failed") root.error = "the model failed";
  const resource = { "service.name": "switchboard", "switchboard.account": account };
  return otlpOf(detail.id.replaceAll("-", ""), resource, [root, ...spans]);
}

function conversationAttributes(detail: ConversationDetail): Attributes {
  const { usage, latency } = detail;
  return {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.conversation.id": detail.id,
    "gen_ai.agent.id": detail.agent_id,
    "gen_ai.usage.input_tokens": usage.input_tokens,
    "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
    "gen_ai.usage.output_tokens": usage.output_tokens,
    "switchboard.conversation.kind": detail.kind,
    "switchboard.conversation.status": detail.status,
    "switchboard.conversation.end_reason": detail.end_reason,
    "switchboard.conversation.disposition": detail.disposition,
    "switchboard.conversation.complete": detail.complete,
    "switchboard.call.id": detail.call_id,
    "switchboard.campaign.id": detail.campaign_id,
    "switchboard.latency.first_ms": latency.first_ms,
    "switchboard.latency.median_ms": latency.median_ms,
    "switchboard.latency.max_ms": latency.max_ms,
  };
}

/** Splits a conversation into exchanges and assigns requests and answers to them by time. */
function exchangesOf({ started_at, turns, timing = NO_TIMING }: ConversationDetail): Exchange[] {
  const exchanges: Exchange[] = [];
  const begin = (start: number, userTurn: Turn | null): Exchange => {
    const exchange = { start, userTurn, turns: [], requests: [], firstWordMs: null, end: start };
    exchanges.push(exchange);
    return exchange;
  };
  for (const turn of turns) {
    const last = turn.role === "user" ? begin(ms(turn.at), turn) : (exchanges.at(-1) ?? begin(ms(started_at), null));
    if (turn.role !== "user") last.turns.push(turn);
    last.end = Math.max(last.end, ms(turn.at) + (turn.tool_call?.duration_ms ?? 0));
  }
  // The times of answers are stored even if no turns are.
  if (turns.length === 0) for (const { at, ms: took } of timing.answers) begin(ms(at) - took, null);
  const at = (time: number) => exchanges.findLast(({ start }) => start <= time) ?? exchanges[0];
  for (const answer of timing.answers) {
    const exchange = at(ms(answer.at));
    if (!exchange) continue;
    exchange.firstWordMs ??= answer.ms;
    exchange.end = Math.max(exchange.end, ms(answer.at));
  }
  for (const request of timing.requests) {
    const exchange = at(beganAt(request)) ?? begin(ms(started_at), null);
    exchange.requests.push(request);
    exchange.end = Math.max(exchange.end, ms(request.at));
  }
  return exchanges;
}

function exchangeSpans(exchange: Exchange, { n, now }: { n: number; now: number }): Span[] {
  const { userTurn, turns, requests, firstWordMs, start, end } = exchange;
  const words = turns.filter(({ role }) => role === "agent");
  const turn: Span = {
    id: idOf(1, n),
    parent: ROOT,
    name: "turn",
    kind: "internal",
    start,
    end,
    attributes: {
      "switchboard.turn.number": n,
      "switchboard.turn.time_to_first_word_ms": firstWordMs,
      "switchboard.turn.interrupted": words.some(({ interrupted }) => interrupted),
      "gen_ai.input.messages": userTurn && messages("user", [userTurn]),
      "gen_ai.output.messages": words.length === 0 ? null : messages("assistant", words),
    },
  };
  const requestSpans = requests.map((request, i) => requestSpan(request, turn, n * MOST_REQUESTS + i));
  const used = turns.flatMap(({ at, tool_call }, i) =>
    tool_call ? [toolSpan(tool_call, { id: idOf(3, n * MOST_CALLS + i), parent: turn.id, start: ms(at), now })] : [],
  );
  return [turn, ...requestSpans, ...used];
}

/** Upper bounds of the requests and tool calls in one exchange. They keep the span ids of two exchanges apart. */
const MOST_REQUESTS = 10_000;
const MOST_CALLS = 10_000;

function requestSpan(request: Request, { id: parent }: Span, number: number): Span {
  const [provider, model] = modelOf(request.model);
  const span: Span = {
    id: idOf(2, number),
    parent,
    name: model === null ? "chat" : `chat ${model}`,
    kind: "client",
    start: beganAt(request),
    end: ms(request.at),
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": model,
      "gen_ai.request.stream": true,
      "gen_ai.usage.input_tokens": request.input_tokens,
      "gen_ai.usage.cache_read.input_tokens": request.cached_tokens,
      "gen_ai.usage.output_tokens": request.output_tokens,
      "gen_ai.response.time_to_first_chunk": request.first_ms === null ? null : request.first_ms / 1000,
      "error.type": request.failed ? "model_failed" : null,
      "switchboard.model.fallback": request.fallback ?? null,
      "switchboard.model.dropped_tool": request.dropped_tool ?? null,
    },
  };
  if (request.failed)
    span.error =
      request.dropped_tool === undefined ? "the model failed" : `the model refused the tool ${request.dropped_tool}`;
  return span;
}

/** Splits a name such as `openai/gpt-4o` into provider and model. */
function modelOf(name: string | null): [provider: string | null, model: string | null] {
  if (name === null) return [null, null];
  const slash = name.indexOf("/");
  return slash === -1 ? ["switchboard", name] : [name.slice(0, slash), name.slice(slash + 1)];
}

function toolSpan(
  { name, tool_call_id, run_id, state, duration_ms, arguments: given, result }: ToolUse,
  { id, parent, start, now }: { id: string; parent: string; start: number; now: number },
): Span {
  const end = duration_ms === null ? (state === "running" ? now : start) : start + duration_ms;
  const span: Span = {
    id,
    parent,
    name: `execute_tool ${name}`,
    kind: "internal",
    start,
    end,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": tool_call_id,
      "gen_ai.tool.call.arguments": JSON.stringify(given),
      "gen_ai.tool.call.result": result === null ? null : JSON.stringify(result),
      "switchboard.tool.run_id": run_id,
      "switchboard.tool.state": state,
      "error.type": state === "failed" || state === "unknown" ? `tool_${state}` : null,
    },
  };
  if (state === "failed") span.error = "the tool failed";
  if (state === "unknown") span.error = "it is unknown whether the tool had an effect";
  return span;
}

/** Returns turns in the message format of the semantic conventions. */
function messages(role: "user" | "assistant", turns: Turn[]): string {
  return JSON.stringify(
    turns.map(({ text, finish }) => {
      const message = { role, parts: [{ type: "text", content: text }] };
      return role === "user" ? message : Object.assign(message, { finish_reason: finish ?? "stop" });
    }),
  );
}
