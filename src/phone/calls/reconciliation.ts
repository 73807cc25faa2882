import { MINUTE_MS } from "../../kernel/time.ts";
import { isTerminal } from "../../records/ledger/call-status.ts";
import type { CallEvent } from "../carriers/carrier.ts";

/** How long a call may ring and last, ms. */
export interface CallLimits {
  ring: number;
  duration: number;
}

/** A call that is under way as far as we know. Times are ms since the epoch. */
export interface OpenCall {
  placedAt: number;
  connectedAt: number | null;
  /** Nothing shows that the carrier has the call: its answer to `originate` was lost, and no webhook came. */
  inDoubt: boolean;
}

/** The carrier's answer: its event of the call, null if it does not have the call, or no answer at all. */
export type CarrierAnswer = CallEvent | null | "unreachable";

/** What follows from the carrier's answer. */
export type Verdict =
  /** It runs; the carrier's word may be new. Ask again at `lookAt`, ms. */
  | { next: "running"; event: CallEvent | null; lookAt: number }
  /** It has ended: the carrier reports it, or its state cannot be found out any more. */
  | { next: "ended"; event: CallEvent }
  /** It must not go on: hang up, then it has ended with `event` unless the carrier knows better. */
  | { next: "hang_up"; event: CallEvent };

/** Ringing this long beyond its limit without a word is silence, ms. */
const RING_GRACE_MS = 15_000;
/** So is talking this long, ms. */
const TALK_SILENCE_MS = MINUTE_MS;
/** How often a call that runs at its carrier is looked up, ms. */
const RUNNING_AGAIN_MS = 120_000;
/** How often a call is looked up that the carrier does not have yet, ms. */
const IN_DOUBT_AGAIN_MS = 5_000;
/** How often a carrier without an answer is asked again, and for how long beyond the call's limit, ms. */
const UNREACHABLE_AGAIN_MS = 15_000;
const UNREACHABLE_FOR_MS = 600_000;
/** How long a carrier may keep a call in its own queue before it rings, ms. */
const QUEUED_FOR_MS = 600_000;
/** A call whose object restarted is looked up at once, but not again within this time, ms. */
const REBUILT_AGAIN_MS = 30_000;
/** A hang-up that failed is tried again after this time, ms. */
export const HANG_UP_AGAIN_MS = 5_000;
/** One whose answer has not come after this time is made again, ms: longer than its three requests may take. */
export const HANG_UP_LOST_MS = 45_000;

/** When (ms) to look up a call that nothing more is reported of. */
export function lookAtFirst({ placedAt, connectedAt, inDoubt }: OpenCall, limits: CallLimits, now: number): number {
  if (connectedAt !== null) return connectedAt + Math.min(TALK_SILENCE_MS, limits.duration);
  const silent = placedAt + limits.ring + RING_GRACE_MS;
  return inDoubt ? Math.min(silent, now + IN_DOUBT_AGAIN_MS) : silent;
}

/** When (ms) to look up a call whose object restarted: reports that arrived meanwhile were lost. */
export function lookAtAfterRebuild(lookedAt: number | null, now: number): number {
  return Math.max(now, (lookedAt ?? 0) + REBUILT_AGAIN_MS);
}

/** When (ms) the call must have ended, whatever its carrier reports. */
export function limitOf({ placedAt, connectedAt }: OpenCall, { ring, duration }: CallLimits): number {
  return connectedAt === null ? placedAt + ring + RING_GRACE_MS : connectedAt + duration;
}

/** The longest a call can stay unsettled beyond the limit it has, ms: a lease must last as long. */
export const SETTLED_WITHIN_MS = RING_GRACE_MS + Math.max(UNREACHABLE_FOR_MS, QUEUED_FOR_MS) + RUNNING_AGAIN_MS;

/**
 * The one policy for calls that fell silent: what to do after asking the carrier. Pure; campaigns and single calls only
 * carry it out.
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
    // Right after it was placed a call may not be listed yet.
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

/** Whether a hang-up that failed is worth another try: past the call's limit its carrier has ended it by itself. */
export function hangUpAgainAt(call: OpenCall, limits: CallLimits, now: number): number | null {
  const limit = (call.connectedAt ?? call.placedAt + limits.ring) + limits.duration;
  return now + HANG_UP_AGAIN_MS < limit ? now + HANG_UP_AGAIN_MS : null;
}

const NOTHING_REPORTED = { provider_call_id: null, answered_by: null, recording: null };

/** The end of a call if it is unknown how it ended, or whether it was ever placed. */
function unknownEnd({ connectedAt }: OpenCall): CallEvent {
  return connectedAt === null
    ? { ...NOTHING_REPORTED, status: "failed", reason: "unknown" }
    : { ...NOTHING_REPORTED, status: "completed", reason: "no_final_event" };
}

/** The end of a call that its carrier would have let go on beyond its limit. */
function overdueEnd({ connectedAt }: OpenCall): CallEvent {
  return { ...NOTHING_REPORTED, status: connectedAt === null ? "no-answer" : "completed", reason: "no_final_event" };
}
