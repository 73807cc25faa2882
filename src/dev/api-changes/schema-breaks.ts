import { type Alternative, alternativesOf } from "./alternatives.ts";
import { LOWER_BOUNDS, type OpenApi, type Schema, UPPER_BOUNDS } from "./document.ts";

/** A change that a client of the earlier document does not survive. */
export interface Break {
  /** The operation's id, or the component of the document: what the change log names. */
  subject: string;
  /** What changed, to people. */
  change: string;
}

/** Who writes what a schema describes: the client (`sent`) or the service (`received` by the client). */
export type Direction = "sent" | "received";

/** Where a schema stands. */
interface Place {
  subject: string;
  path: string;
}

/** Compares what two documents say of a schema. */
export function schemaBreaks(before: OpenApi, after: OpenApi) {
  /** Components that were compared already or are being compared, by names and direction. */
  const compared = new Map<string, Break[]>();

  /** The breaks between two schemas at the same place. */
  function compare(old: Schema, now: Schema, direction: Direction, place: Place): Break[] {
    const olds = alternativesOf(before, old);
    const nows = alternativesOf(after, now);
    // What a client sends must still be accepted; what it receives must be something that it knew.
    const [required, allowed] = direction === "sent" ? [olds, nows] : [nows, olds];
    return required.flatMap((one) => {
      const alike = allowed.filter((other) => isOfType(one, other));
      if (alike.length === 0) return [brokenAt(place, gone(one, direction))];
      const ofItsKind =
        alike.length > 1
          ? alike.filter((other) => isOfKind(one.schema, other.schema) && !lacksKind(one.schema, other.schema, alike))
          : alike;
      // A kind that a client does not know is “something else” to it, like a value that it does not know.
      if (ofItsKind.length === 0) return direction === "sent" ? [brokenAt(place, "takes one kind less")] : [];
      const attempts = ofItsKind.map((other) =>
        direction === "sent" ? pair(one, other, direction, place) : pair(other, one, direction, place),
      );
      return attempts.reduce((best, attempt) => (attempt.length < best.length ? attempt : best));
    });
  }

  function pair(old: Alternative, now: Alternative, direction: Direction, place: Place): Break[] {
    if (old.component === undefined || now.component === undefined) {
      return formBreaks(old.schema, now.schema, direction, place);
    }
    // The forms of a component differ by their content.
    const key = JSON.stringify([direction, old.component, old.schema, now.component, now.schema]);
    const earlier = compared.get(key);
    if (earlier) return earlier;
    // Components contain each other.
    compared.set(key, []);
    const found = formBreaks(old.schema, now.schema, direction, { subject: old.component, path: "" });
    compared.set(key, found);
    return found;
  }

  function formBreaks(old: Schema, now: Schema, direction: Direction, place: Place): Break[] {
    const found = fieldBreaks(old, now, direction, place);
    if (direction === "sent") found.push(...narrowings(old, now).map((change) => brokenAt(place, change)));
    else if (old.format !== now.format && old.format !== undefined) {
      found.push(brokenAt(place, `has the format ${now.format ?? "of any text"}, was ${old.format}`));
    }
    return [...found, ...itemBreaks(old, now, direction, place), ...otherFields(old, now, direction, place)];
  }

  /** The items of an array without `items` may be anything. */
  function itemBreaks({ items: old }: Schema, { items: now }: Schema, direction: Direction, place: Place): Break[] {
    const there = at(place, "[]");
    if (old && now) return compare(old, now, direction, there);
    if (direction === "sent") return now ? compare({}, now, direction, there) : [];
    return old ? [brokenAt(there, "is no longer described")] : [];
  }

  function fieldBreaks(old: Schema, now: Schema, direction: Direction, place: Place): Break[] {
    const fields = now.properties ?? {};
    const found: Break[] = [];
    for (const [name, field] of Object.entries(old.properties ?? {})) {
      const there = at(place, name);
      const successor = fields[name];
      if (!successor) {
        found.push(brokenAt(there, "is removed"));
        continue;
      }
      found.push(...compare(field, successor, direction, there));
      if (direction === "received" && old.required?.includes(name) && !now.required?.includes(name)) {
        found.push(brokenAt(there, "may be missing in answers"));
      }
    }
    if (direction === "sent") {
      const required = now.required?.filter((name) => !old.required?.includes(name)) ?? [];
      found.push(...required.map((name) => brokenAt(at(place, name), "is required")));
    }
    return found;
  }

  /** Fields whose names a schema does not say. */
  function otherFields(old: Schema, now: Schema, direction: Direction, place: Place): Break[] {
    const [a, b] = [old.additionalProperties, now.additionalProperties];
    const there = at(place, "*");
    if (typeof a === "object" && typeof b === "object") return compare(a, b, direction, there);
    if (direction === "sent") {
      if (b === false && a !== false) return [brokenAt(there, "is refused")];
      // Names without a schema were free, unless there were others to choose from.
      const wereFree = a === true || (a === undefined && !old.properties);
      return typeof b === "object" && wereFree ? compare({}, b, direction, there) : [];
    }
    return typeof a === "object" ? [brokenAt(there, "is no longer described")] : [];
  }

  return compare;
}

function brokenAt({ subject, path }: Place, change: string): Break {
  return { subject, change: path === "" ? change : `${path} ${change}` };
}

function at({ subject, path }: Place, step: string): Place {
  return { subject, path: path === "" || step === "[]" ? path + step : `${path}.${step}` };
}

function gone({ type }: Alternative, direction: Direction): string {
  if (direction === "sent")
    return type === "null" ? "is refused if it is null" : `no longer takes ${type ?? "any value"}`;
  return type === "null" ? "may be null in answers" : `may be ${type ?? "anything"} in answers`;
}

/** Whether what has the one type fits the other. */
function isOfType(one: Alternative, other: Alternative): boolean {
  return one.type === other.type || other.type === undefined || (one.type === "integer" && other.type === "number");
}

/** Whether no field that both require, such as an event's `type`, distinguishes them. */
function isOfKind(one: Schema, other: Schema): boolean {
  return !(one.required ?? []).some((name) => {
    const values = one.properties?.[name]?.enum;
    const others = other.required?.includes(name) ? other.properties?.[name]?.enum : undefined;
    return values && others && !values.some((value) => others.includes(value));
  });
}

/** Whether a schema has no field that names its kind, while others of the union do by the field of `one`. */
function lacksKind(one: Schema, other: Schema, union: Alternative[]): boolean {
  return (one.required ?? []).some((name) => {
    const isKind = one.properties?.[name]?.enum?.length === 1 && other.properties?.[name] === undefined;
    return isKind && union.some(({ schema }) => schema.properties?.[name]?.enum?.length === 1);
  });
}

/** Which values that fitted the old schema do not fit the new one; types and fields are compared elsewhere. */
function narrowings(old: Schema, now: Schema): string[] {
  const found: string[] = [];
  if (now.enum) {
    const lost = old.enum?.filter((value) => !now.enum?.includes(value));
    if (!lost) found.push(`takes only ${now.enum.join(", ")}`);
    else if (lost.length > 0) found.push(`no longer takes ${lost.join(", ")}`);
  }
  // What names its values is judged by them.
  if (old.enum) return found;
  for (const bound of LOWER_BOUNDS) {
    const value = now[bound];
    if (value !== undefined && isTrueBound(bound, value) && value > (old[bound] ?? Number.NEGATIVE_INFINITY)) {
      found.push(`has ${bound} ${value}, was ${old[bound] ?? "none"}`);
    }
  }
  for (const bound of UPPER_BOUNDS) {
    const value = now[bound];
    if (value !== undefined && value < (old[bound] ?? Number.POSITIVE_INFINITY)) {
      found.push(`has ${bound} ${value}, was ${old[bound] ?? "none"}`);
    }
  }
  for (const word of ["format", "pattern", "multipleOf"] as const) {
    if (now[word] !== undefined && now[word] !== old[word]) {
      found.push(`has the ${word} ${now[word]}, was ${old[word] ?? "none"}`);
    }
  }
  if (now.uniqueItems && !old.uniqueItems) found.push("takes no item twice");
  return found;
}

/** Nothing is shorter than nothing. */
function isTrueBound(bound: string, value: number): boolean {
  return value > 0 || bound === "minimum" || bound === "exclusiveMinimum";
}
