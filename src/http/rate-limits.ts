import type { Context } from "hono";
import type { AppEnv, Bindings } from "./context.ts";
import { tooMany } from "./errors.ts";

/** The rate limit bindings count by the minute (wrangler.toml), so a retry can succeed a minute later. */
const RETRY_AFTER_MS = 60_000;

/** Counts one more request of `key`. @throws ApiError 429 when it is one too many */
export async function countRequest(
  env: Bindings,
  binding: "PUBLIC_RATE" | "LOGIN_RATE",
  key: string,
  who: string,
): Promise<void> {
  if (env.RATE_LIMITS === "off") return;
  const { success } = await env[binding].limit({ key });
  if (!success) throw tooMany("rate_limited", `too many requests ${who}`, RETRY_AFTER_MS);
}

/** Counts one more request of the client's address at a public endpoint. @throws ApiError 429 */
export function countAddress(c: Context<AppEnv>, limit: "login" | "public"): Promise<void> {
  const binding = limit === "login" ? "LOGIN_RATE" : "PUBLIC_RATE";
  return countRequest(c.env, binding, clientOf(c), "from this address");
}

/** The client's address as limits count it. */
export function clientOf(c: Context<AppEnv>): string {
  return network(c.req.header("cf-connecting-ip") ?? "unknown");
}

/** What a limit counts as one client: an IPv4 address, or the /64 that an IPv6 subscriber has to itself. */
export function network(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head.split(":").filter((group) => group !== "");
  if (tail !== undefined) {
    const after = tail.split(":").filter((group) => group !== "");
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after.length)).fill("0"), ...after);
  }
  return `${groups.slice(0, 4).join(":")}::/64`;
}
