import type { LookUps } from "../../kernel/db/look-ups.ts";

const MAX_ACCOUNTS = 10_000;
const known = new Set<string>();

/**
 * Whether there is such an account: an invented one must not make an object. Accounts are never deleted, so one that is
 * there is looked up once in an isolate.
 */
export async function isAccount(lookUps: LookUps, name: string): Promise<boolean> {
  if (known.has(name)) return true;
  if (!(await lookUps.exists(name))) return false;
  const [oldest] = known;
  if (known.size >= MAX_ACCOUNTS && oldest !== undefined) known.delete(oldest);
  known.add(name);
  return true;
}
