import { MINUTE_MS, SECOND_MS } from "../../kernel/time.ts";

/** Why the carrier placed no call: an answer of its own that is not about the number called, or no certain answer. */
export type CarrierTrouble = "auth" | "funds" | "caller_id" | "rate" | "outage" | "uncertain";

/** Waits after failed bursts in a row, ms: the last one is repeated. */
const WAITS_MS: Record<"away" | "rate", [number, ...number[]]> = {
  away: [1_000, 2_000, 4_000, 8_000, 30_000, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS],
  rate: [1_000, 2_000, 4_000, 8_000, 16_000, 30 * SECOND_MS],
};
/** From this many failed bursts on, the campaign says that the carrier is away. */
const AWAY_AFTER = 5;

/** What follows from a failed call. Times are ms. */
export interface CarrierVerdict {
  failures: number;
  /** Nothing is dialled before then, and one call alone afterwards, until the carrier accepts one. */
  notBefore: number;
  /** `pauses` until somebody resumes it; `away`: it goes on trying by itself. */
  state: "pauses" | "away" | "waits";
}

/**
 * Returns what follows from a call that the carrier did not place; null if nothing new does, because the call was begun
 * before the last failure that counted: calls that are on their way together fail together.
 */
export function afterCarrierTrouble(
  trouble: CarrierTrouble,
  before: { failures: number; failedAt: number | null },
  begunAt: number,
  now: number,
): CarrierVerdict | null {
  // No wait makes credentials, credit or a caller ID good.
  if (trouble === "auth" || trouble === "funds" || trouble === "caller_id")
    return { failures: before.failures + 1, notBefore: now, state: "pauses" };
  if (before.failedAt !== null && begunAt <= before.failedAt) return null;
  const failures = before.failures + 1;
  const waits = WAITS_MS[trouble === "rate" ? "rate" : "away"];
  const wait = waits[Math.min(failures, waits.length) - 1] ?? waits[0];
  const isAway = trouble !== "rate" && failures >= AWAY_AFTER;
  return { failures, notBefore: now + wait, state: isAway ? "away" : "waits" };
}
