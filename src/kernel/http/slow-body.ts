import type { Context } from "hono";
import type { AppEnv, Door } from "./context.ts";

/**
 * The duration of a body, ms, after which its sender is checked again; about as long as a revocation takes to spread.
 */
const SLOW_BODY_MS = 2_000;

/**
 * Reads a request's body. A slow sender would keep the authority it had at the beginning, so it is admitted again once
 * the body has arrived. @throws ApiError
 */
export async function readingSlowly<T>(c: Context<AppEnv>, definition: Door, read: () => Promise<T>): Promise<T> {
  const begunAt = Date.now();
  const body = await read();
  if (definition.access === "public" || Date.now() - begunAt < SLOW_BODY_MS) return body;
  c.set("now", Date.now());
  await c.get("admissions")[definition.access === "runtime" ? "runtime" : "account"](c, definition);
  return body;
}
