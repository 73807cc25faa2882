/** The pattern for every event. */
export const EVERYTHING = "*";

/** The pattern for a group of types: `call` → `call.*`. */
export const patternOf = (group: string): string => `${group}.*`;

/** The types grouped by the part before the point, in the order in which they are listed. */
export function groupsOf(types: readonly string[]): [group: string, types: string[]][] {
  return [...Map.groupBy(types, (type) => type.split(".")[0] ?? type)];
}

/** Whether a type is chosen by a pattern for more than it. */
export function isImplied(chosen: readonly string[], type: string): boolean {
  return chosen.includes(EVERYTHING) || chosen.includes(patternOf(type.split(".")[0] ?? type));
}

/** The choice with a pattern or type put in or taken out; what it implies is not named beside it. */
export function withChoice(chosen: readonly string[], pattern: string, isOn: boolean): string[] {
  const others = chosen.filter((each) => each !== pattern);
  if (!isOn) return others;
  if (pattern === EVERYTHING) return [EVERYTHING];
  const prefix = pattern.endsWith(".*") ? pattern.slice(0, -1) : undefined;
  return [...others.filter((each) => prefix === undefined || !each.startsWith(prefix)), pattern];
}
