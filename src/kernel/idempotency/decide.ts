import { DAY_MS } from "../time.ts";

/** Retention of an answer under its key, ms. */
export const KEPT_MS = DAY_MS;
/**
 * How long an attempt that gives no sign of life holds its key, ms. One that goes on prolongs this every 3 s, so that it
 * runs out only where the attempt's process is gone.
 */
export const HELD_MS = 10_000;

/** The stored state of a key. Times are ms. */
export interface Reservation {
  /** Hash of the request it was first used for. */
  fingerprint: string;
  /** Whether that request was answered and the answer kept. */
  answered: boolean;
  /** Until when an attempt counts as running; 0 if none is. */
  heldUntil: number;
  expiresAt: number;
}

/** What to do with a request under a key: run it first, take over an abandoned attempt, or not run it. */
export type Decision = "first" | "take_over" | "replay" | "conflict" | "in_progress";

/** Decides what to do with a request at `now`, ms. */
export function decide(existing: Reservation | undefined, fingerprint: string, now: number): Decision {
  if (!existing || isPast(existing, now)) return "first";
  if (existing.fingerprint !== fingerprint) return "conflict";
  if (existing.answered) return "replay";
  return now < existing.heldUntil ? "in_progress" : "take_over";
}

/** Whether the key may be forgotten: it has expired and no attempt is running. */
export function isPast({ expiresAt, heldUntil }: Pick<Reservation, "expiresAt" | "heldUntil">, now: number): boolean {
  return now >= expiresAt && now >= heldUntil;
}
