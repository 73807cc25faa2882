/**
 * Writes an error to the log as one line of JSON: `at` says which part of the service it happened in, `context` what it
 * concerns. Phone numbers in the error's text are masked, because carriers and SQL repeat them in their messages.
 */
export function logError(at: string, error: unknown, context: Record<string, string | number> = {}): void {
  console.error(JSON.stringify({ level: "error", at, ...context, error: maskNumbers(describeError(error)) }));
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
