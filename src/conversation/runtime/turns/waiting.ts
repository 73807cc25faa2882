import { MINUTE_MS } from "../../../kernel/time.ts";
import type { SessionSnapshot } from "../session/session.ts";

/**
 * How long a call may be silent before the agent asks whether the caller is there, and how much longer before it hangs
 * up, ms.
 */
export const SILENCE_MS = 30_000;
/** The same for visitors, who write at their own pace, ms. */
export const VISITOR_SILENCE_MS = 15 * MINUTE_MS;
/** How long to wait for a lost socket to return, ms. A carrier reconnects at once or not at all. */
export const LOST_MS = 15_000;
/** A page reconnects within half a minute, ms. */
const VISITOR_LOST_MS = MINUTE_MS;
/** A conversation without any event is checked after this time, ms. */
export const LOOK_AFTER_MS = MINUTE_MS;
/** How long a session's token is valid after the end, so that late reports still arrive, ms. */
export const TOKEN_AFTER_END_MS = MINUTE_MS;

/** The state of a live conversation's silence. Times are ms. */
export interface Quiet {
  kind: SessionSnapshot["kind"];
  started_at: number;
  max_duration_s: number;
  /** When the silence began, ms; null while a side is speaking. */
  quiet_since: number | null;
  prompted: boolean;
  /** When its socket broke; null if one is open or there was none. */
  lost_at: number | null;
}

/** The next step at `now`: the conversation ends, the agent asks whether the caller is there, or it waits. */
export type WaitDecision = { next: "end"; reason: string } | { next: "ask" } | { next: "wait"; until: number };

export function afterQuiet(quiet: Quiet, now: number): WaitDecision {
  const isCall = quiet.kind === "call";
  const longest = quiet.started_at + quiet.max_duration_s * 1000;
  if (now >= longest) return { next: "end", reason: "max_duration" };
  const times = [longest];
  if (quiet.lost_at !== null) {
    const until = quiet.lost_at + (isCall ? LOST_MS : VISITOR_LOST_MS);
    if (now >= until) return { next: "end", reason: isCall ? "disconnected" : "visitor_left" };
    times.push(until);
  } else if (quiet.quiet_since !== null) {
    const until = quiet.quiet_since + (isCall ? SILENCE_MS : VISITOR_SILENCE_MS);
    if (now >= until) return isCall && !quiet.prompted ? { next: "ask" } : { next: "end", reason: "silence" };
    times.push(until);
  }
  return { next: "wait", until: Math.min(...times) };
}
