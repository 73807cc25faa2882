import { SECOND_MS } from "../../kernel/time.ts";
import type { CallStatus } from "./call-status.ts";

/** Carriers count whole seconds and report late, so a difference below this (ms) corrects nothing. */
const TOLERANCE_MS = 3 * SECOND_MS;

/** When a call was placed and answered, ms; null if no answer was reported. */
interface Answering {
  placedAt: number;
  connectedAt: number | null;
}

/** The fields of a carrier's report that show when the call was answered. */
export interface AnswerReport {
  status: CallStatus;
  /** How long the call lasted after its answer (ms), if the report of its end contains it. */
  talked_ms?: number | undefined;
}

/**
 * Returns when (ms) a call was answered, after a report that arrives at `now`; null if it was not. Used for campaigns'
 * calls and single calls alike. The report of an answer may be lost or late if the service or the network is down. Then
 * the call's length in the report of its end gives the time; without a length, the answer counts as the end. So every
 * call that counts as answered has an answer time.
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
