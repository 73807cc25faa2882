/* Asking a model again: which one, how long to wait before, and how an answer goes on that broke off or was cut. */
import { ModelFailed, type ModelMessage } from "../models/model.ts";
import { arrivalNote } from "../models/notes.ts";

/** A failed model is retried after this time, ms, which doubles: a server that restarts or is overloaded needs a moment. */
const FIRST_WAIT_MS = 500;
/** Nobody on the line waits longer at a time for a server, ms. */
const MAX_WAIT_MS = 4_000;
/** A server that asks for a longer wait than this, ms, is left to the agent's second model. */
const MAX_PATIENCE_MS = 2_000;
/** A model is given up this long after its first failure, ms: nobody on the line waits longer for it. */
const GIVE_UP_AFTER_MS = 8_000;

const GO_ON = "(Your answer was cut off there. Continue with the very next word, and repeat nothing.)";

/** What is known when a model has failed once more in the same answer. */
interface Failure {
  error: unknown;
  /** The failures of this model in a row, this one included. */
  count: number;
  /** How long ago the first of them was, ms. */
  sinceMs: number;
}

/** What follows a failure: the same model again after a wait, the agent's second model at once, or neither. */
export type AfterFailure =
  | { next: "retry"; ms: number; isAnnounced: boolean }
  | { next: "fallback" }
  | { next: "none" };

/**
 * Decides what follows a failure. The second model is asked for every failure that a short wait may not end, a refusal
 * that would only repeat itself included: somebody waits, and the record names the failure. Once the answer has begun, no
 * other model continues it.
 */
export function afterFailure(failure: Failure & { hasFallback: boolean; hasBegun: boolean }): AfterFailure {
  const { error, count, hasFallback, hasBegun } = failure;
  if (hasFallback && !hasBegun && !(count === 1 && isBrief(error))) return { next: "fallback" };
  const retry = retryAfter(failure);
  return retry === null ? { next: "none" } : { next: "retry", ms: retry.ms, isAnnounced: retry.isAnnounced };
}

/** Checks whether a server refused a request only for a moment. */
function isBrief(error: unknown): boolean {
  return error instanceof ModelFailed && error.isBusy && (error.retryAfterMs ?? 0) <= MAX_PATIENCE_MS;
}

/**
 * Returns how long to wait before a failed model is retried, ms, and whether the caller is told at once; null if it is
 * given up.
 */
function retryAfter({ error, count, sinceMs }: Failure): { ms: number; isAnnounced: boolean } | null {
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
