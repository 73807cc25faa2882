import { namesOf } from "./names-of.ts";

/** Returns the fields of `after` that differ from `before`. Sending only these keeps other people's changes. */
export function changesOf<Values extends object>(before: Values, after: Values): Partial<Values> {
  const changes: Partial<Values> = {};
  for (const name of namesOf(after))
    if (JSON.stringify(after[name]) !== JSON.stringify(before[name])) changes[name] = after[name];
  return changes;
}
