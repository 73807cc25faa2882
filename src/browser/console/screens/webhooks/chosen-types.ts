/** The pattern for every event. */
export const EVERYTHING = "*";

/** Returns the pattern for a group of types: `call` → `call.*`. */
export const patternOf = (group: string): string => `${group}.*`;

/** Groups types by the part before the dot, in their order. */
export function groupsOf(types: readonly string[]): [group: string, types: string[]][] {
  return [...Map.groupBy(types, (type) => type.split(".")[0] ?? type)];
}

/** Checks whether a pattern for several types includes this type. */
export function isImplied(chosen: readonly string[], type: string): boolean {
  return chosen.includes(EVERYTHING) || chosen.includes(patternOf(type.split(".")[0] ?? type));
}

/** Adds or removes a pattern or type. Types that a pattern includes aren't listed beside it. */
export function withChoice(chosen: readonly string[], pattern: string, isOn: boolean): string[] {
  const others = chosen.filter((each) => each !== pattern);
  if (!isOn) return others;
  if (pattern === EVERYTHING) return [EVERYTHING];
  const prefix = pattern.endsWith(".*") ? pattern.slice(0, -1) : undefined;
  return [...others.filter((each) => prefix === undefined || !each.startsWith(prefix)), pattern];
}
