import { earliest } from "../../kernel/durable/alarm.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import type { CampaignStatus } from "./state.ts";

/** A campaign's contacts of one time zone that are pending and have no open call. */
export interface ZoneQueue {
  zone: number;
  /** When calling may begin there: now or earlier when it is open, null when it never opens. */
  opensAt: number | null;
  /** How many contacts are due now; counting stops at a wave. */
  due: number;
  /** When the next of the other contacts becomes due; null if there is none. */
  nextDueAt: number | null;
}

/** All that the next step of a campaign depends on. Times are ms. */
export interface DispatchState {
  status: CampaignStatus;
  scheduledAt: number | null;
  maxConcurrency: number | null;
  callsPerMinute: number | null;
  /** Contacts with an open call. */
  open: number;
  /** When the calls of the last minute were begun, oldest first; at most `callsPerMinute` are of interest. */
  dialledAt: number[];
  /** A pause that the carrier requested. */
  notBefore: number | null;
  /** After a failure of the carrier one call alone tries it: how many are on their way. Null if it places calls. */
  trying: number | null;
  zones: ZoneQueue[];
}

/** Why no contact, or no further one, is dialled right now. */
export type Waiting = "schedule" | "window" | "retry" | "concurrency" | "rate" | "carrier" | "nothing" | "not_running";

export interface Step {
  /** How many to dial now, and of which zones. */
  dial: number;
  zones: number[];
  /** When to look again if nothing happens before, null when only an event can change anything. */
  wakeAt: number | null;
  waiting: Waiting | null;
}

/** Most contacts in one wave: small enough that a slot freed meanwhile is soon used. */
export const WAVE = 30;

/** What to do next and when to look again. Pure: the same state and time always give the same step. */
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
