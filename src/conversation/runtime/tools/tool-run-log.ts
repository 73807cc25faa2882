import type { ConversationEvent } from "../../../records/conversations/events.ts";
import type { NewEvent } from "../store/conversation-row.ts";
import type { RunRow } from "../store/run-rows.ts";
import type { TalkStore } from "../store/talk-store.ts";
import { CUT_OFF, type FinalState, isFinal, nextState, OUTCOME_UNKNOWN } from "./run-state.ts";

/** A use of a tool on the platform. */
export interface ToolRequest {
  tool_call_id: string;
  name: string;
  arguments: Record<string, unknown>;
}

/** The result of using a tool, as its model gets it. */
export interface ToolUseResult {
  /** Null if nothing was run. */
  run_id: string | null;
  state: FinalState;
  ok: boolean;
  result: unknown;
  duration_ms: number;
}

type ToolCallEvent = Extract<ConversationEvent, { type: "tool_call" }>;

export class ToolRunLog {
  readonly #store: TalkStore;
  readonly #now: () => number;

  /** @param now ms */
  constructor(store: TalkStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  called(run_id: string, requests: ToolRequest[]): void {
    for (const { tool_call_id, name, arguments: given } of requests)
      this.#append({ type: "tool_call", tool_call_id, name, arguments: given, run_id, state: "running" });
  }

  /** Logs the use of a tool that did not run. */
  used({ tool_call_id, name, arguments: given }: ToolRequest, outcome: ToolUseResult): void {
    this.#append({ type: "tool_call", tool_call_id, name, arguments: given });
    this.ended([{ tool_call_id }], outcome);
  }

  ended(calls: Pick<ToolRequest, "tool_call_id">[], outcome: ToolUseResult): void {
    const { run_id, state, ok, result, duration_ms } = outcome;
    for (const { tool_call_id } of calls) {
      const event = { type: "tool_result", tool_call_id, ok, result, duration_ms, state } as const;
      this.#append(run_id === null ? event : Object.assign(event, { run_id }));
    }
  }

  callOf(run_id: string): ToolCallEvent | null {
    return this.#calls.find((call) => call.run_id === run_id) ?? null;
  }

  /** Returns the result of a call; null if there is none yet. An interrupted read may be repeated as a new call. */
  resultOf(tool_call_id: string): ToolUseResult | null {
    const event = this.#store.events.findLast((one) => one.type === "tool_result" && one.tool_call_id === tool_call_id);
    if (event?.type !== "tool_result") return null;
    const { run_id = null, ok, result, duration_ms, state = ok ? "ok" : "failed" } = event;
    const run = run_id === null ? null : this.#store.runs.find(run_id);
    return run?.lost === 1 && state === "failed" ? null : { run_id, state, ok, result, duration_ms };
  }

  /**
   * Closes runs whose process was lost or that no caller waits for any longer, and unfinished calls of built-in tools.
   */
  closeOpen(): void {
    const { runs, row } = this.#store;
    for (const run of runs.all.filter(({ state }) => !isFinal(state))) this.#giveUp(run);
    if (row === null) return;
    const answered = new Set(
      this.#store.events.flatMap((one) => (one.type === "tool_result" ? [one.tool_call_id] : [])),
    );
    // A custom runtime completes the events that it numbered itself.
    const isOurs = ({ seq }: ToolCallEvent) => row.held_by === "edge" || seq < 0;
    const open = this.#calls.filter((call) => isOurs(call) && !answered.has(call.tool_call_id));
    this.ended(open, { run_id: null, state: "unknown", ok: false, result: OUTCOME_UNKNOWN, duration_ms: 0 });
  }

  #giveUp({ id, state: before, effect, requested_at }: RunRow): void {
    const state = nextState(before, "lost", effect);
    if (state === null || !isFinal(state)) return;
    const ended_at = this.#now();
    const result = state === "unknown" ? OUTCOME_UNKNOWN : CUT_OFF;
    this.#store.runs.update(id, { state, ended_at, error: result, lost: 1 });
    const calls = this.#calls.filter(({ run_id }) => run_id === id);
    this.ended(calls, { run_id: id, state, ok: false, result, duration_ms: Math.max(0, ended_at - requested_at) });
  }

  get #calls(): ToolCallEvent[] {
    return this.#store.events.flatMap((event) => (event.type === "tool_call" ? [event] : []));
  }

  #append(event: NewEvent): void {
    const { row } = this.#store;
    if (row?.held_by === "edge") this.#store.append(event, this.#now());
    else this.#store.appendBeside(event, this.#now());
  }
}
