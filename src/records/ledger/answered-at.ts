import { SECOND_MS } from "../../kernel/time.ts";
import type { CallStatus } from "./call-status.ts";

/** Carriers count whole seconds and report late: a difference below this, ms, corrects nothing. */
const TOLERANCE_MS = 3 * SECOND_MS;

/** What is known of when a call was placed and answered, ms; null if no answer was reported. */
interface Answering {
  placedAt: number;
  connectedAt: number | null;
}

/** A carrier's report, as far as it tells when the call was answered. */
export interface AnswerReport {
  status: CallStatus;
  /** How long the call went on after its answer, ms, which the report of its end may say. */
  talked_ms?: number | undefined;
}

/**
 * Returns when (ms) a call was answered, after a report that comes at `now`; null if it was not. The one decision for
 * campaigns' and single calls. The report of an answer may be lost, or come late, while the service or the network is
 * away: then the report of the end says how long the call was, and where it does not, the answer counts as its end. So a
 * call that counts as answered always has a time of its answer.
 */
export function answeredAt(
  { placedAt, connectedAt }: Answering,
  { status, talked_ms }: AnswerReport,
  now: number,
): number | null {
  if (status === "in-progress") return connectedAt ?? now;
  if (status !== "completed") return connectedAt;
  const byCarrier = Math.max(placedAt, now - (talked_ms ?? 0));
  return connectedAt !== null && byCarrier > connectedAt - TOLERANCE_MS ? connectedAt : byCarrier;
}
