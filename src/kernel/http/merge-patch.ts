import { isObject } from "../objects.ts";

/**
 * A value with a JSON merge patch applied (RFC 7396), as a new value: members that are objects are merged in their turn,
 * null removes a member, everything else (also an array) replaces what was there. What comes out is not validated: the
 * schema of the whole value, which puts defaults in for what was removed, is to be applied to it. Neither argument is
 * changed.
 */
export function mergePatch<T>(before: T, patch: unknown): T {
  // A patch may turn any value into any other: the caller's schema says whether that is still a T.
  return merged(before, patch) as T;
}

function merged(before: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(before) ? Object.entries(before) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else if (value !== undefined) members.set(name, merged(members.get(name), value));
  }
  // Defines every member as the object's own, so that none reaches a prototype.
  return Object.fromEntries(members);
}
