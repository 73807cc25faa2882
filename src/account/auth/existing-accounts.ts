import type { Context } from "hono";
import { BoundedMap } from "../../kernel/bounded-map.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { lookUps } from "../../kernel/http/stores.ts";
import { MINUTE_MS } from "../../kernel/time.ts";

const MAX_ACCOUNTS = 10_000;
/**
 * How long an isolate reuses a look-up, ms. It must be much shorter than the wait of a deletion before it searches for
 * leftovers.
 */
const REUSE_MS = 5 * MINUTE_MS;
/** When (ms) each account was last found, by its name. */
const existing = new BoundedMap<string, number>(MAX_ACCOUNTS);

/**
 * Checks whether the account exists, because an invented name must not create an object. The result is cached for a few
 * minutes.
 */
export async function isAccount(c: Context<AppEnv>, name: string): Promise<boolean> {
  const now = c.get("now");
  if (now - (existing.get(name) ?? Number.NEGATIVE_INFINITY) < REUSE_MS) return true;
  existing.delete(name);
  if (!(await lookUps(c).exists(name))) return false;
  existing.set(name, now);
  return true;
}
