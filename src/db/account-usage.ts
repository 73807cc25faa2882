import type { BoundStatement } from "./batch.ts";

/** The limit of each quota by plan. */
export type LimitsByPlan = Record<string, Record<string, number>>;

/** The operator's overrides come first, then the plan's limits; nothing is written where they are in force already. */
const SET_LIMITS = `INSERT INTO account_usage (account, name, used, most)
SELECT accounts.name, quota.key, 0, coalesce(accounts.quotas ->> quota.key, quota.value ->> accounts.plan)
FROM accounts, json_each(?2) quota WHERE accounts.name = ?1
ON CONFLICT (account, name) DO UPDATE SET most = excluded.most WHERE most IS NOT excluded.most`;

/**
 * The statement that goes before an account's changes, in the same batch: what follows is held to the limits that are
 * in force at that moment.
 */
export function limitsStatement(account: string, limits: LimitsByPlan): BoundStatement {
  return { sql: SET_LIMITS, params: [account, JSON.stringify(limits)] };
}

/** The quota for which D1 refused a whole batch, null where that is not what the error says. */
export function exceededQuota(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  // From the beginning: further on a message can hold what an account wrote.
  const [, name] = /^(?:D1_ERROR: )?quota_exceeded (\w+)/.exec(error.message) ?? [];
  return name ?? exceededQuota(error.cause);
}
