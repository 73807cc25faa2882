/** Checks whether a value is an object, not null or an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The maximum nesting depth of a JSON value. Deeper values would overflow the stack of later code. */
export const MAX_DEPTH = 64;

/** Checks whether a parsed JSON value is nested deeper than `most` levels. Looks at no level beyond that. */
export function isNestedDeeper(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((member) => isNestedDeeper(member, most - 1));
}
