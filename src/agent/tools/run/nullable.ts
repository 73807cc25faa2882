/** Keywords beside which a type of null would not be enough: they apply to null as well. */
const APPLY_TO_NULL = ["$ref", "const", "allOf", "anyOf", "oneOf", "not", "if"];

/**
 * Returns a schema that writes `nullable: true`, as OpenAPI 3.0 does, in the words of JSON Schema: its type includes null.
 * Other schemas are returned as they are.
 */
export function withNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { nullable, ...rest } = schema;
  if (nullable !== true) return schema;
  if (APPLY_TO_NULL.some((keyword) => Object.hasOwn(rest, keyword))) return { anyOf: [rest, { type: "null" }] };
  if (rest.type !== undefined) rest.type = including([rest.type].flat(), "null");
  if (Array.isArray(rest.enum)) rest.enum = including(rest.enum, null);
  return rest;
}

const including = (values: unknown[], wanted: unknown) => (values.includes(wanted) ? values : [...values, wanted]);
