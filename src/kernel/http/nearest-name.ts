/** The longest name that is compared, UTF-16 code units. */
export const MAX_COMPARED_CHARS = 64;

/**
 * Returns the known name with the fewest edits between it and `name` (Levenshtein), the first of several; null for a name
 * of more than 64 characters, or if nothing is known. The known names are ours, so that one comparison takes at most 64 × 64
 * steps whatever was sent.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_COMPARED_CHARS) return null;
  let nearest: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const edits = editsBetween(name, candidate, fewest);
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = candidate;
  }
  return nearest;
}

/** The edits that turn one name into the other, or any number from `enough` on if they are at least that many. */
function editsBetween(from: string, to: string, enough: number): number {
  if (Math.abs(from.length - to.length) >= enough) return enough;
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
    if (Math.min(...row) >= enough) return enough;
  }
  return row[to.length] ?? enough;
}
