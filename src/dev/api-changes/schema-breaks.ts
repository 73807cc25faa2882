import { type Alternative, alternativesOf } from "./alternatives.ts";
import { LOWER_BOUNDS, type OpenApi, type Schema, UPPER_BOUNDS } from "./document.ts";

/** A change that breaks clients of the earlier document. */
export interface Break {
  /** The operation's id or the component, as the change log names it. */
  subject: string;
  change: string;
}

/** Whether the client writes the value (`sent`) or the service does (`received` by the client). */
export type Direction = "sent" | "received";

/** The position of a schema in the document. */
interface SchemaPosition {
  subject: string;
  path: string;
}

/** Returns a function that compares a schema between two documents. */
export function schemaBreaks(before: OpenApi, after: OpenApi) {
  /** Components that were compared already or are being compared, by names and direction. */
  const compared = new Map<string, Break[]>();

  /** Finds the breaks between two schemas at the same position. */
  function compare(old: Schema, now: Schema, direction: Direction, position: SchemaPosition): Break[] {
    const olds = alternativesOf(before, old);
    const nows = alternativesOf(after, now);
    // A value that a client sends must still be accepted; a value that it receives must have been possible before.
    const [required, allowed] = direction === "sent" ? [olds, nows] : [nows, olds];
    return required.flatMap((one) => {
      const alike = allowed.filter((other) => isOfType(one, other));
      if (alike.length === 0) return [brokenAt(position, gone(one, direction))];
      const ofItsKind =
        alike.length > 1
          ? alike.filter((other) => isOfKind(one.schema, other.schema) && !lacksKind(one.schema, other.schema, alike))
          : alike;
      // Clients must handle kinds that they don't know, just as they must handle unknown values.
      if (ofItsKind.length === 0) return direction === "sent" ? [brokenAt(position, "accepts one variant less")] : [];
      const attempts = ofItsKind.map((other) =>
        direction === "sent" ? pair(one, other, direction, position) : pair(other, one, direction, position),
      );
      return attempts.reduce((best, attempt) => (attempt.length < best.length ? attempt : best));
    });
  }

  function pair(old: Alternative, now: Alternative, direction: Direction, position: SchemaPosition): Break[] {
    if (old.component === undefined || now.component === undefined) {
      return formBreaks(old.schema, now.schema, direction, position);
    }
    // The forms of a component differ by their content.
    const key = JSON.stringify([direction, old.component, old.schema, now.component, now.schema]);
    const earlier = compared.get(key);
    if (earlier) return earlier;
    // Components may contain each other. A component therefore counts as compared while it is being compared.
    compared.set(key, []);
    const found = formBreaks(old.schema, now.schema, direction, { subject: old.component, path: "" });
    compared.set(key, found);
    return found;
  }

  function formBreaks(old: Schema, now: Schema, direction: Direction, position: SchemaPosition): Break[] {
    const found = fieldBreaks(old, now, direction, position);
    if (direction === "sent") found.push(...narrowings(old, now).map((change) => brokenAt(position, change)));
    else if (old.format !== now.format && old.format !== undefined) {
      found.push(brokenAt(position, `has the format ${now.format ?? "of any text"}, was ${old.format}`));
    }
    return [...found, ...itemBreaks(old, now, direction, position), ...otherFields(old, now, direction, position)];
  }

  /** Compares the items of arrays. Without `items`, they may be of any type. */
  function itemBreaks(
    { items: old }: Schema,
    { items: now }: Schema,
    direction: Direction,
    position: SchemaPosition,
  ): Break[] {
    const there = at(position, "[]");
    if (old && now) return compare(old, now, direction, there);
    if (direction === "sent") return now ? compare({}, now, direction, there) : [];
    return old ? [brokenAt(there, "is no longer described")] : [];
  }

  function fieldBreaks(old: Schema, now: Schema, direction: Direction, position: SchemaPosition): Break[] {
    const fields = now.properties ?? {};
    const found: Break[] = [];
    for (const [name, field] of Object.entries(old.properties ?? {})) {
      const there = at(position, name);
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
      found.push(...required.map((name) => brokenAt(at(position, name), "is required")));
    }
    return found;
  }

  /** Compares the fields whose names the schema does not list. */
  function otherFields(old: Schema, now: Schema, direction: Direction, position: SchemaPosition): Break[] {
    const [a, b] = [old.additionalProperties, now.additionalProperties];
    const there = at(position, "*");
    if (typeof a === "object" && typeof b === "object") return compare(a, b, direction, there);
    if (direction === "sent") {
      if (b === false && a !== false) return [brokenAt(there, "is refused")];
      // A schema that lists no fields allows any, like one with `additionalProperties: true`.
      const wereFree = a === true || (a === undefined && !old.properties);
      return typeof b === "object" && wereFree ? compare({}, b, direction, there) : [];
    }
    return typeof a === "object" ? [brokenAt(there, "is no longer described")] : [];
  }

  return compare;
}

function brokenAt({ subject, path }: SchemaPosition, change: string): Break {
  return { subject, change: path === "" ? change : `${path} ${change}` };
}

function at({ subject, path }: SchemaPosition, step: string): SchemaPosition {
  return { subject, path: path === "" || step === "[]" ? path + step : `${path}.${step}` };
}

function gone({ type }: Alternative, direction: Direction): string {
  if (direction === "sent")
    return type === "null" ? "is refused if it is null" : `no longer accepts ${type ?? "any value"}`;
  return type === "null" ? "may be null in answers" : `may be ${type ?? "anything"} in answers`;
}

/** Checks whether values of the type of `one` fit the type of `other`. */
function isOfType(one: Alternative, other: Alternative): boolean {
  return one.type === other.type || other.type === undefined || (one.type === "integer" && other.type === "number");
}

/** Checks that no field which both require, such as an event's `type`, distinguishes them. */
function isOfKind(one: Schema, other: Schema): boolean {
  return !(one.required ?? []).some((name) => {
    const values = one.properties?.[name]?.enum;
    const others = other.required?.includes(name) ? other.properties?.[name]?.enum : undefined;
    return values && others && !values.some((value) => others.includes(value));
  });
}

/**
 * Checks whether a schema lacks the field that distinguishes the kind of `one` from that of other schemas in the union.
 */
function lacksKind(one: Schema, other: Schema, union: Alternative[]): boolean {
  return (one.required ?? []).some((name) => {
    const isKind = one.properties?.[name]?.enum?.length === 1 && other.properties?.[name] === undefined;
    return isKind && union.some(({ schema }) => schema.properties?.[name]?.enum?.length === 1);
  });
}

/** Lists the constraints that exclude values that the old schema accepted. Types and fields are compared elsewhere. */
function narrowings(old: Schema, now: Schema): string[] {
  const found: string[] = [];
  if (now.enum) {
    const lost = old.enum?.filter((value) => !now.enum?.includes(value));
    if (!lost) found.push(`only accepts ${now.enum.join(", ")}`);
    else if (lost.length > 0) found.push(`no longer accepts ${lost.join(", ")}`);
  }
  // A schema that lists its values is compared by them.
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
  if (now.uniqueItems && !old.uniqueItems) found.push("no longer accepts duplicate items");
  return found;
}

/** Checks whether a bound excludes anything: a minimum length of 0 does not. */
function isTrueBound(bound: string, value: number): boolean {
  return value > 0 || bound === "minimum" || bound === "exclusiveMinimum";
}
