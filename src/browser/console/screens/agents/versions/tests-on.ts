import type { Body } from "../../../api/client.ts";

/**
 * Returns how many tests failed in their last run on a version. Runs are given newest first. Undefined if no test was
 * run, or if no test failed but the model failed in some.
 */
export function testsOn(runs: Body<"TestRunSummary">[], version: number): number | undefined {
  const last = new Map<string, "passed" | "failed" | "model_failed">();
  for (const run of runs) {
    if (run.version !== version) continue;
    for (const { test_id, state } of run.tests) if (state !== null && !last.has(test_id)) last.set(test_id, state);
  }
  const states = [...last.values()];
  const failed = states.filter((state) => state === "failed").length;
  const isKnown = failed > 0 || states.every((state) => state === "passed");
  return states.length > 0 && isKnown ? failed : undefined;
}
