import { MINUTE_MS } from "../../kernel/time.ts";
import { isTerminal } from "../../records/ledger/call-status.ts";
import type { CallEvent } from "../carriers/carrier.ts";

/** Maximum ring time and duration of a call, ms. */
export interface CallLimits {
  ring: number;
  duration: number;
}

/** The known state of a call in progress. Times are ms since the epoch. */
export interface OpenCall {
  placedAt: number;
  connectedAt: number | null;
  /**
   * Whether it is unknown if the carrier has the call: its response to `originate` was lost, and no webhook arrived.
   */
  inDoubt: boolean;
}

/** The carrier's answer: its event of the call, null if it doesn't have the call, or `"unreachable"`. */
export type CarrierAnswer = CallEvent | null | "unreachable";

/** The consequence of the carrier's answer. */
export type Verdict =
  /** The call is running. `event` may contain news, or is null. Ask again at `lookAt`, ms. */
  | { next: "running"; event: CallEvent | null; lookAt: number }
  /** The call has ended: the carrier reports its end, or its state can no longer be determined. */
  | { next: "ended"; event: CallEvent }
  /** The call must be hung up. It then ends with `event`, unless the carrier reports another end. */
  | { next: "hang_up"; event: CallEvent };

/** Time past the ring limit without a report that counts as silence, ms. */
const RING_GRACE_MS = 15_000;
/** Time in conversation without a report that counts as silence, ms. */
const TALK_SILENCE_MS = MINUTE_MS;
/** How often a running call is looked up, ms. */
const RUNNING_AGAIN_MS = 120_000;
/** How often a call is looked up that the carrier doesn't have yet, ms. */
const IN_DOUBT_AGAIN_MS = 5_000;
/** How often an unreachable carrier is asked again, and for how long past the call's limit, ms. */
const UNREACHABLE_AGAIN_MS = 15_000;
const UNREACHABLE_FOR_MS = 600_000;
/** How long a carrier may queue a call before it rings, ms. */
const QUEUED_FOR_MS = 600_000;
/** Minimum time between two lookups of a call whose object restarted, ms. */
const REBUILT_AGAIN_MS = 30_000;
/** Delay before a failed hang-up is retried, ms. */
export const HANG_UP_AGAIN_MS = 5_000;
/** Time after which a hang-up without a response is repeated, ms: longer than its three requests may take. */
export const HANG_UP_LOST_MS = 45_000;

/** Returns when (ms) to look up a call if no further report arrives. */
export function lookAtFirst({ placedAt, connectedAt, inDoubt }: OpenCall, limits: CallLimits, now: number): number {
  if (connectedAt !== null) return connectedAt + Math.min(TALK_SILENCE_MS, limits.duration);
  const silent = placedAt + limits.ring + RING_GRACE_MS;
  return inDoubt ? Math.min(silent, now + IN_DOUBT_AGAIN_MS) : silent;
}

/** Returns when (ms) to look up a call whose object restarted, because reports that arrived meanwhile were lost. */
export function lookAtAfterRebuild(lookedAt: number | null, now: number): number {
  return Math.max(now, (lookedAt ?? 0) + REBUILT_AGAIN_MS);
}

/** Returns when (ms) the call must have ended, whatever its carrier reports. */
export function limitOf({ placedAt, connectedAt }: OpenCall, { ring, duration }: CallLimits): number {
  return connectedAt === null ? placedAt + ring + RING_GRACE_MS : connectedAt + duration;
}

/** The longest time that a call can stay unsettled past its limit, ms. A lease must last as long. */
export const SETTLED_WITHIN_MS = RING_GRACE_MS + Math.max(UNREACHABLE_FOR_MS, QUEUED_FOR_MS) + RUNNING_AGAIN_MS;

/**
 * Decides what to do about a call without recent reports, after the carrier was asked. This is a pure function;
 * campaigns and single calls only carry out its verdict.
 */
export function judge(call: OpenCall, answer: CarrierAnswer, limits: CallLimits, now: number): Verdict {
  const limit = limitOf(call, limits);
  if (answer === "unreachable") {
    const until = call.inDoubt ? limit : limit + UNREACHABLE_FOR_MS;
    return now < until
      ? { next: "running", event: null, lookAt: Math.min(now + UNREACHABLE_AGAIN_MS, until) }
      : { next: "hang_up", event: unknownEnd(call) };
  }
  if (answer === null) {
    // A call may not be listed directly after it was placed.
    return now < limit && call.connectedAt === null
      ? { next: "running", event: null, lookAt: Math.min(now + IN_DOUBT_AGAIN_MS, limit) }
      : { next: "ended", event: unknownEnd(call) };
  }
  if (isTerminal(answer.status)) return { next: "ended", event: answer };
  const answered = answer.status === "in-progress" && call.connectedAt === null;
  const until = answered ? now + limits.duration : answer.status === "queued" ? limit + QUEUED_FOR_MS : limit;
  if (now >= until) return { next: "hang_up", event: overdueEnd(call) };
  const again = answered ? TALK_SILENCE_MS : RUNNING_AGAIN_MS;
  return { next: "running", event: answer, lookAt: Math.min(now + again, until) };
}

/**
 * Returns when to retry a failed hang-up; null if no retry is needed, because the carrier has ended the call at its
 * limit.
 */
export function hangUpAgainAt(call: OpenCall, limits: CallLimits, now: number): number | null {
  const limit = (call.connectedAt ?? call.placedAt + limits.ring) + limits.duration;
  return now + HANG_UP_AGAIN_MS < limit ? now + HANG_UP_AGAIN_MS : null;
}

const NOTHING_REPORTED = { provider_call_id: null, answered_by: null, recording: null };

/** Returns the end of a call if it is unknown how it ended, or whether it was ever placed. */
function unknownEnd({ connectedAt }: OpenCall): CallEvent {
  return connectedAt === null
    ? { ...NOTHING_REPORTED, status: "failed", reason: "unknown" }
    : { ...NOTHING_REPORTED, status: "completed", reason: "no_final_event" };
}

/** Returns the end of a call that exceeded its limit at its carrier. */
function overdueEnd({ connectedAt }: OpenCall): CallEvent {
  return { ...NOTHING_REPORTED, status: connectedAt === null ? "no-answer" : "completed", reason: "no_final_event" };
}
