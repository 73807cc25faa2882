import { DAY_MS } from "../time.ts";

/** How long an answer is kept under its key, ms. */
export const KEPT_MS = DAY_MS;
/**
 * How long an attempt that gives no sign of life holds its key, ms. One that goes on prolongs this every 3 s, so that it
 * runs out only where the attempt's process is gone.
 */
export const HELD_MS = 10_000;

/** What is known of a key. Times are ms. */
export interface Reservation {
  /** Of the request it was first used for. */
  fingerprint: string;
  /** Whether that was answered, and the answer kept. */
  answered: boolean;
  /** Until when an attempt is taken to be under way, 0 where none is. */
  heldUntil: number;
  expiresAt: number;
}

/** What a request under a key is: the first, one that takes up what an attempt has left, or one that is not carried out. */
export type Decision = "first" | "take_over" | "replay" | "conflict" | "in_progress";

/** What to do about a request at `now`, ms. */
export function decide(known: Reservation | undefined, fingerprint: string, now: number): Decision {
  if (!known || isPast(known, now)) return "first";
  if (known.fingerprint !== fingerprint) return "conflict";
  if (known.answered) return "replay";
  return now < known.heldUntil ? "in_progress" : "take_over";
}

/** Whether the key is free again: its time is over, and nobody is at it. */
export function isPast({ expiresAt, heldUntil }: Pick<Reservation, "expiresAt" | "heldUntil">, now: number): boolean {
  return now >= expiresAt && now >= heldUntil;
}
