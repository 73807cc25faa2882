import { type Failures, hasFailedForDays, withFailure } from "./failing.ts";
import { afterCutOff, nextTry, putOff, retryAfter } from "./retry.ts";

/** The outcome of an attempt: a status, no response, or unknown because the object crashed in between. */
export type Outcome = { status: number; retry_after: string | null } | "unanswered" | "cut_off";

export interface Attempt {
  /** When the attempt ended, ms. */
  now: number;
  outcome: Outcome;
  /** The number of attempts so far, including this one. */
  tries: number;
  /** Whether it is a test. A test is tried once, and its failure does not count against the webhook. */
  isTest: boolean;
  /** The failures since the last success; null if there were none. */
  failures: Failures | null;
  /** When an attempt last succeeded, or when sending began if that is later, ms. */
  wellAt: number;
  /** From 0 to below 1. */
  random: number;
}

/** What to do with the delivery and its webhook. Times are ms. */
export interface Verdict {
  status: "delivered" | "failed" | "pending";
  nextAt: number | null;
  failures: Failures | null;
  /** Until when nothing is sent to the webhook; null to leave the current hold unchanged. */
  holdUntil: number | null;
  disable: "gone" | "failing" | null;
}

const GONE = 410;
const THROTTLED = [429, 503];

export const isSuccess = (outcome: Outcome): boolean =>
  typeof outcome === "object" && outcome.status >= 200 && outcome.status < 300;

/** Decides the consequences of an attempt. */
export function afterAttempt({ now, outcome, tries, isTest, failures, wellAt, random }: Attempt): Verdict {
  if (isSuccess(outcome)) return { status: "delivered", nextAt: null, failures: null, holdUntil: null, disable: null };
  const counts = outcome !== "cut_off" && !isTest;
  const after = counts ? withFailure(failures, now) : failures;
  const ended = { status: "failed", nextAt: null, failures: after, holdUntil: null } as const;
  if (typeof outcome === "object" && outcome.status === GONE) return { ...ended, disable: "gone" };
  if (isTest) return { ...ended, disable: null };
  const next = outcome === "cut_off" ? afterCutOff(tries, now, random) : nextTry(tries, now, random);
  const until =
    typeof outcome === "object" && THROTTLED.includes(outcome.status) ? retryAfter(outcome.retry_after, now) : null;
  const requestedDelay = until === null ? null : putOff(until, now);
  return {
    status: next === null ? "failed" : "pending",
    nextAt: next === null ? null : Math.max(next, requestedDelay?.delivery ?? 0),
    failures: after,
    holdUntil: requestedDelay?.all ?? null,
    disable: counts && hasFailedForDays(after, wellAt, now) ? "failing" : null,
  };
}

/** Returns a sentence that explains why an attempt did not succeed; null if it did. */
export function whyNot(outcome: Outcome, reason: string | null): string | null {
  if (isSuccess(outcome)) return null;
  if (outcome === "cut_off") return "interrupted before the response was recorded: it may have arrived";
  if (outcome === "unanswered") return reason ?? "no answer";
  if (outcome.status >= 300 && outcome.status < 400) return `answered ${outcome.status}: redirects are not followed`;
  return `answered ${outcome.status}`;
}
