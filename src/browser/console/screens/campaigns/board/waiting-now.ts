import type { Plan } from "../live/queries.ts";

/** Contacts that are called soonest come first, because they leave the list first between two plans. */
const SOONEST_FIRST = ["ready", "cap", "retry", "window", "schedule", "do_not_call"] as const;

/**
 * Adjusts a plan's counts of waiting contacts to a total of `pending`, because the plan is slightly older than the
 * counts on the rest of the board. Contacts that no longer wait were called; new ones wait for a retry.
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
