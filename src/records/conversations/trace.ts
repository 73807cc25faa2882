import { type Attributes, type OtlpTraces, otlpOf, type Span } from "./otlp.ts";
import type { ConversationDetail, ToolUse, Turn } from "./record.ts";
import { NO_TIMING, type Timing } from "./timing.ts";

type Request = Timing["requests"][number];

/** What follows from one turn of the other side, or goes before the first; times in ms. */
interface Exchange {
  start: number;
  userTurn: Turn | null;
  turns: Turn[];
  requests: Request[];
  /** From the end of the user's words to the agent's first, ms. */
  firstWordMs: number | null;
  /** When the last of it was over, as far as times are kept. */
  end: number;
}

const ROOT = "0000000000000001";
/** Ids that stay: what a span is of, and its number. */
const idOf = (kind: 1 | 2 | 3, n: number) => `${kind}${n.toString(16).padStart(15, "0")}`;
const ms = (at: string) => Date.parse(at);
const beganAt = ({ at, duration_ms }: Request) => ms(at) - duration_ms;

/**
 * A conversation as a trace, by the semantic conventions for generative AI: the conversation, the exchanges that it
 * consists of, and in each of them the requests of the model and the tool runs. It has of what was said what the record
 * has. `now` (ms) ends what goes on.
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

/** The exchanges of a conversation with what belongs to each, by its time. */
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
  // If no turns are stored, the answers' times still are.
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

/** More than an exchange has of each, so that ids of one exchange never meet those of the next. */
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

/** Provider and model of a name such as `openai/gpt-4o`. */
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
  if (state === "unknown") span.error = "nobody knows whether the tool did it";
  return span;
}

/** Words in the form that the conventions give messages. */
function messages(role: "user" | "assistant", turns: Turn[]): string {
  return JSON.stringify(
    turns.map(({ text, finish }) => {
      const message = { role, parts: [{ type: "text", content: text }] };
      return role === "user" ? message : Object.assign(message, { finish_reason: finish ?? "stop" });
    }),
  );
}
