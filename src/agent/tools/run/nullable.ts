/** Keywords that also apply to null, so that adding null to the type would not be enough. */
const APPLY_TO_NULL = ["$ref", "const", "allOf", "anyOf", "oneOf", "not", "if"];

/**
 * Converts a schema with OpenAPI 3.0's `nullable: true` to JSON Schema, in which its type includes null. Returns other
 * schemas unchanged.
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
