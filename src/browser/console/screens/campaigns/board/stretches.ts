import type { Body } from "../../../api/client.ts";
import type { Stretch } from "../live/outcomes-over-time.ts";

/**
 * The service's counts of a campaign's calls, from the first of them on.
 * @param isRunning the last bucket is still filling
 */
export function countedStretches({ buckets }: Pick<Body<"CallStatistics">, "buckets">, isRunning: boolean): Stretch[] {
  const first = Math.max(
    0,
    buckets.findIndex(({ calls }) => calls > 0),
  );
  const last = buckets.findLastIndex(({ calls }) => calls > 0);
  return buckets.slice(first, isRunning ? -1 : last + 1).map(({ at, calls, running, answered, end_reasons }) => {
    // Calls count as answered from the pick-up on, and are over later.
    const over = calls - running;
    const reached = (end_reasons.answered ?? 0) + (end_reasons.hangup ?? 0);
    return { at: Date.parse(at), answered, failed: Math.max(0, over - reached), again: 0 };
  });
}
