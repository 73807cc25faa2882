import type { Plan } from "../live/queries.ts";

/** The contacts that are called next come first: they are the ones that leave the list between two plans. */
const SOONEST_FIRST = ["ready", "cap", "retry", "window", "schedule", "do_not_call"] as const;

/**
 * Why contacts wait, so that they are `pending` together: a plan is of a moment ago, and the counts of now are what the
 * rest of the board shows. Who left was called; who came waits for another try.
 */
export function waitingNow(waiting: Plan["waiting"], pending: number): Plan["waiting"] {
  const now = structuredClone(waiting);
  let over = SOONEST_FIRST.reduce((sum, why) => sum + waiting[why], 0) - pending;
  if (over < 0) now.retry -= over;
  for (const why of SOONEST_FIRST) {
    const left = Math.max(0, Math.min(now[why], over));
    now[why] -= left;
    over -= left;
  }
  return now;
}
