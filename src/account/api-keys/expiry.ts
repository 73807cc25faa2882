import { z } from "zod";
import { DAY_MS } from "../../kernel/time.ts";

/** Lifetime of a key created without an expiry. */
const DEFAULT_DAYS = 365;

/** Why an expiry is refused; the message is for the caller. */
export class InvalidExpiry extends Error {}

/**
 * When a key expires (ms), null for never. `expiry` is `never`, `<n>d` or an ISO 8601 time ahead;
 * with none given a key lasts a year, or as long as the account allows. @throws InvalidExpiry
 */
export function expiryTime(expiry: string | undefined, maxDays: number | null, now: number): number | null {
  const latest = maxDays === null ? null : now + maxDays * DAY_MS;
  if (expiry === undefined) return now + Math.min(DEFAULT_DAYS, maxDays ?? DEFAULT_DAYS) * DAY_MS;
  const at = parse(expiry, now);
  if (latest !== null && (at === null || at > latest)) {
    throw new InvalidExpiry(`expiry: must be at most ${maxDays}d for this account`);
  }
  return at;
}

function parse(expiry: string, now: number): number | null {
  if (expiry === "never") return null;
  const [, days] = /^([1-9]\d{0,4})d$/.exec(expiry) ?? [];
  if (days) return now + Number(days) * DAY_MS;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(expiry);
  // Date.parse takes the 30th of February for the 1st or 2nd of March.
  const isDay = z.iso.date().safeParse(expiry.slice(0, 10)).success;
  const at = isTime && isDay ? Date.parse(expiry) : Number.NaN;
  if (Number.isNaN(at))
    throw new InvalidExpiry("expiry: must be never, a number of days such as 90d, or an ISO 8601 time");
  if (at <= now) throw new InvalidExpiry("expiry: must be in the future");
  return at;
}
