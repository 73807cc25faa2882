import type { Context } from "hono";
import type { AppEnv } from "../../kernel/http/context.ts";
import { lookUps } from "../../kernel/http/stores.ts";

const MAX_ACCOUNTS = 10_000;
const existing = new Set<string>();

/**
 * Whether the account exists; a made-up name must not create an object. Accounts are never deleted, so an existing one
 * is looked up once per isolate.
 */
export async function isAccount(c: Context<AppEnv>, name: string): Promise<boolean> {
  if (existing.has(name)) return true;
  if (!(await lookUps(c).exists(name))) return false;
  const [oldest] = existing;
  if (existing.size >= MAX_ACCOUNTS && oldest !== undefined) existing.delete(oldest);
  existing.add(name);
  return true;
}
