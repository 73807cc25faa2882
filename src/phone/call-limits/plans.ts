/** Maximum calls of an account: at once, admitted within a sliding minute, and within a UTC day. */
export interface CallCaps {
  concurrent_calls: number;
  calls_per_minute: number;
  calls_per_day: number;
}

export const PLANS = {
  starter: { concurrent_calls: 5, calls_per_minute: 30, calls_per_day: 500 },
  growth: { concurrent_calls: 25, calls_per_minute: 120, calls_per_day: 5_000 },
  scale: { concurrent_calls: 200, calls_per_minute: 1_000, calls_per_day: 100_000 },
} satisfies Record<string, CallCaps>;

export type Plan = keyof typeof PLANS;

export const PLAN_NAMES = Object.keys(PLANS) as [Plan, ...Plan[]];

/** Returns the caps in force: the plan's, each replaced by the operator's override if there is one. */
export function capsOf(account: {
  plan: Plan;
  cap_concurrent_calls: number | null;
  cap_calls_per_minute: number | null;
  cap_calls_per_day: number | null;
}): CallCaps {
  const plan = PLANS[account.plan];
  return {
    concurrent_calls: account.cap_concurrent_calls ?? plan.concurrent_calls,
    calls_per_minute: account.cap_calls_per_minute ?? plan.calls_per_minute,
    calls_per_day: account.cap_calls_per_day ?? plan.calls_per_day,
  };
}
