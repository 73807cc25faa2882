import { EVENT_TYPES, type EventType } from "../events/types.ts";

/** The types that a pattern stands for: one by its name, `call.*` for all that begin so, `*` for all. None: it is unknown. */
function typesLike(pattern: string): EventType[] {
  if (pattern === "*") return EVENT_TYPES;
  const isGroup = pattern.endsWith(".*");
  return EVENT_TYPES.filter((type) => (isGroup ? type.startsWith(pattern.slice(0, -1)) : type === pattern));
}

/** Whether the pattern stands for any type there is. */
export function isPattern(pattern: string): boolean {
  return typesLike(pattern).length > 0;
}

/** The types that any of the patterns stands for; null for all there are. */
export function typesOf(patterns: readonly string[]): EventType[] | null {
  if (patterns.includes("*")) return null;
  return [...new Set(patterns.flatMap(typesLike))];
}
