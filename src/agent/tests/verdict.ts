/* Judges repeated tests with pure functions, which publishing and all views of results share. */
import type { ResultCounts, ResultState } from "../../kernel/db/schema/index.ts";

/** The maximum number of repetitions of a test. */
export const MAX_REPEAT = 10;

/** The number of repetitions of a test, and how many of them must pass. */
export interface Repetitions {
  repeat: number;
  /** From 1 to `repeat`. */
  min_passes: number;
}

export function countsOf(states: readonly ResultState[]): ResultCounts {
  const counts: ResultCounts = { passed: 0, failed: 0, model_failed: 0 };
  for (const state of states) counts[state] += 1;
  return counts;
}

/**
 * Returns the result of a test whose conversations have all ended. `min_passes` of `repeat` must pass, and the same
 * share of a larger number, so that running a test more often does not make it easier to pass. If fewer than `repeat`
 * repetitions have a verdict, the result is `model_failed`.
 */
export function verdictOf({ repeat, min_passes }: Repetitions, { passed, failed }: ResultCounts): ResultState {
  const judged = passed + failed;
  if (judged < repeat) return "model_failed";
  return passed * repeat >= judged * min_passes ? "passed" : "failed";
}
