/*
 * Why a model failed, in few words. None of them repeats what was sent or said, and none has a cause: the AI SDK's errors
 * hold addresses, whole requests and whole answers.
 */
import { APICallError } from "@ai-sdk/provider";
import { z } from "zod";
import type { Exchange } from "./exchange.ts";
import { ModelFailed } from "./model.ts";

/** A kind of error as makers name them: words, and so never a key. */
const kind = z
  .string()
  .regex(/^[a-z]{2,30}(_[a-z]{2,30}){1,5}$/)
  .optional()
  .catch(undefined);
const answerWithError = z.object({ error: z.object({ code: kind, type: kind }) });

/** Refusals below 500 that pass: a timeout, a conflict, too early, too many requests. */
const PASSING = [408, 409, 425, 429];

/** The failure to begin an answer, by what the AI SDK made of it. */
export function notBegun(error: unknown, { answered, refused, retryAfterMs }: Exchange): ModelFailed {
  if (!answered) return new ModelFailed("the server cannot be reached", null, true);
  const body = APICallError.isInstance(error) ? jsonOf(error.responseBody) : undefined;
  if (refused !== null) {
    const isPermanent = refused >= 300 && refused < 500 && !PASSING.includes(refused);
    return new ModelFailed(`the server answered ${refused}${inBrackets(body)}`, retryAfterMs, true, isPermanent);
  }
  return body === undefined ? unreadable() : gaveUp({ error: body });
}

/** The failure of an answer that is not what it should be. */
export function unreadable(): ModelFailed {
  return new ModelFailed("the answer is invalid");
}

/** A failure that a server reports in the middle of its answer. */
export function gaveUp(body: unknown): ModelFailed {
  return new ModelFailed(`the server gave up${inBrackets(body)}`);
}

/** The failure of an answer that ends before it is whole. */
export function brokenOff({ cut }: Exchange): ModelFailed {
  if (cut === "too long") return unreadable();
  return new ModelFailed(cut === "lost" ? "the connection broke off" : "the answer broke off");
}

/** The server's word for its error; empty where it has none. */
function inBrackets(body: unknown): string {
  const { code, type } = answerWithError.safeParse(body).data?.error ?? {};
  return code || type ? ` (${code ?? type})` : "";
}

function jsonOf(text = ""): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
