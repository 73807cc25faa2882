/* Asking a model again: how long to wait before, and how an answer goes on that broke off or was cut. */
import { ModelFailed, type ModelMessage } from "../models/model.ts";
import { arrivalNote } from "../models/notes.ts";

/** A model that failed is asked once more after this time, ms: a server that restarts needs a moment. */
const RETRY_AFTER_MS = 250;
/** Nobody on the line waits longer for a server that asks for time, ms. */
const MAX_RETRY_AFTER_MS = 4_000;

const GO_ON = "(Your answer was cut off there. Continue with the very next word, and repeat nothing.)";

/** How long to wait before a model that failed is asked again, ms; `isTold` where its server asked for that time. */
export function waitAfter(error: unknown): { ms: number; isAnnounced: boolean } {
  const requestedMs = error instanceof ModelFailed ? (error.retryAfterMs ?? 0) : 0;
  if (requestedMs <= RETRY_AFTER_MS) return { ms: RETRY_AFTER_MS, isAnnounced: false };
  return { ms: Math.min(requestedMs, MAX_RETRY_AFTER_MS), isAnnounced: true };
}

/** What a model is told so that it goes on where its answer stopped. Words of the user's last, as every maker takes it. */
export function toGoOn(messages: ModelMessage[], spokenText: string): ModelMessage[] {
  return [...messages, { role: "agent", text: spokenText, tool_calls: [] }, { role: "user", text: GO_ON }];
}

/** What a model is told when the results of tools have come that were still running when it spoke last. */
export function withArrival(messages: ModelMessage[], names: string[]): ModelMessage[] {
  return [...messages, { role: "user", text: arrivalNote(names) }];
}

const ENDS_IN_WORD = /[\p{L}\p{N}\p{Po}\p{Pe}]$/u;
const BEGINS_WORD = /^[\p{L}\p{N}\p{Ps}]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]$/u;

/** What belongs between words and those they go on with: models leave the space out that an answer begins with. */
export function joint(spokenText: string, next: string): "" | " " {
  return ENDS_IN_WORD.test(spokenText) && BEGINS_WORD.test(next) && !UNSPACED.test(spokenText) ? " " : "";
}
