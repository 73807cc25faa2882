import type { Context } from "hono";
import type { AppEnv } from "../../kernel/http/context.ts";
import { tooMany } from "../../kernel/http/errors.ts";
import { clientOf } from "../../kernel/http/rate-limits.ts";
import { FIRST_FRAME_MS } from "./protocols/protocol.ts";

/** Sockets of one address that have not shown yet whose session they are for. */
export const UNPROVEN_OF_ADDRESS = 20;

const open = new Map<string, number>();

/**
 * Counts a socket that is yet to show whose session it is for, until the function it gives is called; each isolate counts
 * its own. @throws ApiError 429 where its address has too many of them
 */
export function countUnproven(c: Context<AppEnv>): () => void {
  if (c.env.RATE_LIMITS === "off") return () => {};
  const client = clientOf(c);
  const count = open.get(client) ?? 0;
  if (count >= UNPROVEN_OF_ADDRESS)
    throw tooMany("rate_limited", "too many sockets of this address have not shown a token", FIRST_FRAME_MS);
  open.set(client, count + 1);
  let isCounted = true;
  return () => {
    if (!isCounted) return;
    isCounted = false;
    const left = (open.get(client) ?? 1) - 1;
    if (left > 0) open.set(client, left);
    else open.delete(client);
  };
}
