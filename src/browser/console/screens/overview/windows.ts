import { DAY_MS } from "../../../../kernel/time.ts";
import type { Body } from "../../api/client.ts";
import { namesOf } from "../../ui/names-of.ts";

type Statistics = Body<"CallStatistics">;
type Counts = Statistics["totals"];

export const WINDOWS = ["24h", "7d", "14d"] as const;
export type Window = (typeof WINDOWS)[number];

const DAYS: Record<Window, number> = { "24h": 1, "7d": 7, "14d": 14 };

/** Returns the window named in the address; the last 24 hours if there is none. */
export const windowNamed = (name: string): Window => WINDOWS.find((each) => each === name) ?? "24h";

/** Returns the beginning of a window, ms. Full days are in the user's time zone and include today. */
export function beginOf(window: Window, now: number): number {
  if (window === "24h") return now - DAY_MS;
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - (DAYS[window] - 1));
  return day.getTime();
}

/** The outcomes that users see. Each end reason belongs to one. */
const OUTCOMES = {
  answered: ["answered"],
  machine: ["machine"],
  no_answer: ["no_answer"],
  busy: ["busy", "caller_limit", "budget"],
  failed: ["failed", "rejected", "no_final_event", "unknown"],
  not_made: ["canceled", "hangup", "do_not_call"],
} satisfies Record<string, (keyof Counts["end_reasons"])[]>;
export type Outcome = keyof typeof OUTCOMES;
export const OUTCOME_NAMES: Outcome[] = namesOf(OUTCOMES);

export interface Stretch {
  /** Start, ms. */
  at: number;
  answered: number;
  /** Calls that were answered or ended without an answer: the base of the answer rate. */
  decided: number;
  outcomes: Record<Outcome, number>;
}

/** Returns the counted hours, or the days that they make up in the user's time zone, in order. */
export function stretchesOf(buckets: Statistics["buckets"], window: Window): Stretch[] {
  const found = new Map<number, Stretch>();
  for (const bucket of buckets) {
    const at = window === "24h" ? Date.parse(bucket.at) : new Date(bucket.at).setHours(0, 0, 0, 0);
    const stretch = found.get(at) ?? empty(at);
    stretch.answered += bucket.answered;
    stretch.decided += decidedOf(bucket);
    for (const name of OUTCOME_NAMES) stretch.outcomes[name] += countOf(bucket, name);
    found.set(at, stretch);
  }
  return [...found.values()];
}

/** Returns the share of calls answered by a person; null if there are none. */
export const rateOf = ({ answered, decided }: Stretch): number | null => (decided === 0 ? null : answered / decided);

export const countOf = ({ end_reasons }: Counts, outcome: Outcome): number =>
  OUTCOMES[outcome].reduce((sum, reason) => sum + (end_reasons[reason] ?? 0), 0);

/** Returns the base of the answer rate, from the rate and the number of answered calls. */
function decidedOf(counts: Counts): number {
  const { answer_rate, answered } = counts;
  if (answer_rate === null) return 0;
  if (answer_rate > 0) return Math.round(answered / answer_rate);
  return OUTCOME_NAMES.reduce((sum, name) => sum + countOf(counts, name), 0);
}

const empty = (at: number): Stretch => ({
  at,
  answered: 0,
  decided: 0,
  outcomes: { answered: 0, machine: 0, no_answer: 0, busy: 0, failed: 0, not_made: 0 },
});
