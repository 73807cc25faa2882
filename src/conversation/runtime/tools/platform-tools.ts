import { conflict, notFound } from "../../../kernel/http/errors.ts";
import { isPure, type PureContext, runPure } from "../built-in/pure-tools.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { languageNow } from "../turns/spoken-language.ts";
import { type ToolRequest, ToolRunLog, type ToolUseResult } from "./tool-run-log.ts";
import { type ToolRunDependencies, ToolRuns } from "./tool-runs.ts";

/**
 * The session's tools that run on the platform, for the built-in runtime and for custom ones through the runtime API.
 */
export class PlatformTools {
  readonly #store: ConversationStore;
  readonly #runs: ToolRuns;
  readonly #log: ToolRunLog;
  readonly #now: () => number;
  readonly #search: PureContext["search"];
  /** Calls of built-in tools that are not answered yet. */
  readonly #underWay = new Set<string>();

  constructor(deps: ToolRunDependencies & Pick<PureContext, "search"> & { store: ConversationStore }) {
    this.#store = deps.store;
    this.#runs = new ToolRuns(deps);
    this.#log = new ToolRunLog(deps.store, deps.now);
    this.#now = deps.now;
    this.#search = deps.search;
  }

  has(name: string): boolean {
    return this.#store.session.snapshot.tools.some((tool) => tool.name === name && tool.runs === "platform");
  }

  /** Runs a tool for the built-in runtime and logs the call with its result. Never throws. */
  run(name: string, tool_call_id: string, args: Record<string, unknown>): Promise<ToolUseResult> {
    return this.#runs.run({ tool_call_id, name, arguments: args }, { isLoggedAtOnce: true });
  }

  /**
   * Runs a tool for a custom runtime and logs the call with its result. A repeated `tool_call_id` returns the same
   * result.
   * @throws ApiError 404, 409, 429
   */
  async use(name: string, givenId: string | null, args: Record<string, unknown>): Promise<ToolUseResult> {
    const { tools, unavailable_tools } = this.#store.session.snapshot;
    const tool_call_id = givenId ?? `call_${crypto.randomUUID()}`;
    const before = this.#log.resultOf(tool_call_id);
    if (before) return before;
    const tool = tools.find((one) => one.name === name);
    if (!tool && !unavailable_tools.some((one) => one.name === name)) throw notFound("tool");
    if (tool?.runs === "runtime")
      throw conflict("runs_elsewhere", "the tool runs in the runtime: its code is in the session");
    if (this.#underWay.has(tool_call_id) || this.#runs.isUnderWay(tool_call_id))
      throw conflict("tool_call_under_way", "this tool call is still in progress");
    if (isPure(name)) return this.#workOut({ tool_call_id, name, arguments: args });
    const used = await this.#runs.run({ tool_call_id, name, arguments: args }, { isLoggedAtOnce: false });
    this.#store.flush();
    return used;
  }

  /** Runs a built-in tool without side effects for a custom runtime. It counts as no run. */
  async #workOut(request: ToolRequest): Promise<ToolUseResult> {
    const { timezone, agent } = this.#store.session.snapshot;
    const context = { timezone, language: languageNow(this.#store.events, agent), search: this.#search };
    const begun = this.#now();
    this.#underWay.add(request.tool_call_id);
    const ran = await runPure(request.name, request.arguments, context, begun);
    this.#underWay.delete(request.tool_call_id);
    const outcome = ran ?? { ok: false, result: null };
    const state = outcome.ok ? ("ok" as const) : ("failed" as const);
    const used = {
      run_id: null,
      state,
      ok: outcome.ok,
      result: outcome.result,
      duration_ms: Math.max(0, this.#now() - begun),
    };
    // The conversation may have ended during a search.
    if (this.#store.row?.ended_at !== null) return used;
    this.#log.used(request, used);
    this.#store.flush();
    return used;
  }

  nextEnd(): Promise<void> {
    return this.#runs.nextEnd();
  }

  settled(): Promise<void> {
    return this.#runs.settled();
  }

  /** Closes open runs and calls after a restart, and once no caller waits for their results. */
  closeOpen(): void {
    this.#log.closeOpen();
  }
}
