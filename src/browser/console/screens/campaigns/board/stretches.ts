import type { Body } from "../../../api/client.ts";
import type { Stretch } from "../live/outcomes-over-time.ts";

/**
 * Returns the service's counts of a campaign's calls, beginning with the first call.
 * @param isRunning whether the last bucket is incomplete
 */
export function countedStretches({ buckets }: Pick<Body<"CallStatistics">, "buckets">, isRunning: boolean): Stretch[] {
  const first = Math.max(
    0,
    buckets.findIndex(({ calls }) => calls > 0),
  );
  const last = buckets.findLastIndex(({ calls }) => calls > 0);
  return buckets.slice(first, isRunning ? -1 : last + 1).map(({ at, calls, running, answered, end_reasons }) => {
    // A call counts as answered when it is picked up, but it ends later.
    const over = calls - running;
    const reached = (end_reasons.answered ?? 0) + (end_reasons.hangup ?? 0);
    return { at: Date.parse(at), answered, failed: Math.max(0, over - reached), again: 0 };
  });
}
