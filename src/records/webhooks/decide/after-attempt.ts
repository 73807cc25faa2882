import { DAY_MS } from "../../../kernel/time.ts";
import { afterCutOff, nextTry, putOff, retryAfter } from "./retry.ts";

/** The outcome of an attempt: an answer, none, or unknown because the object died meanwhile. */
export type Outcome = { status: number; retry_after: string | null } | "unanswered" | "cut_off";

export interface Attempt {
  /** When it ended, ms. */
  now: number;
  outcome: Outcome;
  /** Attempts so far, this one counted. */
  tries: number;
  /** A test is tried once, and its failure does not count against the webhook. */
  isTest: boolean;
  /** Since when nothing has succeeded, ms; null if the attempt before did. */
  failingSince: number | null;
  /** From 0 to below 1. */
  random: number;
}

/** What follows for the delivery and its webhook. Times are ms. */
export interface Verdict {
  status: "delivered" | "failed" | "pending";
  nextAt: number | null;
  failingSince: number | null;
  /** Until when nothing is sent to the webhook; null to leave the present hold as it is. */
  holdUntil: number | null;
  disable: "gone" | "failing" | null;
}

/** A webhook that fails for this long is disabled, ms. */
export const FAILING_MS = 5 * DAY_MS;
const GONE = 410;
const THROTTLED = [429, 503];

export const isSuccess = (outcome: Outcome): boolean =>
  typeof outcome === "object" && outcome.status >= 200 && outcome.status < 300;

/** What follows from an attempt. */
export function afterAttempt(attempt: Attempt): Verdict {
  const { now, outcome, tries, isTest, failingSince, random } = attempt;
  if (isSuccess(outcome))
    return { status: "delivered", nextAt: null, failingSince: null, holdUntil: null, disable: null };
  const since = outcome === "cut_off" || isTest ? failingSince : (failingSince ?? now);
  const failed = { status: "failed", nextAt: null, failingSince: since, holdUntil: null } as const;
  if (typeof outcome === "object" && outcome.status === GONE) return { ...failed, disable: "gone" };
  if (isTest) return { ...failed, disable: null };
  if (outcome !== "cut_off" && since !== null && now - since >= FAILING_MS) return { ...failed, disable: "failing" };
  const next = outcome === "cut_off" ? afterCutOff(tries, now, random) : nextTry(tries, now, random);
  const until =
    typeof outcome === "object" && THROTTLED.includes(outcome.status) ? retryAfter(outcome.retry_after, now) : null;
  const requestedDelay = until === null ? null : putOff(until, now);
  const holdUntil = requestedDelay?.all ?? null;
  if (next === null) return { status: "failed", nextAt: null, failingSince: since, holdUntil, disable: null };
  return {
    status: "pending",
    nextAt: Math.max(next, requestedDelay?.delivery ?? 0),
    failingSince: since,
    holdUntil,
    disable: null,
  };
}

/** Why an attempt did not succeed, in a sentence; null if it did. */
export function whyNot(outcome: Outcome, reason: string | null): string | null {
  if (isSuccess(outcome)) return null;
  if (outcome === "cut_off") return "cut off before its answer was noted: it may have arrived";
  if (outcome === "unanswered") return reason ?? "no answer";
  if (outcome.status >= 300 && outcome.status < 400) return `answered ${outcome.status}: redirects are not followed`;
  return `answered ${outcome.status}`;
}
