import { canonicalJson } from "./canonical-json.ts";

/**
 * Returns the fields of a request that differ from what the API shows. A client may send back what it read, which must
 * not store a default or derived value.
 */
export function askedFor<T extends object>(sent: T, shown: object): Partial<T> {
  const present = new Map<string, unknown>(Object.entries(shown));
  const asked = Object.entries(sent).filter(
    ([field, value]) => value !== undefined && !isSame(value, present.get(field)),
  );
  return Object.fromEntries(asked) as Partial<T>;
}

const isSame = (sent: unknown, shown: unknown) => shown !== undefined && canonicalJson(sent) === canonicalJson(shown);
