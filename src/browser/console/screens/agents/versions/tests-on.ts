import type { Body } from "../../../api/client.ts";

/**
 * How many tests failed on a version when each was run last, by its runs, newest first; undefined where none was run, or
 * none is over.
 */
export function testsOn(runs: Body<"TestRunSummary">[], version: number): number | undefined {
  const last = new Map<string, boolean>();
  for (const run of runs) {
    if (run.version !== version) continue;
    for (const { test_id, passed } of run.tests) if (passed !== null && !last.has(test_id)) last.set(test_id, passed);
  }
  return last.size === 0 ? undefined : [...last.values()].filter((passed) => !passed).length;
}
