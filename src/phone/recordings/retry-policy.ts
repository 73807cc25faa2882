import { DAY_MS, HOUR_MS } from "../../kernel/time.ts";

/** Delay after the first failure, ms; it doubles with each failure, up to the maximum. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 600_000;
/** How long a recording is requested from its carrier before it is given up, ms. */
const GIVE_UP_AFTER_MS = DAY_MS;
/** How long ingested recordings are remembered, ms, and the interval at which they are pruned. */
const REMEMBER_MS = DAY_MS;
const STEP_MS = HOUR_MS;

/**
 * The result of a round for a recording:
 * - `listed`: it is in the list, by our id
 * - `listed_before`: it is in the list by another id, from an earlier report
 * - `removed`: it was deleted
 * - `unfetched`: the carrier did not return it, or its audio could not be stored
 * - `refused`: it is never fetched, because of its address, its size or its number
 * - `unlisted`: the list could not be read or written, so it is unknown whether it contains the recording
 * - `no_carrier`: the credentials for asking the carrier are gone
 */
export type Outcome = "listed" | "listed_before" | "removed" | "unfetched" | "refused" | "unlisted" | "no_carrier";

/** What to do with a recording. With `erase`, any audio stored under our id is deleted too. */
export type RetryDecision =
  | { next: "done"; erase: boolean }
  | { next: "again"; due_at: number; erase: false }
  | { next: "given_up"; erase: true };

/** Decides what to do after a round at `now`; `tries` is the number of failed rounds before it. Times are in ms. */
export function retryDecision(
  { taken_at, tries }: { taken_at: number; tries: number },
  outcome: Outcome,
  now: number,
): RetryDecision {
  switch (outcome) {
    case "listed":
      return { next: "done", erase: false };
    case "listed_before":
    case "removed":
      return { next: "done", erase: true };
    case "no_carrier":
    case "refused":
      return { next: "given_up", erase: true };
    case "unfetched":
      return now - taken_at >= GIVE_UP_AFTER_MS ? { next: "given_up", erase: true } : again(tries, now);
    // A failure of this service must not lose a recording, which may already be listed.
    case "unlisted":
      return again(tries, now);
  }
}

function again(tries: number, now: number): RetryDecision {
  return { next: "again", due_at: now + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries), erase: false };
}

/** Returns when to prune a recording ingested at `now`. Many are pruned together, which takes fewer alarms. */
export function pruneAt(now: number): number {
  return Math.ceil((now + REMEMBER_MS) / STEP_MS) * STEP_MS;
}
