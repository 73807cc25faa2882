import { namesOf } from "./names-of.ts";

/** The fields of `after` that are not as before: what a form sends, so that nobody else's change is undone. */
export function changesOf<Values extends object>(before: Values, after: Values): Partial<Values> {
  const changes: Partial<Values> = {};
  for (const name of namesOf(after))
    if (JSON.stringify(after[name]) !== JSON.stringify(before[name])) changes[name] = after[name];
  return changes;
}
