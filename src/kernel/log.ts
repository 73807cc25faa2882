import { currentRequest } from "./observing/request-context.ts";

/**
 * The log line of a request: its properties, and its cost until the response began (times in ms). It contains no client
 * address and no content.
 */
export interface RequestLine {
  /** The endpoint's path as the API reference writes it; null if no endpoint matched. */
  route: string | null;
  method: string;
  /** Null if the request was refused before its account was known, or belongs to no account. */
  account: string | null;
  status: number;
  /** The slug of the error. */
  code: string | null;
  ms: number;
  /** The number of calls to Durable Objects. */
  hops: number;
  /** The time spent waiting for D1, ms, without the waits inside Durable Objects. */
  d1_ms: number;
  request_id: string;
}

export function logRequest(line: RequestLine): void {
  console.log(JSON.stringify(Object.assign({ level: "info", at: "request" }, line)));
}

/**
 * Writes an error to the log as one line of JSON. `at` is the part of the service where it happened, and `context` what
 * it is about. Errors during a request also contain its `request_id`. Phone numbers in the error's text are masked,
 * because carriers and SQL repeat them in their messages.
 */
export function logError(at: string, error: unknown, context: Record<string, string | number> = {}): void {
  const request_id = currentRequest()?.request_id;
  const request = request_id === undefined ? null : { request_id };
  console.error(
    JSON.stringify({ level: "error", at, ...request, ...context, error: maskNumbers(describeError(error)) }),
  );
}

/** Formats an error and its causes in one line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.name}: ${error.message}${error.cause === undefined ? "" : ` (${describeError(error.cause)})`}`;
}

/** Masks phone numbers except for their last two digits. */
function maskNumbers(text: string): string {
  return text.replace(/\+?\d{5,13}(\d{2})\b/g, "***$1");
}
