import { sentencesOf } from "../../../agent/speech/sentences.ts";
import type { TestConversation, TestTurn } from "../../../agent/tests/transcript.ts";
import type { TestStep } from "../../../kernel/db/schema/index.ts";
import type { ConversationEvent } from "../../../records/conversations/events.ts";
import { type ModelRequestUse, modelShares } from "../../../records/conversations/record.ts";
import type { ModelShare } from "../../../records/prices/conversation-usage.ts";
import type { TurnBudget } from "../../runtime/budget/request-budget.ts";
import type { Model, ModelUsage } from "../../runtime/models/model.ts";
import { TIMERS } from "../../runtime/models/timeouts.ts";
import type { TalkStore } from "../../runtime/store/talk-store.ts";
import { type BuiltInActions, droppedTools, isReadIn, offeredTools } from "../../runtime/turns/built-in-tools.ts";
import { historyOf } from "../../runtime/turns/history.ts";
import { instructionsOf } from "../../runtime/turns/instructions.ts";
import { dataOf } from "../../runtime/turns/moment.ts";
import { languageNow } from "../../runtime/turns/spoken-language.ts";
import { skipTool, useTool } from "../../runtime/turns/tool-use.ts";
import { AgentTurn, BUDGET, type Ending, type TurnDependencies } from "../../runtime/turns/turn-loop.ts";
import type { TestTools } from "./test-tools.ts";

/** The longest conversation of a test, ms. */
const LONGEST_TALK_MS = 300_000;
/** The most characters of its transcript. A run's 200 conversations are returned at once, in at most 32 MiB. */
const MAX_TRANSCRIPT_CHARS = 80_000;

/** Why a test's conversation could not finish. */
export type TalkTrouble = "model_failed" | "budgets_unanswered" | "too_long" | "too_slow";
/** The number of consecutive answers without words or tools after which a model is given up. */
const MOST_EMPTY = 3;
/** The reason why an answer ends if the transcript became too long during it. */
const TOO_LONG = "too_long";
/** Why the whole run cannot continue. */
export type Stop = "budget" | "stopped";

/** The result of a test's conversation, and what it used. */
export interface Talked extends TestConversation {
  trouble: TalkTrouble | null;
  usage: ModelUsage;
  /** The usage by model; omitted if only one model answered. */
  models?: ModelShare[];
}

/** The use of each request of a conversation, in order. */
type Spent = ModelRequestUse[];

interface Dependencies {
  store: TalkStore;
  model(): Promise<Model>;
  tools: TestTools;
  budget: TurnBudget;
  /** Searches the knowledge of the tested version. */
  search: BuiltInActions["search"];
  /** Aborted if the run must not continue. */
  signal: AbortSignal;
  report(error: unknown): void;
}

/**
 * Holds a conversation with an agent: its greeting, and its answer to each step, until one of them ends it. The
 * conversation has no effects outside, and its result does not depend on a clock. Returns why the run cannot continue,
 * if it cannot.
 */
export async function talk(deps: Dependencies, steps: readonly TestStep[]): Promise<Talked | Stop> {
  const { store, signal } = deps;
  const at = store.identity.issued_at;
  const spent: Spent = [];
  const slow = Promise.withResolvers<"too_slow">();
  const timer = setTimeout(() => slow.resolve("too_slow"), LONGEST_TALK_MS);
  try {
    const { agent, disclosure } = store.session.snapshot;
    for (const text of [disclosure?.text ?? "", agent.greeting_message.trim()])
      if (text !== "") store.append({ type: "agent_turn", text }, at);
    let trouble: TalkTrouble | null = null;
    let end: string | null = null;
    for (const { says } of steps) {
      store.append({ type: "user_turn", text: says }, at);
      const ending = await someAnswer(deps, spent, slow.promise);
      if (signal.aborted) return "stopped";
      if (ending === "too_slow") trouble = "too_slow";
      else if (ending === "empty" || ending.next === "failed") trouble = "model_failed";
      else if (ending.next === "uncovered") trouble = "budgets_unanswered";
      else if (ending.next === "end") end = ending.reason;
      if (end === BUDGET) return "budget";
      if (isTooLong(store)) trouble ??= TOO_LONG;
      if (end !== null || trouble !== null) break;
    }
    const models = modelShares(spent);
    return Object.assign({ trouble, usage: sumOf(spent) }, models && { models }, conversationOf(deps, end));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the agent's answer, and repeats the request if a model returns an empty one; `empty` if every attempt is
 * empty.
 */
async function someAnswer(
  deps: Dependencies,
  spent: Spent,
  slow: Promise<"too_slow">,
): Promise<Ending | "too_slow" | "empty"> {
  const before = deps.store.log.length;
  for (let asked = 0; asked < MOST_EMPTY; asked++) {
    const ending = await answer(deps, spent, slow);
    if (ending === "too_slow" || ending.next !== "silent" || deps.store.log.length > before) return ending;
  }
  return "empty";
}

/** Requests one answer of the agent. */
async function answer(deps: Dependencies, spent: Spent, slow: Promise<"too_slow">): Promise<Ending | "too_slow"> {
  const turn = new AgentTurn(turnDependencies(deps, spent), null);
  const stop = () => void turn.interrupt();
  deps.signal.addEventListener("abort", stop, { once: true });
  const ending = turn.run().catch((error: unknown): Ending => {
    deps.report(error);
    return { next: "failed" };
  });
  const first = await Promise.race([ending, slow]);
  if (first === "too_slow") {
    stop();
    await ending;
  }
  deps.signal.removeEventListener("abort", stop);
  return first;
}

function sumOf(spent: Spent): ModelUsage {
  const sum = (field: keyof ModelUsage) => spent.reduce((total, used) => total + (used[field] ?? 0), 0);
  return {
    input_tokens: sum("input_tokens"),
    cached_tokens: sum("cached_tokens"),
    output_tokens: sum("output_tokens"),
  };
}

function turnDependencies(
  { store, model, tools, budget, search, report }: Dependencies,
  spent: Spent,
): TurnDependencies {
  const { snapshot } = store.session;
  const at = store.identity.issued_at;
  const now = () => at;
  const actions = recordedActions(store, at, search);
  return {
    model,
    report,
    now,
    pause: (ms) => scheduler.wait(ms),
    system: instructionsOf(snapshot),
    facts: dataOf(snapshot),
    tools: offeredTools(snapshot, droppedTools(store.events)),
    sentences: () => sentencesOf(snapshot.agent, languageNow(store.events, snapshot.agent)),
    max_output_tokens: snapshot.agent.max_output_tokens,
    budget,
    isSpoken: false,
    filler: null,
    spokenUntil: () => 0,
    after: (ms, run) => TIMERS.after(ms, run),
    history: () => historyOf(store.events, snapshot),
    say: () => {},
    speaking: () => {},
    spoken: ({ text }) => store.append({ type: "agent_turn", text }, at),
    latency: () => {},
    usage: ({ input_tokens, cached_tokens, output_tokens }, { model: name, fallback }) =>
      spent.push({ model: name, fallback, input_tokens, cached_tokens, output_tokens }),
    failed: (times, dropped_tool) => {
      spent.push({ model: times.model, fallback: times.fallback, failed: true });
      if (dropped_tool !== null) store.append({ type: "usage", ...times, failed: true, dropped_tool }, at);
    },
    use: async (call) => {
      const outcome = await useTool({ store, actions, platform: tools.platform, notice: () => {}, now }, call);
      return isTooLong(store) ? { ok: outcome.ok, result: outcome.result, ends: outcome.ends ?? TOO_LONG } : outcome;
    },
    heard: async () => {},
    transferOnFailure: null,
    isRead: (name) => isReadIn(snapshot, name),
    skip: (call, reason) => skipTool({ store, now }, call, reason),
    nextResult: () => tools.platform.nextEnd(),
  };
}

/**
 * Returns the built-in tools of a test. Their use is only recorded and has no effect.
 * @throws Error if the agent has no such target
 */
function recordedActions(store: TalkStore, at: number, search: BuiltInActions["search"]): BuiltInActions {
  const targets = store.session.snapshot.agent.transfer_targets;
  return {
    search,
    optOut: () => {
      store.append({ type: "opt_out" }, at);
      store.append({ type: "disposition", value: "opted_out" }, at);
      return true;
    },
    disposition: (value) => store.append({ type: "disposition", value }, at),
    transfer: async (label) => {
      if (!targets.some((target) => target.label === label)) throw new Error("the agent has no such target");
    },
    // A test has no client. The change is recorded like any use of a tool.
    setLanguage: () => {},
  };
}

function conversationOf({ store, tools }: Dependencies, end: string | null): TestConversation {
  const transcript = beginningOf(transcriptOf(store, tools));
  const disposition = store.events.findLast(({ type }) => type === "disposition");
  return {
    transcript,
    disclosure: store.session.snapshot.disclosure?.text,
    disposition: disposition?.type === "disposition" ? disposition.value : null,
    ended: end === "agent_ended",
    transferred: end === "transferred",
  };
}

/** Returns what was said and used, in order. A tool is listed where it was called. */
function transcriptOf(store: TalkStore, tools: TestTools): TestTurn[] {
  const { events } = store;
  const results = new Map<string, Extract<ConversationEvent, { type: "tool_result" }>>();
  for (const event of events)
    if (event.type === "tool_result" && !results.has(event.tool_call_id)) results.set(event.tool_call_id, event);
  return events.flatMap((event): TestTurn[] => {
    if (event.type === "user_turn") return [{ role: "user", text: event.text, tool: null }];
    if (event.type === "agent_turn") {
      const { text, sources = [] } = event;
      return [Object.assign({ role: "agent" as const, text, tool: null }, sources.length > 0 && { sources })];
    }
    if (event.type !== "tool_call") return [];
    const { tool_call_id, name, arguments: given } = event;
    const result = results.get(tool_call_id);
    const [ok, output] = result ? [result.ok, result.result] : [false, null];
    const text = typeof output === "string" ? output : JSON.stringify(output ?? null);
    const answered_by = tools.answeredBy(tool_call_id);
    return [{ role: "tool", text, tool: { name, arguments: given, ok, answered_by } }];
  });
}

/** Returns the part of a transcript that is stored, in whole turns. */
function beginningOf(transcript: TestTurn[]): TestTurn[] {
  let chars = 0;
  const past = transcript.findIndex((turn) => {
    chars += JSON.stringify(turn).length;
    return chars > MAX_TRANSCRIPT_CHARS;
  });
  return past === -1 ? transcript : transcript.slice(0, past);
}

function isTooLong({ events }: TalkStore): boolean {
  return JSON.stringify(events).length > MAX_TRANSCRIPT_CHARS;
}
