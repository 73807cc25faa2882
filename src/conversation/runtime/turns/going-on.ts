/* Asking a model again: how long to wait before, and how an answer goes on that broke off or was cut. */
import { ModelFailed, type ModelMessage } from "../models/model.ts";
import { arrivalNote } from "../models/notes.ts";

/** A failed model is retried after this time, ms: a server that restarts needs a moment. */
const RETRY_AFTER_MS = 250;
/** Nobody on the line waits longer for a server that asks for time, ms. */
const MAX_RETRY_AFTER_MS = 4_000;

const GO_ON = "(Your answer was cut off there. Continue with the very next word, and repeat nothing.)";

/** How long to wait before a failed model is retried, ms; `isAnnounced` where its server requested that time. */
export function waitAfter(error: unknown): { ms: number; isAnnounced: boolean } {
  const requestedMs = error instanceof ModelFailed ? (error.retryAfterMs ?? 0) : 0;
  if (requestedMs <= RETRY_AFTER_MS) return { ms: RETRY_AFTER_MS, isAnnounced: false };
  return { ms: Math.min(requestedMs, MAX_RETRY_AFTER_MS), isAnnounced: true };
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
