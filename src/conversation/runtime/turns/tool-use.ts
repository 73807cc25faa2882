import type { ToolCall } from "../models/model.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import type { PlatformTools } from "../tools/platform-tools.ts";
import { type BuiltInActions, runBuiltIn, type ToolOutcome } from "./built-in-tools.ts";

/** Most characters of a tool's name, and of the id of its call. */
const MAX_NAME_CHARS = 200;
/** Most characters of a tool's arguments, as JSON. */
const MAX_ARGUMENTS_CHARS = 32_000;

/** What the use of a tool acts on. */
export interface ToolUseContext {
  store: ConversationStore;
  actions: BuiltInActions;
  platform: Pick<PlatformTools, "has" | "run">;
  /** Tells the client what is going on. */
  notice(name: string, state: "running" | "done" | "failed"): void;
  /** ms */
  now(): number;
}

/** Uses a tool that a model wants used, and writes down what came of it, whatever that is. */
export async function useTool(
  { store, actions, platform, notice, now }: ToolUseContext,
  { id, name: called, arguments: written }: ToolCall,
): Promise<ToolOutcome> {
  const begun = now();
  const tool_call_id = ownId(store, id);
  const name = called.slice(0, MAX_NAME_CHARS) || "?";
  const given = written !== null && JSON.stringify(written).length <= MAX_ARGUMENTS_CHARS ? written : null;
  store.append({ type: "tool_call", tool_call_id, name, arguments: given ?? {} }, begun);
  notice(name, "running");
  const outcome =
    given === null
      ? { ok: false, result: `the arguments must be a JSON object of at most ${MAX_ARGUMENTS_CHARS} characters` }
      : ((await runBuiltIn(name, given, store.session.snapshot, actions)) ??
        (await runPlatformTool(platform, name, tool_call_id, given)));
  const { ok, result } = outcome;
  store.append({ type: "tool_result", tool_call_id, ok, result, duration_ms: now() - begun }, now());
  notice(name, ok ? "done" : "failed");
  return outcome;
}

async function runPlatformTool(
  platform: ToolUseContext["platform"],
  name: string,
  tool_call_id: string,
  given: Record<string, unknown>,
): Promise<ToolOutcome> {
  if (!platform.has(name)) return { ok: false, result: `there is no tool named ${name}` };
  const { ok, result } = await platform.run(name, tool_call_id, given);
  return { ok, result };
}

/** Models number their calls as they like, some always alike: a result must be told from any other. */
function ownId(store: ConversationStore, id: string): string {
  const isTaken = store.log.some(({ event }) => event.type === "tool_call" && event.tool_call_id === id);
  return id === "" || id.length > MAX_NAME_CHARS || isTaken ? `call_${crypto.randomUUID()}` : id;
}
