import { eq } from "drizzle-orm";
import { bindArguments } from "../../../agent/tools/run/bind.ts";
import { type RunContext, runHttpTool } from "../../../agent/tools/run/run-tool.ts";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { integrationInstalls, tools } from "../../../kernel/db/schema/index.ts";
import { conflict, notFound, tooMany } from "../../../kernel/http/errors.ts";
import { logError } from "../../../kernel/log.ts";
import { MINUTE_MS } from "../../../kernel/time.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { pendingRuns } from "./pending-runs.ts";

/** What came of the use of a tool, as its model is told. */
export interface ToolUseResult {
  ok: boolean;
  result: unknown;
  duration_ms: number;
}

/** What the tools of an account's agents act on. */
export interface PlatformToolDependencies {
  env: RunContext["env"];
  store: ConversationStore;
  accountStore: AccountStore;
  fetch: typeof fetch;
  /** ms */
  now(): number;
}

/** Uses that a runtime may ask for within a minute: each asks a service of somebody else's. */
const MAX_USES_A_MINUTE = 60;

/** Uses the session's tools that run on the platform: for our own runtime, and for one that asks by the session's token. */
export class PlatformTools {
  readonly #deps: PlatformToolDependencies;
  readonly #underWay = new Set<string>();
  /** When (ms) a runtime asked for tools in the last minute. */
  #uses: number[] = [];

  constructor(deps: PlatformToolDependencies) {
    this.#deps = deps;
  }

  /** Whether a tool of this name runs here. */
  has(name: string): boolean {
    return this.#deps.store.session.snapshot.tools.some((tool) => tool.name === name && tool.runs === "platform");
  }

  /** Runs a tool as it is set up now, and keeps the run for the list of them. Never throws. */
  async run(name: string, tool_call_id: string, args: Record<string, unknown>): Promise<ToolUseResult> {
    const { store, now } = this.#deps;
    const begun = now();
    const { ok, result, response, error, duration_ms } = await this.#run(name, args);
    const at = new Date(begun).toISOString();
    const run = { tool_name: name, at, tool_call_id, ok, status: response?.status ?? null, duration_ms, error };
    // It may have been erased meanwhile.
    if (store.row !== null) store.update({ runs: JSON.stringify([...pendingRuns(store.row), run]) });
    return { ok, result, duration_ms };
  }

  async #run(name: string, args: Record<string, unknown>) {
    const { env, store, accountStore, fetch, now } = this.#deps;
    const { account } = store.identity;
    try {
      const [tool, installs] = await accountStore.read(
        accountStore.first(tools, { where: eq(tools.name, name) }),
        accountStore.select(integrationInstalls),
      );
      if (!tool) return failed("the tool no longer exists");
      const bound = bindArguments(tool.bind, store.session.snapshot);
      if ("refused" in bound) return failed(bound.refused);
      return await runHttpTool({ env, account, now, fetch }, tool, installs, args, { bound: bound.values });
    } catch (error) {
      logError("tool_run", error, { account, tool: name });
      return failed("the tool could not be run");
    }
  }

  /**
   * Uses a tool at a runtime's request, and logs it with the conversation. The same `tool_call_id` again gives the same
   * result. @throws ApiError 404, 409, 429
   */
  async use(name: string, givenId: string | null, args: Record<string, unknown>): Promise<ToolUseResult> {
    const { store } = this.#deps;
    const { tools, unavailable_tools } = store.session.snapshot;
    const tool_call_id = givenId ?? `call_${crypto.randomUUID()}`;
    const before = this.#before(tool_call_id);
    if (before) return before;
    const tool = tools.find((one) => one.name === name);
    const unavailable = unavailable_tools.find((one) => one.name === name);
    if (!tool && !unavailable) throw notFound("tool");
    if (tool?.runs === "runtime")
      throw conflict("runs_elsewhere", "the tool runs in the runtime: its code is in the session");
    if (this.#underWay.has(tool_call_id)) throw conflict("tool_call_under_way", "this tool call is still in progress");
    this.#count();
    this.#underWay.add(tool_call_id);
    try {
      this.#log({ type: "tool_call", tool_call_id, name, arguments: args });
      const used = unavailable
        ? { ok: false, result: unavailable.reason, duration_ms: 0 }
        : await this.run(name, tool_call_id, args);
      const { ok, result, duration_ms } = used;
      this.#log({ type: "tool_result", tool_call_id, ok, result, duration_ms });
      store.flush();
      return used;
    } finally {
      this.#underWay.delete(tool_call_id);
    }
  }

  /** What came of a call that was made before, null for a new one. */
  #before(id: string): ToolUseResult | null {
    const events = this.#deps.store.events;
    const result = events.find((event) => event.type === "tool_result" && event.tool_call_id === id);
    return result?.type === "tool_result" ? result : null;
  }

  #log(event: Parameters<ConversationStore["append"]>[0]): void {
    const { store, now } = this.#deps;
    if (store.row === null) return;
    if (store.row.held_by === "edge") store.append(event, now());
    else store.appendBeside(event, now());
  }

  #count(): void {
    const now = this.#deps.now();
    this.#uses = this.#uses.filter((at) => at > now - MINUTE_MS);
    const [first] = this.#uses;
    if (first !== undefined && this.#uses.length >= MAX_USES_A_MINUTE)
      throw tooMany("tool_uses", "too many tool calls in this minute", first + MINUTE_MS - now);
    this.#uses.push(now);
  }
}

const failed = (error: string) => ({ ok: false, result: error, response: null, error, duration_ms: 0 });
