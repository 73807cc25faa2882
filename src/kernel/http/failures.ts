import type { Context } from "hono";
import { MINUTE_MS } from "../time.ts";
import type { AppEnv } from "./context.ts";
import { tooMany } from "./errors.ts";
import { clientOf } from "./rate-limits.ts";

/** What a client fails at: to show who it is, or that a report is the carrier's. */
export type Failure = "authentication" | "webhook";

/** What an isolate remembers at most, of each kind. */
const MAX_REMEMBERED = 10_000;

/** Until when, ms, whom this isolate refuses. What it forgets is found out again at the cost of one more count. */
const blocked = new Map<string, number>();
/** Scopes that are somebody's: what their clients' address does elsewhere is not held against them. */
const recognized = new Set<string>();

const keyOf = (kind: Failure, client: string, scope = "") => `${kind} ${client} ${scope}`;

/**
 * Refuses a client that is known here to have failed too often in this minute: within the scope, or, where the scope is
 * nobody's as far as this isolate knows, at large. Makes no I/O, so that it can go before everything else.
 * @throws ApiError 429
 */
export function refuseBlocked(c: Context<AppEnv>, kind: Failure, scope?: string): void {
  if (c.env.RATE_LIMITS === "off") return;
  const client = clientOf(c);
  refuse(c, kind, keyOf(kind, client, scope));
  if (scope !== undefined && !recognized.has(keyOf(kind, "", scope))) refuse(c, kind, keyOf(kind, client));
}

/**
 * Counts a failure of the client: within a scope that is somebody's, where many share an address (a carrier's serves
 * all tenants), else at large. The one too many has it refused until the minute is over. @throws ApiError 429
 */
export async function countFailure(c: Context<AppEnv>, kind: Failure, scope?: string): Promise<void> {
  if (c.env.RATE_LIMITS === "off") return;
  if (scope !== undefined) recognizeScope(kind, scope);
  const key = keyOf(kind, clientOf(c), scope);
  const { success } = await c.env.FAILED_RATE.limit({ key });
  if (success) return;
  const now = c.get("now");
  makeRoom(blocked);
  blocked.set(key, now - (now % MINUTE_MS) + MINUTE_MS);
  refuse(c, kind, key);
}

/** Notes that the scope is somebody's. */
export function recognizeScope(kind: Failure, scope: string): void {
  const key = keyOf(kind, "", scope);
  // Put last, so that those that are forgotten are those not seen for long.
  recognized.delete(key);
  makeRoom(recognized);
  recognized.add(key);
}

function refuse(c: Context<AppEnv>, kind: Failure, key: string): void {
  const until = blocked.get(key);
  if (until === undefined) return;
  const left = until - c.get("now");
  if (left > 0) throw tooMany("rate_limited", `too many failures from this address (${kind})`, left);
  blocked.delete(key);
}

function makeRoom(remembered: Map<string, number> | Set<string>): void {
  const [oldest] = remembered.keys();
  if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}
