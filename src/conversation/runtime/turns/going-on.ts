/*
 * Decides how a failed model is retried: with which model, after which wait, and how an interrupted or cut answer
 * continues.
 */
import { ModelFailed, type ModelMessage } from "../models/model.ts";
import { arrivalNote } from "../models/notes.ts";

/**
 * The first wait before a failed model is retried, ms, which doubles: a restarting or overloaded server needs a moment.
 */
const FIRST_WAIT_MS = 500;
/** The longest single wait for a server, ms. */
const MAX_WAIT_MS = 4_000;
/** If a server asks for a longer wait, ms, the agent's second model answers instead. */
const MAX_PATIENCE_MS = 2_000;
/** A model is given up this long after its first failure, ms. */
const GIVE_UP_AFTER_MS = 8_000;

const GO_ON = "(Your answer was cut off there. Continue with the very next word, and repeat nothing.)";

/** The failures of one answer's model so far. */
interface Failure {
  error: unknown;
  count: number;
  /** How long ago the first failure was, ms. */
  sinceMs: number;
}

/** What follows a failure: a retry after a wait, the agent's second model at once, or neither. */
export type AfterFailure =
  | { next: "retry"; ms: number; isAnnounced: boolean }
  | { next: "fallback" }
  | { next: "none" };

/**
 * Decides what follows a failure. The second model answers after every failure that a short wait may not fix, even a
 * permanent refusal, because a person is waiting and the record names the failure. Once the answer has begun, no other
 * model continues it.
 */
export function afterFailure(failure: Failure & { hasFallback: boolean; hasBegun: boolean }): AfterFailure {
  const { error, count, hasFallback, hasBegun } = failure;
  if (hasFallback && !hasBegun && !(count === 1 && isBrief(error))) return { next: "fallback" };
  const retry = retryAfter(failure);
  return retry === null ? { next: "none" } : { next: "retry", ms: retry.ms, isAnnounced: retry.isAnnounced };
}

/** Checks whether the server refused the request and asked for a short wait at most. */
function isBrief(error: unknown): boolean {
  return error instanceof ModelFailed && error.isBusy && (error.retryAfterMs ?? 0) <= MAX_PATIENCE_MS;
}

/**
 * Returns the wait before a failed model is retried, ms, and whether the caller is told at once; null to give it up.
 */
function retryAfter({ error, count, sinceMs }: Failure): { ms: number; isAnnounced: boolean } | null {
  const requestedMs = error instanceof ModelFailed ? (error.retryAfterMs ?? 0) : 0;
  const isPermanent = error instanceof ModelFailed && error.isPermanent;
  const ms = Math.min(MAX_WAIT_MS, Math.max(requestedMs, FIRST_WAIT_MS * 2 ** (count - 1)));
  if (isPermanent || sinceMs + ms > GIVE_UP_AFTER_MS) return null;
  return { ms, isAnnounced: requestedMs > FIRST_WAIT_MS };
}

/**
 * Returns the messages that make a model continue its answer. The user's message comes last, as every vendor requires.
 */
export function toGoOn(messages: ModelMessage[], spokenText: string): ModelMessage[] {
  return [...messages, { role: "agent", text: spokenText, tool_calls: [] }, { role: "user", text: GO_ON }];
}

/** Adds the note that tools which were still running during the last answer have returned results. */
export function withArrival(messages: ModelMessage[], names: string[]): ModelMessage[] {
  return [...messages, { role: "user", text: arrivalNote(names) }];
}

const ENDS_IN_WORD = /[\p{L}\p{N}\p{Po}\p{Pe}]$/u;
const BEGINS_WORD = /^[\p{L}\p{N}\p{Ps}]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]$/u;

/** Returns the separator before a continuation: models omit the space at the beginning of an answer. */
export function joint(spokenText: string, next: string): "" | " " {
  return ENDS_IN_WORD.test(spokenText) && BEGINS_WORD.test(next) && !UNSPACED.test(spokenText) ? " " : "";
}
