/* Asking a model again: how long to wait before, and how an answer goes on that broke off or was cut. */
import { ModelFailed, type ModelMessage } from "../models/model.ts";
import { arrivalNote } from "../models/notes.ts";

/** A failed model is retried after this time, ms, which doubles: a server that restarts or is overloaded needs a moment. */
const FIRST_WAIT_MS = 500;
/** Nobody on the line waits longer at a time for a server, ms. */
const MAX_WAIT_MS = 4_000;
/** A model is given up this long after its first failure, ms: nobody on the line waits longer for it. */
const GIVE_UP_AFTER_MS = 8_000;

const GO_ON = "(Your answer was cut off there. Continue with the very next word, and repeat nothing.)";

/** What is known when a model has failed once more in the same answer. */
interface Failure {
  error: unknown;
  /** Its failures in a row, this one included. */
  count: number;
  /** How long ago the first of them was, ms. */
  sinceMs: number;
}

/**
 * Returns how long to wait before a failed model is retried, ms, and whether the caller is told at once; null if it is
 * given up.
 */
export function retryAfter({ error, count, sinceMs }: Failure): { ms: number; isAnnounced: boolean } | null {
  const requestedMs = error instanceof ModelFailed ? (error.retryAfterMs ?? 0) : 0;
  const isPermanent = error instanceof ModelFailed && error.isPermanent;
  const ms = Math.min(MAX_WAIT_MS, Math.max(requestedMs, FIRST_WAIT_MS * 2 ** (count - 1)));
  if (isPermanent || sinceMs + ms > GIVE_UP_AFTER_MS) return null;
  return { ms, isAnnounced: requestedMs > FIRST_WAIT_MS };
}

/** The messages that make a model continue where its answer stopped; the user's come last, as every maker requires. */
export function toGoOn(messages: ModelMessage[], spokenText: string): ModelMessage[] {
  return [...messages, { role: "agent", text: spokenText, tool_calls: [] }, { role: "user", text: GO_ON }];
}

/** The messages for a model when results arrive of tools that were still running in its last answer. */
export function withArrival(messages: ModelMessage[], names: string[]): ModelMessage[] {
  return [...messages, { role: "user", text: arrivalNote(names) }];
}

const ENDS_IN_WORD = /[\p{L}\p{N}\p{Po}\p{Pe}]$/u;
const BEGINS_WORD = /^[\p{L}\p{N}\p{Ps}]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]$/u;

/** What belongs between words and their continuation: models omit the space at the beginning of an answer. */
export function joint(spokenText: string, next: string): "" | " " {
  return ENDS_IN_WORD.test(spokenText) && BEGINS_WORD.test(next) && !UNSPACED.test(spokenText) ? " " : "";
}
