import { earliest } from "../../kernel/durable/alarm.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import type { CampaignStatus } from "./state.ts";

/** The pending contacts of one time zone without an open call. */
export interface ZoneQueue {
  zone: number;
  /** When calling may begin there: now or earlier if it is open, null if it never opens. */
  opensAt: number | null;
  /** Number of contacts that are due now, counted up to a wave. */
  due: number;
  /** When the next of the other contacts becomes due; null if there is none. */
  nextDueAt: number | null;
}

/** Everything that the next step of a campaign depends on. Times are ms. */
export interface DispatchState {
  status: CampaignStatus;
  scheduledAt: number | null;
  maxConcurrency: number | null;
  callsPerMinute: number | null;
  /** Number of contacts with an open call. */
  open: number;
  dialledAt: number[];
  /** A pause that the carrier requested. */
  notBefore: number | null;
  /**
   * The number of calls in flight while calls are placed one at a time, after a failure of the carrier. Null if the
   * carrier places calls.
   */
  trying: number | null;
  zones: ZoneQueue[];
}

/** Why no contact, or no further one, is dialed right now. */
export type Waiting = "schedule" | "window" | "retry" | "concurrency" | "rate" | "carrier" | "nothing" | "not_running";

export interface Step {
  /** Number of contacts to dial now, and their zones. */
  dial: number;
  zones: number[];
  /** When to check again; null if only an event can change anything. */
  wakeAt: number | null;
  waiting: Waiting | null;
}

/** Maximum number of contacts in a wave, small enough that a slot freed meanwhile is soon used. */
export const WAVE = 30;

/**
 * Returns what to do next and when to check again. It is a pure function: the same state and time always give the same
 * step.
 */
export function nextStep(state: DispatchState, now: number): Step {
  if (state.status !== "running") return idle("not_running", null);
  if (state.scheduledAt !== null && now < state.scheduledAt) return idle("schedule", state.scheduledAt);
  if (state.notBefore !== null && now < state.notBefore) return idle("carrier", state.notBefore);

  if (state.trying !== null && state.trying > 0) return idle("carrier", null);

  const open = state.zones.filter((queue) => queue.opensAt !== null && queue.opensAt <= now);
  const due = open.filter((queue) => queue.due > 0);
  const later = earliest([
    ...open.map((queue) => queue.nextDueAt),
    ...state.zones.filter((queue) => !open.includes(queue)).map((queue) => queue.opensAt),
  ]);
  if (due.length === 0) {
    const closed = state.zones.some((queue) => !open.includes(queue) && (queue.due > 0 || queue.nextDueAt !== null));
    const retrying = open.some((queue) => queue.nextDueAt !== null);
    return idle(retrying ? "retry" : closed ? "window" : "nothing", later);
  }

  const slots = (state.maxConcurrency ?? Number.POSITIVE_INFINITY) - state.open;
  if (slots <= 0) return idle("concurrency", later);
  const dialledBefore = state.dialledAt.findIndex((at) => at > now - MINUTE_MS);
  const lastMinute = dialledBefore === -1 ? 0 : state.dialledAt.length - dialledBefore;
  const rate = (state.callsPerMinute ?? Number.POSITIVE_INFINITY) - lastMinute;
  if (rate <= 0)
    return idle("rate", earliest([later, (state.dialledAt.at(-(state.callsPerMinute ?? 1)) ?? now) + MINUTE_MS]));

  const waiting = due.reduce((sum, queue) => sum + queue.due, 0);
  return {
    dial: Math.min(waiting, slots, rate, state.trying === null ? WAVE : 1),
    zones: due.map((queue) => queue.zone),
    wakeAt: later,
    waiting: null,
  };
}

function idle(waiting: Waiting, wakeAt: number | null): Step {
  return { dial: 0, zones: [], wakeAt, waiting };
}
