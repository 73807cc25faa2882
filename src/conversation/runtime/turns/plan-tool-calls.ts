import type { ToolCall } from "../models/model.ts";

/** Tool calls per answer. */
const MAX_CALLS = 16;

/** The order in which the tool calls of one answer run. */
export interface ToolPlan {
  /** Run whatever the caller says meanwhile: they carry out what the caller asked for. */
  first: ToolCall[];
  /** Run one step after the other; the calls of one step run together. */
  steps: ToolCall[][];
  /** End the conversation or transfer the caller, so they run after everything else. */
  last: ToolCall[];
  /** Exceed the number of calls per answer, and don't run. */
  excess: ToolCall[];
}

const FIRST = ["opt_out", "set_disposition"];
/** Transfers come before ends: a caller who was transferred need not be hung up on. */
const LAST = ["transfer_call", "end_call"];

/** Plans the tool calls of one answer. Tools for which `isRead` is true change nothing, so they run together. */
export function planToolCalls(calls: readonly ToolCall[], isRead: (name: string) => boolean): ToolPlan {
  const ofNames = (names: string[]) => names.flatMap((wanted) => calls.filter(({ name }) => name === wanted));
  const others = calls.filter(({ name }) => ![...FIRST, ...LAST].includes(name));
  const steps: ToolCall[][] = [];
  let reads: ToolCall[] | null = null;
  for (const call of others.slice(0, MAX_CALLS)) {
    if (reads !== null && isRead(call.name)) reads.push(call);
    else {
      const step = [call];
      steps.push(step);
      reads = isRead(call.name) ? step : null;
    }
  }
  return { first: ofNames(FIRST), steps, last: ofNames(LAST), excess: others.slice(MAX_CALLS) };
}
