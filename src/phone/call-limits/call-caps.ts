import { DAY_MS, MINUTE_MS } from "../../kernel/time.ts";
import type { CallCaps } from "./plans.ts";

/** The cap that refuses a call. The values are error codes of a 429. */
export type Cap = "concurrent_calls_cap" | "calls_per_minute_cap" | "calls_per_day_cap";

/** The caller's limit that refuses an inbound call. */
export type CallerCap = "caller_concurrent_calls_cap" | "caller_calls_per_day_cap";

/** Why the account can't have another call: a cap, or a budget that is used up. */
export type RefusalCause = Cap | "budget_reached";

/** Why a call is refused, and when (ms) a retry can succeed at the earliest. */
export interface CallRefusal<Why = RefusalCause> {
  cap: Why;
  retryAt: number;
}

/** How many calls one caller may make to the account at once and within a UTC day; null for no limit. */
export interface CallerLimits {
  concurrent_calls: number | null;
  calls_per_day: number | null;
}

/** The number of a caller's current calls, and of their calls within the UTC day. */
export interface CallerUsage {
  concurrent: number;
  today: number;
}

/** The account's current usage. Times are ms since the epoch. */
export interface Usage {
  concurrent: number;
  /** How many of these calls belong to campaigns. */
  ofCampaigns: number;
  /** Admissions within the last 60 s. */
  lastMinute: number;
  /** The oldest admission within the last 60 s. */
  oldestInMinute: number | null;
  /** When the next lease expires unless it is renewed or freed. */
  nextLeaseExpiry: number | null;
  /** Admissions within the UTC day. */
  today: number;
}

export interface Admission<Why = RefusalCause> {
  /** Number of the requested calls that may be placed now. */
  granted: number;
  /** Why the others are refused, and when (ms) a retry can succeed at the earliest; null if all are granted. */
  refusal: CallRefusal<Why> | null;
}

/** A call can end at any moment, so a call refused by the concurrency cap may be retried soon. */
const CONCURRENCY_RETRY_MS = 5_000;

/** Accounts with a cap of at least this size have one reserved slot by default. */
const RESERVE_FROM_CAP = 10;

/**
 * Returns how many concurrent calls campaigns may have: the cap minus the reserve (null for the default), at least one.
 */
export function campaignSlots({ concurrent_calls: cap }: Pick<CallCaps, "concurrent_calls">, reserve: number | null) {
  const reserved = reserve ?? (cap >= RESERVE_FROM_CAP ? 1 : 0);
  return Math.max(Math.min(1, cap), cap - reserved);
}

/** Admits up to `want` campaign calls at `now`: campaigns may hold `slots` at a time, within the caps. */
export function admitCampaignCalls(
  caps: CallCaps,
  slots: number,
  usage: Usage,
  want: number,
  now: number,
): Admission<Cap> {
  return admit(caps, usage, Math.min(caps.concurrent_calls - usage.concurrent, slots - usage.ofCampaigns), want, now);
}

/** Admits up to `want` single or inbound calls at `now` within the caps, with the reason if not all are granted. */
export function admitCalls(caps: CallCaps, usage: Usage, want: number, now: number): Admission<Cap> {
  return admit(caps, usage, caps.concurrent_calls - usage.concurrent, want, now);
}

/** Returns the caller's limit that refuses their next call; null if none does. */
export function callerRefusal(limits: CallerLimits, usage: CallerUsage, now: number): CallRefusal<CallerCap> | null {
  if (usage.today >= (limits.calls_per_day ?? Number.POSITIVE_INFINITY))
    return { cap: "caller_calls_per_day_cap", retryAt: nextUtcDay(now) };
  if (usage.concurrent >= (limits.concurrent_calls ?? Number.POSITIVE_INFINITY))
    return { cap: "caller_concurrent_calls_cap", retryAt: now + CONCURRENCY_RETRY_MS };
  return null;
}

function admit(caps: CallCaps, usage: Usage, freeSlots: number, want: number, now: number): Admission<Cap> {
  const room: [free: number, cap: Cap, retryAt: number][] = [
    [caps.calls_per_day - usage.today, "calls_per_day_cap", nextUtcDay(now)],
    [caps.calls_per_minute - usage.lastMinute, "calls_per_minute_cap", (usage.oldestInMinute ?? now) + MINUTE_MS],
    [
      freeSlots,
      "concurrent_calls_cap",
      Math.min(now + CONCURRENCY_RETRY_MS, usage.nextLeaseExpiry ?? Number.POSITIVE_INFINITY),
    ],
  ];
  const [free, cap, retryAt] = room.reduce((tightest, next) => (next[0] < tightest[0] ? next : tightest));
  const granted = Math.max(0, Math.min(want, free));
  return { granted, refusal: granted < want ? { cap, retryAt: Math.max(retryAt, now + 1) } : null };
}

/** Returns the UTC day of a time, as YYYY-MM-DD. */
export function utcDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

export function nextUtcDay(now: number): number {
  return Date.parse(`${utcDay(now)}T00:00:00.000Z`) + DAY_MS;
}
