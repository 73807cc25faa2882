import type { Context } from "hono";
import type { AppEnv, Door } from "./context.ts";

/** If a body takes longer than this, its sender is admitted again, ms. A revocation takes about as long to spread. */
const SLOW_BODY_MS = 2_000;

/**
 * Reads a request's body. A slow sender would keep the authority that it had at the beginning, so it is admitted again
 * after the body has arrived.
 * @throws ApiError
 */
export async function readingSlowly<T>(c: Context<AppEnv>, definition: Door, read: () => Promise<T>): Promise<T> {
  const begunAt = Date.now();
  const body = await read();
  if (definition.access === "public" || Date.now() - begunAt < SLOW_BODY_MS) return body;
  c.set("now", Date.now());
  await c.get("admissions")[definition.access === "runtime" ? "runtime" : "account"](c, definition);
  return body;
}
