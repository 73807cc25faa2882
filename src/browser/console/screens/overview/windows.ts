import { DAY_MS } from "../../../../kernel/time.ts";
import type { Body } from "../../api/client.ts";
import { namesOf } from "../../ui/names-of.ts";

type Statistics = Body<"CallStatistics">;
type Counts = Statistics["totals"];

/** How far back the overview looks. */
export const WINDOWS = ["24h", "7d", "14d"] as const;
export type Window = (typeof WINDOWS)[number];

const DAYS: Record<Window, number> = { "24h": 1, "7d": 7, "14d": 14 };

/** The window that an address names; the last day where it names none. */
export const windowNamed = (name: string): Window => WINDOWS.find((each) => each === name) ?? "24h";

/** The beginning of a window, ms: full days are the reader's own, today included. */
export function beginOf(window: Window, now: number): number {
  if (window === "24h") return now - DAY_MS;
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - (DAYS[window] - 1));
  return day.getTime();
}

/** Outcomes of calls as people tell them apart; each end reason belongs to one. */
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

/** Calls of an hour, or of a day. */
export interface Stretch {
  /** ms */
  at: number;
  answered: number;
  /** Those that were answered, or are over without: what the rate is a share of. */
  decided: number;
  outcomes: Record<Outcome, number>;
}

/** The hours that were counted, or the reader's days they make up, in order. */
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

/** The share of calls that a person picked up; null if there were none. */
export const rateOf = ({ answered, decided }: Stretch): number | null => (decided === 0 ? null : answered / decided);

/** How many calls came out so. */
export const countOf = ({ end_reasons }: Counts, outcome: Outcome): number =>
  OUTCOMES[outcome].reduce((sum, reason) => sum + (end_reasons[reason] ?? 0), 0);

/** The statistics give the rate; together with the answered calls it yields their number. */
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
