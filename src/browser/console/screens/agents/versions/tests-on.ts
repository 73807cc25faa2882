import type { Body } from "../../../api/client.ts";

/**
 * How many tests failed in their last run on a version, by its runs, newest first; undefined if none was run to its
 * end.
 */
export function testsOn(runs: Body<"TestRunSummary">[], version: number): number | undefined {
  const last = new Map<string, boolean>();
  for (const run of runs) {
    if (run.version !== version) continue;
    for (const { test_id, passed } of run.tests) if (passed !== null && !last.has(test_id)) last.set(test_id, passed);
  }
  return last.size === 0 ? undefined : [...last.values()].filter((passed) => !passed).length;
}
