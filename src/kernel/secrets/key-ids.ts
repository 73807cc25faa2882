/**
 * Returns the first id that equals an earlier one ignoring case. Keys are distinguished by id alone, also by systems
 * that ignore case.
 */
export function repeatedId(ids: string[]): string | undefined {
  const seen = new Set<string>();
  return ids.find((id) => seen.size === seen.add(id.toLowerCase()).size);
}
