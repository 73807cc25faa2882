import { holds } from "../../../agent/tests/expectations.ts";
import type { TestToolUse } from "../../../agent/tests/transcript.ts";
import type { ToolMock } from "../../../kernel/db/schema/index.ts";
import type { TalkStore } from "../../runtime/store/talk-store.ts";
import type { ToolRequest, ToolUseResult } from "../../runtime/tools/tool-run-log.ts";
import type { ToolRuns } from "../../runtime/tools/tool-runs.ts";
import type { ToolUseContext } from "../../runtime/turns/tool-use.ts";

/** The result that a model gets if a tool has no mock. */
const NO_MOCK = "no mock";

interface Dependencies {
  store: TalkStore;
  mocks: readonly ToolMock[];
  /** The tools that may actually run. */
  allowed: ReadonlySet<string>;
  runs: Pick<ToolRuns, "run" | "nextEnd">;
}

/** The account's tools in a test. Mocks answer for them, and only allowed tools actually run. */
export class TestTools {
  readonly #deps: Dependencies;
  readonly #answered = new Map<string, TestToolUse["answered_by"]>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The tools in the form that conversations of the edge runtime use. */
  readonly platform: ToolUseContext["platform"] = {
    has: (name) => this.#deps.store.session.snapshot.tools.some((tool) => tool.name === name),
    run: (name, tool_call_id, args) => this.#run({ name, tool_call_id, arguments: args }),
    nextEnd: () => this.#deps.runs.nextEnd(),
  };

  answeredBy(tool_call_id: string): TestToolUse["answered_by"] {
    return this.#answered.get(tool_call_id) ?? "built_in";
  }

  async #run(request: ToolRequest): Promise<ToolUseResult> {
    const { mocks, allowed, runs } = this.#deps;
    const { name, tool_call_id, arguments: given } = request;
    const mock = mocks.find(({ tool, when }) => tool === name && holds(given, when ?? {}));
    if (mock) return this.#answer(request, "mock", { ok: true, result: mock.result });
    if (!allowed.has(name)) return this.#answer(request, "nobody", { ok: false, result: NO_MOCK });
    this.#answered.set(tool_call_id, "run");
    return runs.run(request, { isLoggedAtOnce: true });
  }

  #answer(
    { tool_call_id, name, arguments: given }: ToolRequest,
    by: TestToolUse["answered_by"],
    { ok, result }: { ok: boolean; result: unknown },
  ): ToolUseResult {
    const { store } = this.#deps;
    this.#answered.set(tool_call_id, by);
    const at = store.identity.issued_at;
    store.append({ type: "tool_call", tool_call_id, name, arguments: given }, at);
    store.append({ type: "tool_result", tool_call_id, ok, result, duration_ms: 0 }, at);
    return { run_id: null, state: ok ? "ok" : "failed", ok, result, duration_ms: 0 };
  }
}
