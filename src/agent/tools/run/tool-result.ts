import type { OutAnswer } from "../../../kernel/egress/fetch-out.ts";
import { isNestedDeeper, MAX_DEPTH } from "../../../kernel/objects.ts";
import type { HttpConfig } from "./config.ts";
import type { Mask } from "./mask.ts";

/** The maximum number of characters of an unsuccessful response that the model receives. */
const EXCERPT_CHARS = 500;

/** The result of a request for the model, and the error for the log, which contains none of the vendor's words. */
export interface Outcome {
  ok: boolean;
  result: unknown;
  error: string | null;
}

/** Returns the outcome of a failure without a response. The sentence is also the model's result. */
export function failed(error: string): Outcome {
  return { ok: false, result: error, error };
}

/** Returns the body for display, with secrets masked: parsed if it is JSON, otherwise as text. */
export function bodyOf({ text, truncated }: OutAnswer, mask: Mask): unknown {
  const parsed = parse(text);
  if (parsed !== undefined) return mask.json(parsed);
  return truncated ? mask.cut(text) : mask.text(text);
}

/** Returns the outcome of a service's response for the model, based on the part of its body that may be shown. */
export function outcomeOf(answer: OutAnswer, body: unknown, { path, max_chars }: HttpConfig["response"]): Outcome {
  const { status, text, truncated } = answer;
  if (status < 200 || status > 299) {
    const error = `the service answered ${status}`;
    const excerpt = cut(body, EXCERPT_CHARS);
    const detail = typeof excerpt === "string" ? excerpt : JSON.stringify(excerpt);
    return { ok: false, result: detail === "" || detail === "null" ? error : `${error}: ${detail}`, error };
  }
  if (path === undefined || path === "")
    return { ok: true, result: cut(text === "" ? null : body, max_chars), error: null };
  if (truncated) return failed("the service's response is too long to search");
  if (parse(text) === undefined)
    return failed("the service's response is not JSON, so response.path cannot be applied");
  const found = at(body, path);
  const errors = found === null ? errorsIn(body) : null;
  if (errors !== null) return { ok: false, result: cut(errors, max_chars), error: "the service answered with errors" };
  return { ok: true, result: cut(found, max_chars), error: null };
}

/**
 * Returns the errors that a GraphQL service reports with status 200 (GraphQL specification, 7.1); null if there are
 * none.
 */
function errorsIn(body: unknown): unknown {
  const errors = typeof body === "object" && body !== null && "errors" in body ? body.errors : null;
  return Array.isArray(errors) && errors.length > 0 ? { errors } : null;
}

/** Returns the value at a path such as `a.b.0`; null if there is none, for example in an empty list. */
function at(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step)) return null;
    found = (found as Record<string, unknown>)[step];
  }
  return found ?? null;
}

/** Returns the complete value if it is short enough, otherwise the beginning of its text with a mark. */
function cut(value: unknown, maxChars: number): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= maxChars) return value;
  return `${text.slice(0, maxChars).toWellFormed()}… [cut: ${maxChars} of ${text.length} characters]`;
}

/**
 * Parses JSON; undefined if the text is something else, or is nested so deeply that a function that walks the value
 * would overflow the stack.
 */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isNestedDeeper(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}
