/**
 * The first id that an earlier one equals, letter case aside: keys are told apart by their ids alone, also by what does
 * not look at case.
 */
export function repeatedId(ids: string[]): string | undefined {
  const seen = new Set<string>();
  return ids.find((id) => seen.size === seen.add(id.toLowerCase()).size);
}
