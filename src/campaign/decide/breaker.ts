import { MINUTE_MS, SECOND_MS } from "../../kernel/time.ts";

/**
 * Why the carrier placed no call: it refused for a reason unrelated to the called number, or its answer is uncertain.
 */
export type CarrierTrouble = "auth" | "funds" | "caller_id" | "rate" | "outage" | "uncertain";

/** Waits after consecutive failed bursts, ms. The last value repeats. */
const WAITS_MS: Record<"away" | "rate", [number, ...number[]]> = {
  away: [1_000, 2_000, 4_000, 8_000, 30_000, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS],
  rate: [1_000, 2_000, 4_000, 8_000, 16_000, 30 * SECOND_MS],
};
/** Number of failed bursts after which the campaign reports that the carrier is away. */
const AWAY_AFTER = 5;

/** The consequence of a failed call. Times are ms. */
export interface CarrierVerdict {
  failures: number;
  /** No call is placed before then. Afterwards calls are placed one at a time until the carrier accepts one. */
  notBefore: number;
  /**
   * `pauses`: the campaign pauses until a user resumes it. `waits`: it tries again at `notBefore`. `away`: it does so
   * too, and reports that the carrier is away.
   */
  state: "pauses" | "away" | "waits";
}

/**
 * Returns the consequence of a call that the carrier didn't place. Null if the call began before the last counted
 * failure: calls in flight together fail together and count once.
 */
export function afterCarrierTrouble(
  trouble: CarrierTrouble,
  before: { failures: number; failedAt: number | null },
  begunAt: number,
  now: number,
): CarrierVerdict | null {
  // Waiting doesn't fix credentials, credit or a caller ID.
  if (trouble === "auth" || trouble === "funds" || trouble === "caller_id")
    return { failures: before.failures + 1, notBefore: now, state: "pauses" };
  if (before.failedAt !== null && begunAt <= before.failedAt) return null;
  const failures = before.failures + 1;
  const waits = WAITS_MS[trouble === "rate" ? "rate" : "away"];
  const wait = waits[Math.min(failures, waits.length) - 1] ?? waits[0];
  const isAway = trouble !== "rate" && failures >= AWAY_AFTER;
  return { failures, notBefore: now + wait, state: isAway ? "away" : "waits" };
}
