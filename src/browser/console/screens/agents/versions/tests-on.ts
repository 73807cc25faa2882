import type { Body } from "../../../api/client.ts";

/**
 * How many tests failed in their last run on a version, by its runs, newest first; undefined if none passed or failed.
 */
export function testsOn(runs: Body<"TestRunSummary">[], version: number): number | undefined {
  const last = new Map<string, "passed" | "failed" | "model_failed">();
  for (const run of runs) {
    if (run.version !== version) continue;
    for (const { test_id, state } of run.tests) if (state !== null && !last.has(test_id)) last.set(test_id, state);
  }
  const judged = [...last.values()].filter((state) => state !== "model_failed");
  return judged.length === 0 ? undefined : judged.filter((state) => state === "failed").length;
}
