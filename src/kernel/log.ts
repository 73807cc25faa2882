import { currentRequest } from "./observing/request-context.ts";

/** What one request was and what it cost: times in ms, until its answer began. It names no address and nothing of its content. */
export interface RequestLine {
  /** The path of the endpoint, as the reference writes it; null if there is none. */
  route: string | null;
  method: string;
  /** Null if the request was refused before the account was known, and for requests of no account. */
  account: string | null;
  status: number;
  /** The slug of its error. */
  code: string | null;
  ms: number;
  /** Calls of objects that it made. */
  hops: number;
  /** Time that it waited for D1 itself, not through an object. */
  d1_ms: number;
  request_id: string;
}

/** Writes a served request to the log as one line of JSON. */
export function logRequest(line: RequestLine): void {
  console.log(JSON.stringify(Object.assign({ level: "info", at: "request" }, line)));
}

/**
 * Writes an error to the log as one line of JSON: `at` says which part of the service it happened in, `context` what it
 * concerns; what happens while a request is served has its `request_id`. Phone numbers in the error's text are masked, because carriers and SQL repeat them in their messages.
 */
export function logError(at: string, error: unknown, context: Record<string, string | number> = {}): void {
  const request_id = currentRequest()?.request_id;
  const request = request_id === undefined ? null : { request_id };
  console.error(
    JSON.stringify({ level: "error", at, ...request, ...context, error: maskNumbers(describeError(error)) }),
  );
}

/** An error in one line, with what caused it. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.name}: ${error.message}${error.cause === undefined ? "" : ` (${describeError(error.cause)})`}`;
}

/** Cuts phone numbers to their last two digits. */
function maskNumbers(text: string): string {
  return text.replace(/\+?\d{5,13}(\d{2})\b/g, "***$1");
}
