import { v7 as uuidv7 } from "uuid";
import { effectOf, maxRunsOf } from "../../../agent/tools/effect.ts";
import { bindArguments } from "../../../agent/tools/run/bind.ts";
import { type RunContext, runHttpTool } from "../../../agent/tools/run/run-tool.ts";
import { toolBody } from "../../../agent/versions/content.ts";
import { scopesToUse } from "../../../agent/versions/may-change.ts";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { canonicalJson } from "../../../kernel/http/canonical-json.ts";
import { tooMany } from "../../../kernel/http/errors.ts";
import { logError } from "../../../kernel/log.ts";
import { missingScope, type Scope } from "../../../kernel/scopes.ts";
import type { RunRow } from "../store/run-rows.ts";
import type { TalkStore } from "../store/talk-store.ts";
import type { RateRefusal } from "./count-run.ts";
import { type FoundTool, readTool } from "./read-tool.ts";
import { isFinal, nextState, OUTCOME_UNKNOWN, type RunEvent } from "./run-state.ts";
import { type ToolRequest, ToolRunLog, type ToolUseResult } from "./tool-run-log.ts";

export interface ToolRunDependencies {
  env: RunContext["env"];
  store: TalkStore;
  accountStore: AccountStore;
  fetch: typeof fetch;
  /** Counts a run in the account's meter. Returns why it is refused; null if it is admitted. */
  count(): Promise<RateRefusal | null>;
  /**
   * Returns the scopes of the tester, who controls which tools are requested. Null if there is no tester, or if the
   * tools were authorized when the run began.
   */
  testerScopes(): Promise<readonly Scope[] | null>;
  ended(): void;
  /** ms */
  now(): number;
}

/** A run in progress and the calls that wait for it. */
interface OpenRun {
  id: string;
  requests: ToolRequest[];
  isLogged: boolean;
  done: Promise<ToolUseResult>;
}

interface Outcome {
  event: RunEvent;
  result: unknown;
  status?: number | null;
  error: string | null;
}

/**
 * Runs tools, each run a row of the conversation. Calls that request a running tool wait for the same run, and a write
 * that may have happened is not repeated.
 */
export class ToolRuns {
  readonly #deps: ToolRunDependencies;
  readonly #log: ToolRunLog;
  readonly #open = new Map<string, OpenRun>();

  constructor(deps: ToolRunDependencies) {
    this.#deps = deps;
    this.#log = new ToolRunLog(deps.store, deps.now);
  }

  /** Checks whether a call with this id waits for a run. */
  isUnderWay(tool_call_id: string): boolean {
    return [...this.#open.values()].some(({ requests }) => requests.some((one) => one.tool_call_id === tool_call_id));
  }

  /** Resolves when one of the runs in progress has ended, at once if there is none. */
  async nextEnd(): Promise<void> {
    const open = Array.from(this.#open.values(), ({ done }) => done.catch(() => undefined));
    if (open.length > 0) await Promise.race(open);
  }

  /** Resolves when no run is in progress. */
  async settled(): Promise<void> {
    while (this.#open.size > 0) await this.nextEnd();
  }

  /**
   * Runs a tool and logs the call with its result. A call with `isLoggedAtOnce` is recorded while the checks run; any
   * other call only after the account's rates admit it.
   * @throws ApiError 429 if the rates refuse a call that is not logged at once
   */
  run(request: ToolRequest, { isLoggedAtOnce }: { isLoggedAtOnce: boolean }): Promise<ToolUseResult> {
    const key = keyOf(request);
    const same = [...this.#open.values()].find(({ requests: [first] }) => first && keyOf(first) === key);
    if (same) return this.#join(same, request);
    const doubtful = this.#deps.store.runs.all.find(({ id, state }) => state === "unknown" && this.#keyOf(id) === key);
    return doubtful ? this.#repeat(doubtful, request) : this.#begin(request, isLoggedAtOnce);
  }

  #join(run: OpenRun, request: ToolRequest): Promise<ToolUseResult> {
    run.requests.push(request);
    if (run.isLogged) this.#log.called(run.id, [request]);
    return run.done;
  }

  /** Answers a repeated request for a write that may have happened. */
  async #repeat({ id }: RunRow, request: ToolRequest): Promise<ToolUseResult> {
    const outcome = { run_id: id, state: "unknown", ok: false, result: OUTCOME_UNKNOWN, duration_ms: 0 } as const;
    this.#log.called(id, [request]);
    this.#log.ended([request], outcome);
    return outcome;
  }

  #begin(request: ToolRequest, isLogged: boolean): Promise<ToolUseResult> {
    const { store, now } = this.#deps;
    const requested_at = now();
    const id = uuidv7({ msecs: requested_at });
    const { name, tool_call_id } = request;
    store.runs.add({
      id,
      name,
      tool_call_id,
      effect: "read",
      state: "asked",
      requested_at,
      started_at: null,
      ended_at: null,
      status: null,
      error: null,
      lost: 0,
      listed: 0,
    });
    if (isLogged) this.#log.called(id, [request]);
    const { promise, resolve } = Promise.withResolvers<ToolUseResult>();
    const run: OpenRun = { id, requests: [request], isLogged, done: promise };
    this.#open.set(id, run);
    resolve(this.#carryOut(run, request).finally(() => this.#open.delete(id)));
    return promise;
  }

  /** @throws ApiError 429 */
  async #carryOut(run: OpenRun, { name, arguments: args }: ToolRequest): Promise<ToolUseResult> {
    const { env, store, fetch, now } = this.#deps;
    const { account } = store.identity;
    const { snapshot } = store.session;
    const { rate, found } = await this.#mayRun(name);
    if (rate !== null && !run.isLogged) {
      store.runs.remove(run.id);
      throw tooMany("tool_uses", rate.sentence, rate.retryAfterMs);
    }
    if (!run.isLogged) this.#log.called(run.id, run.requests);
    run.isLogged = true;
    if (rate !== null) return this.#refused(run, rate.sentence);
    if ("refused" in found) return this.#refused(run, found.refused);
    const { tool, installs } = found;
    const { call, visitor, variables } = snapshot;
    const isTester = store.identity.kind === "test";
    const bound = bindArguments(tool.bind, { call, visitor, variables, isTester });
    if ("refused" in bound) return this.#refused(run, bound.refused);
    const ran = await runHttpTool({ env, account, now, fetch }, tool, installs, args, {
      run_id: run.id,
      bound: bound.values,
      begin: () => this.#start(run.id, tool),
    });
    const { ok, result, response, error, in_doubt } = ran;
    const event = in_doubt ? "unanswered" : ok ? "succeeded" : "failed";
    return this.#end(run, { event, result, status: response?.status ?? null, error });
  }

  async #mayRun(name: string): Promise<{ rate: RateRefusal | null; found: FoundTool | { refused: string } }> {
    const { store, accountStore, count, testerScopes } = this.#deps;
    const { account, agent_id } = store.identity;
    const { version } = store.session;
    // Conversations without a stored version use the saved tools.
    const stored = version.is_stored ? version : null;
    try {
      const wanted = { name, agent_id, version: stored };
      const [rate, found, scopes] = await Promise.all([count(), readTool(accountStore, wanted), testerScopes()]);
      return { rate, found: scopes === null ? found : usableBy(scopes, found) };
    } catch (error) {
      logError("tool_run", error, { account, tool: name });
      return { rate: null, found: { refused: "the tool could not be run" } };
    }
  }

  /** Records that a run's request is about to be sent; returns why it may not be sent, null if it may. */
  #start(id: string, tool: FoundTool["tool"]): string | null {
    const { store, now } = this.#deps;
    const run = store.runs.find(id);
    if (run?.state !== "asked" || store.existing.ended_at !== null) return "the conversation ended before the tool ran";
    const most = maxRunsOf(tool);
    const before = store.runs.all.filter(({ name, started_at }) => name === run.name && started_at !== null).length;
    if (most !== null && before >= most) {
      const times = most === 1 ? "once" : `${most} times`;
      return `the tool has run ${times} in this conversation and must not run again`;
    }
    const effect = effectOf(tool);
    store.runs.update(id, { state: nextState(run.state, "started", effect) ?? run.state, started_at: now(), effect });
    store.flush();
    return null;
  }

  #refused(run: OpenRun, sentence: string): ToolUseResult {
    return this.#end(run, { event: "refused", result: sentence, error: sentence });
  }

  #end(run: OpenRun, { event, result, status = null, error }: Outcome): ToolUseResult {
    const { store, now, ended } = this.#deps;
    const row = store.runs.find(run.id);
    // The run was erased, or closed long after the conversation's end.
    if (row === null || isFinal(row.state)) {
      const sentence = row?.error ?? "the conversation has ended";
      return { run_id: run.id, state: "failed", ok: false, result: sentence, duration_ms: 0 };
    }
    const happened = row.state === "asked" ? "refused" : event;
    const state = nextState(row.state, happened, row.effect);
    if (state === null || !isFinal(state)) throw new TypeError(`a run that is ${row.state} cannot end as ${event}`);
    const ended_at = now();
    store.runs.update(run.id, { state, ended_at, status, error });
    const outcome: ToolUseResult = {
      run_id: run.id,
      state,
      ok: state === "ok",
      result: state === "unknown" ? OUTCOME_UNKNOWN : result,
      duration_ms: Math.max(0, ended_at - row.requested_at),
    };
    this.#log.ended(run.requests, outcome);
    ended();
    return outcome;
  }

  #keyOf(run_id: string): string | null {
    const call = this.#log.callOf(run_id);
    return call && keyOf(call);
  }
}

/** Returns a tool if a tester with these scopes may let an agent use it in its current setup. */
function usableBy(scopes: readonly Scope[], found: FoundTool | { refused: string }): FoundTool | { refused: string } {
  if ("refused" in found) return found;
  const { tool } = found;
  const missing = missingScope(scopesToUse([], [{ id: tool.id, body: toolBody(tool), enabled: true }]), scopes);
  if (missing === null) return found;
  return { refused: `the tool requires the scope ${missing}, which the person who tests the agent does not have` };
}

const keyOf = ({ name, arguments: given }: Omit<ToolRequest, "tool_call_id">) => `${name} ${canonicalJson(given)}`;
