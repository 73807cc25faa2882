import { isObject } from "./json.ts";

/** A field that two people changed to different values, by its path: `greeting_message`, `params.channel`. */
export interface Clash {
  path: string;
  theirs: unknown;
  mine: unknown;
  /** Whether neither value may be shown. */
  isSecret: boolean;
}

/**
 * Merges values that began as `base` when someone else has stored `theirs` in the meantime. The user's changes win over
 * stored ones, and fields that both changed are reported as clashes. Objects are compared member by member.
 */
export function threeWay<T extends object>(
  base: T,
  mine: T,
  theirs: T,
  isSecret: (path: string) => boolean = () => false,
): { merged: T; clashes: Clash[] } {
  const clashes: Clash[] = [];
  const merge = (from: unknown, own: unknown, other: unknown, path: string): unknown => {
    if (isObject(from) && isObject(own) && isObject(other)) {
      const names = [...new Set([...Object.keys(own), ...Object.keys(other)])];
      const member = (name: string) => merge(from[name], own[name], other[name], path ? `${path}.${name}` : name);
      return Object.fromEntries(names.map((name) => [name, member(name)]).filter(([, value]) => value !== undefined));
    }
    if (isSame(own, from)) return other;
    // A secret can't be read, so it may have been changed.
    const secret = isSecret(path);
    if (secret || (!isSame(other, from) && !isSame(own, other)))
      clashes.push({ path, theirs: other, mine: own, isSecret: secret });
    return own;
  };
  return { merged: merge(base, mine, theirs, "") as T, clashes };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
