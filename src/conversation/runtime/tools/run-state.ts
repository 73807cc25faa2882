import type { Effect } from "../../../agent/tools/effect.ts";

/** The state of a tool run. Before `running`, nothing has left the service. */
export type RunState = "asked" | "running" | "ok" | "failed" | "unknown";
export type FinalState = Extract<RunState, "ok" | "failed" | "unknown">;

/**
 * An event of a run. `started`: its request is about to be sent. `refused`: it was refused before that. `succeeded`,
 * `failed`: the service responded. `unanswered`: the request was sent, but no complete response arrived. `lost`: its
 * process was lost, or no caller waits for it any longer.
 */
export type RunEvent = "started" | "refused" | "succeeded" | "failed" | "unanswered" | "lost";

/** Returns the next state; null if the event is impossible in this state. */
export function nextState(state: RunState, event: RunEvent, effect: Effect): RunState | null {
  if (state === "asked") {
    if (event === "started") return "running";
    return event === "refused" || event === "lost" ? "failed" : null;
  }
  if (state !== "running") return null;
  switch (event) {
    case "succeeded":
      return "ok";
    case "failed":
      return "failed";
    case "unanswered":
    case "lost":
      // A read changes nothing, so only writes can be unknown.
      return effect === "write" ? "unknown" : "failed";
    default:
      return null;
  }
}

export function isFinal(state: RunState): state is FinalState {
  return state !== "asked" && state !== "running";
}

/** The result, for the model, of a write that may have happened. */
export const OUTCOME_UNKNOWN = "outcome unknown: it may have happened; do not repeat it, and say so";
/** The result, for the model, of a run that was interrupted and changed nothing. */
export const CUT_OFF = "the run was interrupted before its result came; it can be requested again";
