import type { Context } from "hono";
import { MINUTE_MS } from "../time.ts";
import type { AppEnv, Bindings } from "./context.ts";
import { tooMany } from "./errors.ts";

/** The rate limit binding counts per minute (wrangler.toml), so a retry can succeed a minute later. */
const RETRY_AFTER_MS = MINUTE_MS;

/** Counts a request of the client's address to a public endpoint. @throws ApiError 429 over the limit */
export async function countAddress(c: Context<AppEnv>): Promise<void> {
  if (c.env.RATE_LIMITS === "off") return;
  const { success } = await c.env.PUBLIC_RATE.limit({ key: clientOf(c) });
  if (!success) throw tooMany("rate_limited", "too many requests from this address", RETRY_AFTER_MS);
}

/** Counts a request that the account causes to its carriers. @throws ApiError 429 over the limit */
export async function countCarrierLook(env: Bindings, account: string): Promise<void> {
  if (env.RATE_LIMITS === "off") return;
  const { success } = await env.CARRIER_RATE.limit({ key: account });
  if (!success) throw tooMany("rate_limited", "too many carrier checks for this account", RETRY_AFTER_MS);
}

/** The address of every client if the service only accepts connections from its own machine. */
const LOCAL_ADDRESS = "127.0.0.1";

/**
 * Returns the client's address; `unknown` if there is none. The header is trusted only behind Cloudflare: elsewhere any
 * client could set it, and workerd does not reveal the socket's address.
 */
export function addressOf(c: Context<AppEnv>): string {
  if (c.env.TRUST_CONNECTING_IP !== "on") return LOCAL_ADDRESS;
  return c.req.header("cf-connecting-ip") ?? "unknown";
}

/** Returns the client's network, by which limits count. */
export function clientOf(c: Context<AppEnv>): string {
  return network(addressOf(c));
}

/** Returns the network that counts as one client: an IPv4 address, or the /64 that an IPv6 subscriber has alone. */
export function network(address: string): string {
  if (!address.includes(":")) return address;
  return `${groupsOf(address).slice(0, 4).join(":")}::/64`;
}

/**
 * Returns the network that counts as one network of guests: an IPv4 address, or the /56 that a provider gives to a
 * household.
 */
export function guestNetwork(address: string): string {
  if (!address.includes(":")) return address;
  const [first, second, third, fourth = "0"] = groupsOf(address);
  const upper = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return `${first}:${second}:${third}:${upper}::/56`;
}

/** Returns the groups of an IPv6 address or prefix, including those that `::` omits. */
function groupsOf(address: string): string[] {
  const [head = "", tail] = address
    .toLowerCase()
    .replace(/\/\d+$/, "")
    .split("::");
  const groups = head.split(":").filter((group) => group !== "");
  if (tail !== undefined) {
    const after = tail.split(":").filter((group) => group !== "");
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after.length)).fill("0"), ...after);
  }
  return groups;
}
