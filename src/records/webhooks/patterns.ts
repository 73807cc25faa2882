import { EVENT_TYPES, type EventType } from "../events/types.ts";

/**
 * Returns the types that a pattern matches: a name matches one type, `call.*` all types with that prefix, and `*` all
 * types. Empty if the pattern matches none.
 */
function typesLike(pattern: string): EventType[] {
  if (pattern === "*") return EVENT_TYPES;
  const isGroup = pattern.endsWith(".*");
  return EVENT_TYPES.filter((type) => (isGroup ? type.startsWith(pattern.slice(0, -1)) : type === pattern));
}

/** Checks whether the pattern matches any existing type. */
export function isPattern(pattern: string): boolean {
  return typesLike(pattern).length > 0;
}

/** Returns the types that match any of the patterns; null for all. */
export function typesOf(patterns: readonly string[]): EventType[] | null {
  if (patterns.includes("*")) return null;
  return [...new Set(patterns.flatMap(typesLike))];
}
