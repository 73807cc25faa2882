import type { Context } from "hono";
import { BoundedMap } from "../bounded-map.ts";
import { MINUTE_MS } from "../time.ts";
import type { AppEnv } from "./context.ts";
import { tooMany } from "./errors.ts";
import { clientOf } from "./rate-limits.ts";

/** The kind of failure: authentication, or the signature of a carrier's webhook. */
export type Failure = "authentication" | "webhook";

/** The maximum number of entries of each kind that an isolate remembers. */
const MAX_REMEMBERED = 10_000;

/** Refused clients, and until when (ms) they are refused. A lost entry costs one more count. */
const blocked = new BoundedMap<string, number>(MAX_REMEMBERED);
/** Verified scopes. Failures elsewhere from the same address do not count within them. */
const recognized = new BoundedMap<string, true>(MAX_REMEMBERED);

const keyOf = (kind: Failure, client: string, scope = "") => `${kind} ${client} ${scope}`;

/**
 * Refuses a client that has failed too often in this minute, as far as this isolate knows: within the scope, or in
 * general if the scope is not known to exist. It does no I/O, so that it can run before everything else.
 * @throws ApiError 429
 */
export function refuseBlocked(c: Context<AppEnv>, kind: Failure, scope?: string): void {
  if (c.env.RATE_LIMITS === "off") return;
  const client = clientOf(c);
  refuse(c, kind, keyOf(kind, client, scope));
  if (scope !== undefined && !recognized.has(keyOf(kind, "", scope))) refuse(c, kind, keyOf(kind, client));
}

/**
 * Counts a failure of the client. It counts within a scope that exists, because many clients may share an address there
 * (a carrier uses one for all accounts), otherwise in general. A client over the limit is refused until the minute is
 * over.
 * @throws ApiError 429
 */
export async function countFailure(c: Context<AppEnv>, kind: Failure, scope?: string): Promise<void> {
  if (c.env.RATE_LIMITS === "off") return;
  if (scope !== undefined) recognizeScope(kind, scope);
  const key = keyOf(kind, clientOf(c), scope);
  const { success } = await c.env.FAILED_RATE.limit({ key });
  if (success) return;
  const now = c.get("now");
  blocked.set(key, now - (now % MINUTE_MS) + MINUTE_MS);
  refuse(c, kind, key);
}

export function recognizeScope(kind: Failure, scope: string): void {
  recognized.set(keyOf(kind, "", scope), true);
}

function refuse(c: Context<AppEnv>, kind: Failure, key: string): void {
  const until = blocked.get(key);
  if (until === undefined) return;
  const remainingMs = until - c.get("now");
  if (remainingMs > 0) throw tooMany("rate_limited", `too many failures from this address (${kind})`, remainingMs);
  blocked.delete(key);
}
