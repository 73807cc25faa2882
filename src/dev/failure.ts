/** The most causes that are followed, because a chain may be circular. */
const MOST_CAUSES = 5;

/**
 * Returns the cause of a failure as one sentence, never a stack: the error's message and those of its causes, joined by
 * colons. `fetch` stores the reason of a failure only in the cause.
 */
export function failureText(error: unknown): string {
  const parts: string[] = [];
  for (let next = error, n = 0; next !== undefined && next !== null && n < MOST_CAUSES; n++) {
    const text = textOf(next);
    // Some errors repeat the message of their cause.
    if (text !== "" && !parts.some((part) => part.includes(text))) parts.push(text);
    next = next instanceof Error ? next.cause : undefined;
  }
  return parts.join(": ") || "it failed for an unknown reason";
}

function textOf(error: unknown): string {
  // If all of a host's addresses failed, the error has no message of its own.
  if (error instanceof AggregateError && error.message === "") return [...new Set(error.errors.map(textOf))].join(", ");
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error ? String(error.code) : error.name);
}
