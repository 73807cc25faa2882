import { isBuiltIn } from "../../../agent/tools/built-in-names.ts";
import type { ToolCall } from "../models/model.ts";
import type { TalkStore } from "../store/talk-store.ts";
import type { PlatformTools } from "../tools/platform-tools.ts";
import { type BuiltInActions, runBuiltIn, type ToolOutcome } from "./built-in-tools.ts";

/** Maximum characters of a tool's name and of its call's id. */
const MAX_NAME_CHARS = 200;
/** Maximum characters of a tool's arguments as JSON. */
const MAX_ARGUMENTS_CHARS = 32_000;

export interface ToolUseContext {
  store: Pick<TalkStore, "log" | "events" | "session" | "append">;
  actions: BuiltInActions;
  platform: Pick<PlatformTools, "has" | "run" | "nextEnd">;
  /** Tells the client about the tool's state. */
  notice(name: string, state: "running" | "done" | "failed"): void;
  /** ms */
  now(): number;
}

interface RequestedTool {
  tool_call_id: string;
  name: string;
  given: Record<string, unknown> | null;
}

/**
 * Runs a tool that a model calls and records the result. A built-in tool waits for `ready` and does not run if that
 * returns a reason.
 */
export async function useTool(
  context: ToolUseContext,
  call: ToolCall,
  ready: () => Promise<string | null> = async () => null,
): Promise<ToolOutcome> {
  const { store, platform, notice } = context;
  const { tool_call_id, name, given } = requestOf(store, call);
  notice(name, "running");
  const outcome =
    given !== null && !isBuiltIn(name) && platform.has(name)
      ? await platform.run(name, tool_call_id, given)
      : await useHere(context, { tool_call_id, name, given }, ready);
  notice(name, outcome.ok ? "done" : "failed");
  return outcome;
}

/** Records a call that does not run, with the reason as its result. */
export function skipTool({ store, now }: Pick<ToolUseContext, "store" | "now">, call: ToolCall, reason: string): void {
  const { tool_call_id, name, given } = requestOf(store, call);
  store.append({ type: "tool_call", tool_call_id, name, arguments: given ?? {} }, now());
  store.append({ type: "tool_result", tool_call_id, ok: false, result: reason, duration_ms: 0 }, now());
}

/** Runs and logs a built-in tool, or answers a call of an unknown tool. */
async function useHere(
  { store, actions, now }: ToolUseContext,
  { tool_call_id, name, given }: RequestedTool,
  ready: () => Promise<string | null>,
): Promise<ToolOutcome> {
  const begun = now();
  store.append({ type: "tool_call", tool_call_id, name, arguments: given ?? {} }, begun);
  const refusal = await ready();
  const outcome = refusal === null ? await outcomeOf({ name, given }, store, actions, now()) : failed(refusal);
  const { ok, result } = outcome;
  store.append({ type: "tool_result", tool_call_id, ok, result, duration_ms: now() - begun }, now());
  return outcome;
}

async function outcomeOf(
  { name, given }: Pick<RequestedTool, "name" | "given">,
  store: ToolUseContext["store"],
  actions: BuiltInActions,
  now: number,
): Promise<ToolOutcome> {
  if (given === null) return failed(`the arguments must be a JSON object of at most ${MAX_ARGUMENTS_CHARS} characters`);
  return (await runBuiltIn(name, given, store, actions, now)) ?? failed(`there is no tool named ${name}`);
}

const failed = (result: string): ToolOutcome => ({ ok: false, result });

/** Returns a call in recorded form: its arguments are null if they are invalid or too long. */
function requestOf(store: Pick<TalkStore, "log">, { id, name, arguments: written }: ToolCall): RequestedTool {
  const isTaken = written !== null && JSON.stringify(written).length <= MAX_ARGUMENTS_CHARS;
  return {
    tool_call_id: ownId(store, id),
    name: name.slice(0, MAX_NAME_CHARS) || "?",
    given: isTaken ? written : null,
  };
}

/** Creates a unique id, because models number their calls arbitrarily. */
function ownId(store: Pick<TalkStore, "log">, id: string): string {
  const isTaken = store.log.some(({ event }) => event.type === "tool_call" && event.tool_call_id === id);
  return id === "" || id.length > MAX_NAME_CHARS || isTaken ? `call_${crypto.randomUUID()}` : id;
}
