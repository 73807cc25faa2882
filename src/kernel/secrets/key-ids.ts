/**
 * Returns the first id that equals an earlier one, ignoring case; undefined if there is none. Keys are distinguished by
 * their ids, and some systems ignore case.
 */
export function repeatedId(ids: string[]): string | undefined {
  const seen = new Set<string>();
  return ids.find((id) => seen.size === seen.add(id.toLowerCase()).size);
}
