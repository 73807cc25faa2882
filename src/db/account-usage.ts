/** Sets the limits that D1 holds an account to; writes nothing where they are those already. */
const SET_LIMITS = `INSERT INTO account_usage (account, name, used, most)
SELECT ?1, key, 0, value FROM json_each(?2) WHERE true
ON CONFLICT (account, name) DO UPDATE SET most = excluded.most WHERE most IS NOT excluded.most`;

/** The statement that goes before an account's changes, so that the limits in force are those of now. */
export function limitsStatement(account: string, limits: Record<string, number>): { sql: string; params: string[] } {
  return { sql: SET_LIMITS, params: [account, JSON.stringify(limits)] };
}

/** The quota for which D1 refused a whole batch, null where that is not what the error says. */
export function exceededQuota(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  // From the beginning: further on a message can hold what an account wrote.
  const [, name] = /^D1_ERROR: quota_exceeded (\w+): SQLITE_CONSTRAINT/.exec(error.message) ?? [];
  return name ?? exceededQuota(error.cause);
}
