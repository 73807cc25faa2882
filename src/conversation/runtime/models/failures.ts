/*
 * Describes failures of models in a few words. The descriptions repeat nothing that was sent or received and have no
 * cause, because the AI SDK's errors contain addresses, whole requests and whole answers.
 */
import { APICallError } from "@ai-sdk/provider";
import { z } from "zod";
import type { Exchange } from "./exchange.ts";
import { ModelFailed } from "./model.ts";

/** A kind of error as vendors name it. It consists of words, so it cannot be a key. */
const kind = z
  .string()
  .regex(/^[a-z]{2,30}(_[a-z]{2,30}){1,5}$/)
  .optional()
  .catch(undefined);
const answerWithError = z.object({ error: z.object({ code: kind, type: kind }) });

/** Statuses below 500 after which a retry may succeed: a timeout, a conflict, too early, too many requests. */
const TRANSIENT = [408, 409, 425, 429];

/**
 * OpenAI's code in a 429 for an exhausted quota, which a retry cannot fix. Source:
 * https://platform.openai.com/docs/guides/error-codes
 */
const USED_UP = "insufficient_quota";

/** Refusals caused by the request's content. */
const INVALID = [400, 422];
const faultOfRequest = z.object({
  error: z.object({ message: z.string().catch(""), param: z.string().nullish().catch(null) }),
});

/**
 * Creates the failure of an answer that never began, from the AI SDK's error. `tools` contains the names of the
 * request's tools.
 */
export function notBegun(
  error: unknown,
  { answered, refused, retryAfterMs }: Exchange,
  tools: readonly string[],
): ModelFailed {
  if (!answered) return new ModelFailed("the server cannot be reached", null, true);
  const body = APICallError.isInstance(error) ? jsonOf(error.responseBody) : undefined;
  if (refused !== null) {
    const kind = kindOf(body);
    const isBusy = TRANSIENT.includes(refused) && kind !== USED_UP;
    const isPermanent = refused >= 300 && refused < 500 && !isBusy;
    const refusedTool = INVALID.includes(refused) ? toolNamed(body, tools) : null;
    const why = `the server answered ${refused}${inBrackets(kind)}`;
    return new ModelFailed(why, retryAfterMs, true, isPermanent, refusedTool, isBusy);
  }
  return body === undefined ? unreadable() : gaveUp({ error: body });
}

export function unreadable(): ModelFailed {
  return new ModelFailed("the answer is invalid");
}

/** Creates the failure that a server reports in the middle of its answer. */
export function gaveUp(body: unknown): ModelFailed {
  return new ModelFailed(`the server stopped with an error${inBrackets(kindOf(body))}`);
}

export function brokenOff({ cut }: Exchange): ModelFailed {
  if (cut === "too long") return unreadable();
  return new ModelFailed(cut === "lost" ? "the connection was lost" : "the answer ended early");
}

/**
 * Returns the tool that a server's refusal is about, by its position among the tools or its quoted name; null if there
 * is none.
 * Source: refusals of OpenAI ("Invalid schema for function 'x'", `param: "tools[0].function.parameters"`) and Anthropic
 * ("tools.0.custom.input_schema: …").
 */
function toolNamed(body: unknown, tools: readonly string[]): string | null {
  const { message = "", param } = faultOfRequest.safeParse(body).data?.error ?? {};
  const texts = [param ?? "", message];
  for (const text of texts) {
    const index = /\btools(?:\.|\[)(\d{1,4})\b/.exec(text)?.[1];
    const named = index === undefined ? undefined : tools[Number(index)];
    if (named !== undefined) return named;
  }
  const isQuoted = (name: string) => ["'", '"', "`"].some((mark) => message.includes(`${mark}${name}${mark}`));
  return tools.find(isQuoted) ?? null;
}

/** Returns the server's code for its error; null if it has none. */
function kindOf(body: unknown): string | null {
  const { code, type } = answerWithError.safeParse(body).data?.error ?? {};
  return code ?? type ?? null;
}

function inBrackets(kind: string | null): string {
  return kind === null ? "" : ` (${kind})`;
}

function jsonOf(text = ""): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
