import { LOWER_BOUNDS, type OpenApi, resolve, type Schema, UPPER_BOUNDS } from "./document.ts";

/** One of the forms of a value: a schema of one type, without references, `allOf`, `anyOf` or `oneOf` at its top. */
export interface Alternative {
  schema: Schema;
  /** Undefined for any type. */
  type: string | undefined;
  /** The component that describes the form, if any. */
  component: string | undefined;
}

/** Returns all forms that a schema describes; null is one of them. */
export function alternativesOf(document: OpenApi, schema: Schema, component?: string): Alternative[] {
  const { $ref, ...beside } = schema;
  if ($ref !== undefined) {
    const target = resolve<Schema>(document, { $ref });
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    const isAlone = Object.keys(beside).every((key) => PROSE.has(key));
    return alternativesOf(document, isAlone ? target : merged(target, beside), isAlone ? name : component);
  }
  const { allOf, anyOf, oneOf, ...rest } = schema;
  if (allOf) {
    const parts = allOf.map((part) => alternativesOf(document, part));
    const whole = parts.reduce(
      (before, part) =>
        before.flatMap((one) => part.map((other) => ({ ...one, schema: merged(one.schema, other.schema) }))),
      alternativesOf(document, { ...rest, ...(anyOf && { anyOf }), ...(oneOf && { oneOf }) }),
    );
    return whole.flatMap((one) => alternativesOf(document, one.schema, component));
  }
  const union = anyOf ?? oneOf;
  if (union) {
    return union.flatMap((part) => {
      const parts = alternativesOf(document, part);
      return parts.flatMap((one) => alternativesOf(document, merged(rest, one.schema), one.component ?? component));
    });
  }
  if (rest.type === undefined) return [{ schema: rest, type: undefined, component }];
  return [rest.type].flat().flatMap((type) => {
    const values = valuesOf(rest)?.filter((value) => isOf(value, type));
    if (values?.length === 0) return [];
    const { const: _, ...open } = rest;
    return [{ schema: { ...open, type, ...(values && { enum: values }) }, type, component }];
  });
}

export function valuesOf(schema: Schema): unknown[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const];
}

/** Keywords that do not constrain values. */
const PROSE = new Set(["description", "example", "examples", "default", "title", "discriminator", "deprecated"]);

/** Returns a schema of the values that fit both. */
function merged(a: Schema, b: Schema): Schema {
  const both: Schema = { ...a, ...b };
  if (a.properties && b.properties) {
    both.properties = { ...a.properties, ...b.properties };
    for (const [name, one] of Object.entries(a.properties)) {
      const other = b.properties[name];
      if (other) both.properties[name] = { allOf: [one, other] };
    }
  }
  if (a.required && b.required) both.required = [...new Set([...a.required, ...b.required])];
  if (a.allOf && b.allOf) both.allOf = [...a.allOf, ...b.allOf];
  if (a.type !== undefined && b.type !== undefined) {
    const types = [b.type].flat();
    both.type = [a.type].flat().filter((type) => types.includes(type));
  }
  const [values, others] = [valuesOf(a), valuesOf(b)];
  if (values && others) both.enum = values.filter((value) => others.includes(value));
  for (const bound of LOWER_BOUNDS) {
    if (a[bound] !== undefined && b[bound] !== undefined) both[bound] = Math.max(a[bound], b[bound]);
  }
  for (const bound of UPPER_BOUNDS) {
    if (a[bound] !== undefined && b[bound] !== undefined) both[bound] = Math.min(a[bound], b[bound]);
  }
  return both;
}

function isOf(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "integer" || type === "number") return typeof value === "number";
  if (type === "array") return Array.isArray(value);
  return typeof value === type && value !== null && !Array.isArray(value);
}
