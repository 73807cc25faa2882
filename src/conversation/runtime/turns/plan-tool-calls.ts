import type { ToolCall } from "../models/model.ts";

/** Maximum tool calls that run per answer, in addition to opt-outs. */
const MAX_CALLS = 16;
/** Calls beyond the maximum that still get a recorded result. */
const MAX_EXCESS = 48;

/** The order in which the tool calls of one answer run. */
export interface ToolPlan {
  /** Run even if the caller interrupts, because the caller asked for them. */
  first: ToolCall[];
  /** Run step by step; the calls of one step run together. */
  steps: ToolCall[][];
  /** End the conversation or transfer the caller, so they run last. */
  last: ToolCall[];
  /** Exceed the maximum per answer and don't run. */
  excess: ToolCall[];
}

const OPT_OUT = "opt_out";
const FIRST = [OPT_OUT, "set_disposition"];
/** Transfers come before ends: a transferred caller must not be hung up on. */
const LAST = ["transfer_call", "end_call"];

/** Plans the tool calls of one answer. Tools for which `isRead` is true have no side effects, so they run together. */
export function planToolCalls(calls: readonly ToolCall[], isRead: (name: string) => boolean): ToolPlan {
  const counted = calls.filter(({ name }) => name !== OPT_OUT);
  const run = [...calls.filter(({ name }) => name === OPT_OUT).slice(0, 1), ...counted.slice(0, MAX_CALLS)];
  const ofNames = (names: string[]) => names.flatMap((wanted) => run.filter(({ name }) => name === wanted));
  const others = run.filter(({ name }) => ![...FIRST, ...LAST].includes(name));
  const steps: ToolCall[][] = [];
  let reads: ToolCall[] | null = null;
  for (const call of others) {
    if (reads !== null && isRead(call.name)) reads.push(call);
    else {
      const step = [call];
      steps.push(step);
      reads = isRead(call.name) ? step : null;
    }
  }
  const excess = calls.filter((call) => !run.includes(call)).slice(0, MAX_EXCESS);
  return { first: ofNames(FIRST), steps, last: ofNames(LAST), excess };
}
