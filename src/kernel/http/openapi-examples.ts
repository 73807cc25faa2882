import { isObject } from "../objects.ts";
import { type Json, mapValues } from "./openapi-json.ts";

/** Composes the example of a schema from its fields' examples; undefined if a field has none. */
export function exampleOf(schema: unknown, schemas: Json): unknown {
  if (!isObject(schema)) return undefined;
  if ("example" in schema) return schema.example;
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (typeof schema.$ref === "string") return exampleOf(schemas[nameIn(schema.$ref)], schemas);
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.map((part) => exampleOf(part, schemas));
    return parts.every(isObject) ? Object.assign({}, ...parts) : undefined;
  }
  const [first] = variantsOf(schema);
  if (first !== undefined) return exampleOf(first, schemas);
  return exampleOfType(schema, schemas);
}

function exampleOfType(schema: Json, schemas: Json): unknown {
  const type = [schema.type].flat().find((one) => one !== "null");
  if (isObject(schema.properties)) return exampleOfFields(schema, schema.properties, schemas);
  if (type === "object" && isObject(schema.additionalProperties)) return undefined;
  if (type === "array") {
    const item = exampleOf(schema.items, schemas);
    return item === undefined ? undefined : [item];
  }
  if (type === "boolean") return false;
  return [schema.type].flat().includes("null") && type === undefined ? null : undefined;
}

/** Combines the fields' examples; undefined if a required field has none. */
function exampleOfFields({ required }: Json, properties: Json, schemas: Json): Json | undefined {
  const fields = Object.entries(properties).map(([name, property]) => [name, exampleOf(property, schemas)] as const);
  const withExample = fields.filter(([, example]) => example !== undefined);
  const isMissing = ([name, example]: (typeof fields)[number]) =>
    example === undefined && Array.isArray(required) && required.includes(name);
  return fields.some(isMissing) ? undefined : Object.fromEntries(withExample);
}

function variantsOf(schema: Json): unknown[] {
  const variants = [schema.oneOf, schema.anyOf].find(Array.isArray) ?? [];
  return variants.filter((variant: unknown) => !isObject(variant) || variant.type !== "null");
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);

/** Adds an example to each field that has no fields of its own, if its type alone suggests one. */
export function withFieldExamples(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withFieldExamples);
  if (!isObject(schema)) return schema;
  return mapValues(schema, (part, key) =>
    key === "properties" && isObject(part) ? mapValues(part, plainExample) : withFieldExamples(part),
  );
}

function plainExample(property: unknown): unknown {
  if (!isObject(property) || "example" in property || "$ref" in property || isObject(property.properties)) {
    return withFieldExamples(property);
  }
  // A list of objects shows its example field by field.
  const example = isObject(property.items) && !isScalar(property.items) ? undefined : exampleOf(property, {});
  const whole = withFieldExamples(property) as Json;
  return example === undefined || isObject(example) ? whole : Object.assign(whole, { example });
}

const isScalar = (schema: Json) => !("$ref" in schema) && !isObject(schema.properties) && !("allOf" in schema);

/** Adds a complete example to each request and response body, by media type. */
export function withBodyExamples(content: unknown, schemas: Json): unknown {
  if (!isObject(content)) return content;
  return mapValues(content, (media, type) => {
    // Each error has its own fields, which its schema shows.
    if (!isObject(media) || "example" in media || type === "application/problem+json") return media;
    if (type === "text/event-stream") return Object.assign({}, media, eventExamples(media, schemas));
    const example = exampleOf(media.schema, schemas);
    return example === undefined ? media : Object.assign({}, media, { example });
  });
}

/** Returns the examples of a stream's events by schema name, if there are any. */
function eventExamples({ schema }: Json, schemas: Json): { examples?: Json } {
  const union = isObject(schema) && typeof schema.$ref === "string" ? schemas[nameIn(schema.$ref)] : schema;
  const events = (isObject(union) ? variantsOf(union) : []).filter(isObject);
  const examples = events
    .map((event) => [nameIn(String(event.$ref)), { value: exampleOf(event, schemas) }] as const)
    .filter(([, { value }]) => value !== undefined);
  return examples.length === 0 ? {} : { examples: Object.fromEntries(examples) };
}
