/** Bytes read at a time, so that neither memory nor a message between objects overflows. */
export const MOST_READ_BYTES = 4_000_000;

/** Returns SQL for the first of ordered rows (`key`, `size`) whose sizes add up to the next parameter; at least one. */
export function upToSize(rows: string): string {
  return `(SELECT key FROM (SELECT key, sum(size) OVER (ORDER BY key) - size before FROM (${rows})) WHERE before < ?)`;
}
