import { call } from "../../support/client.ts";

export type Json = Record<string, unknown>;
export interface Media {
  schema: Json;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  example?: unknown;
  schema: Json;
}
export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, Media> }>;
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; parameters: Record<string, Parameter> };
}

/** Returns the service's OpenAPI document. */
export const reference = async () => (await call<Document>("GET", "/openapi.json")).body;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const nameIn = (ref: unknown) => String(ref).split("/").at(-1) ?? "";

/** Returns every operation with its method and path. */
export function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );
}

/** Returns the bodies of an operation: those of its request, its success and its own errors. */
export function bodiesOf({ requestBody, responses }: Operation): { type: string; media: Media }[] {
  const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
  return contents.flatMap((content = {}) => Object.entries(content).map(([type, media]) => ({ type, media })));
}

/** Yields every property of a schema and of the schemas inside it, with its path. References are not followed. */
export function* propertiesOf(schema: unknown, path: string): Generator<{ path: string; property: Json }> {
  if (Array.isArray(schema)) for (const part of schema) yield* propertiesOf(part, path);
  if (!isObject(schema)) return;
  for (const [name, property] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (isObject(property)) yield { path: `${path}.${name}`, property };
    yield* propertiesOf(property, `${path}.${name}`);
  }
  for (const key of ["items", "additionalProperties", "allOf", "anyOf", "oneOf"]) {
    yield* propertiesOf(schema[key], path);
  }
}

/** Returns the schemas that these operations use directly or indirectly, by name. */
export function schemasOf({ components }: Document, operations: Operation[]): Map<string, Json> {
  const found = new Map<string, Json>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const part of value) visit(part);
    if (!isObject(value)) return;
    const name = typeof value.$ref === "string" && value.$ref.includes("/schemas/") ? nameIn(value.$ref) : null;
    const schema = name === null ? undefined : components.schemas[name];
    if (name !== null && schema !== undefined && !found.has(name)) {
      found.set(name, schema);
      visit(schema);
    }
    for (const [key, part] of Object.entries(value)) if (key !== "example") visit(part);
  };
  visit(operations);
  return found;
}
