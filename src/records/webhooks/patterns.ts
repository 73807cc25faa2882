import { EVENT_TYPES, type EventType } from "../events/types.ts";

/**
 * The types that a pattern matches: one by its name, `call.*` for all with that prefix, `*` for all. None if it is
 * unknown.
 */
function typesLike(pattern: string): EventType[] {
  if (pattern === "*") return EVENT_TYPES;
  const isGroup = pattern.endsWith(".*");
  return EVENT_TYPES.filter((type) => (isGroup ? type.startsWith(pattern.slice(0, -1)) : type === pattern));
}

/** Whether the pattern matches any existing type. */
export function isPattern(pattern: string): boolean {
  return typesLike(pattern).length > 0;
}

/** The types that any of the patterns matches; null for all. */
export function typesOf(patterns: readonly string[]): EventType[] | null {
  if (patterns.includes("*")) return null;
  return [...new Set(patterns.flatMap(typesLike))];
}
