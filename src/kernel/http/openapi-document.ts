import type { OpenAPIHono } from "@hono/zod-openapi";
import { isObject } from "../objects.ts";
import type { AppEnv } from "./context.ts";
import { withBodyExamples, withFieldExamples } from "./openapi-examples.ts";
import { type Json, mapValues } from "./openapi-json.ts";

type Document = ReturnType<OpenAPIHono<AppEnv>["getOpenAPI31Document"]>;

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** Applies `change` to every operation of these paths. */
function mapOperations(paths: object | undefined, change: (operation: Json) => Json): Json {
  return mapValues({ ...paths }, (item) =>
    mapValues(item as Json, (operation, method) =>
      METHODS.some((candidate) => candidate === method) && isObject(operation) ? change(operation) : operation,
    ),
  );
}

/** Applies `change` to the media types of an operation's request body and responses. */
function mapBodies(operation: Json, change: (content: unknown, kind: "Request" | "Response") => unknown): Json {
  const { requestBody, responses } = operation;
  return {
    ...operation,
    ...(isObject(requestBody) && {
      requestBody: { ...requestBody, content: change(requestBody.content, "Request") },
    }),
    responses: mapValues(responses as Json, (response) =>
      isObject(response) && "content" in response
        ? { ...response, content: change(response.content, "Response") }
        : response,
    ),
  };
}

/**
 * Makes every inline body a component named after its operation, such as `CreateAgentRequest` or `ListAgentsResponse`.
 */
export function nameBodies(document: Document): Document {
  const schemas: Json = { ...document.components?.schemas };
  const named = (name: string, content: unknown): unknown => {
    if (!isObject(content)) return content;
    return mapValues(content, (media) => {
      if (!isObject(media) || !isObject(media.schema) || "$ref" in media.schema || isText(media.schema)) return media;
      if (name in schemas) throw new TypeError(`there are two schemas ${name}`);
      schemas[name] = media.schema;
      return { ...media, schema: { $ref: `#/components/schemas/${name}` } };
    });
  };
  const paths = mapOperations(document.paths, (operation) => {
    const name = String(operation.operationId).replace(/^./, (letter) => letter.toUpperCase());
    return mapBodies(operation, (content, kind) => named(name + kind, content));
  });
  return { ...document, paths, components: { ...document.components, schemas } } as Document;
}

/**
 * Describes the defaults of bodies in words. Code generators treat a field with a `default` as always present, and
 * would require callers to send it.
 */
export function describeDefaults(document: Document): Document {
  const schemas = inWords(document.components?.schemas ?? {}) as Json;
  return { ...document, components: { ...document.components, schemas } } as Document;
}

function inWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inWords);
  if (!isObject(schema)) return schema;
  const { default: value, ...keywords } = schema;
  const rest = mapValues(keywords, (part, key) => {
    // The keys of `properties` are names of fields, not keywords: a field may be called `default`.
    if (key === "properties") return mapValues(part as Json, inWords);
    return key === "example" ? part : inWords(part);
  });
  if (value === undefined) return withReference(rest);
  const { description = "" } = rest;
  // Some descriptions already state the default, in words.
  if (String(description).includes("Default: ")) return rest;
  return { ...rest, description: `${description} Default: \`${JSON.stringify(value)}\`.`.trimStart() };
}

/**
 * Replaces `{ allOf: [reference, description] }` with JSON Schema's form since 2019, in which the description is next
 * to the reference. If the description adds null, the result is a choice of both, because as a conjunction the value
 * could not be null.
 */
function withReference(schema: Json): Json {
  const [reference, more, ...others] = Array.isArray(schema.allOf) ? schema.allOf : [];
  if (!isObject(reference) || !("$ref" in reference) || !isObject(more) || others.length > 0) return schema;
  const { type, enum: values, ...words } = more;
  if (!Object.keys(words).every((key) => key === "description" || key === "example")) return schema;
  if (type === undefined && values === undefined) return { ...reference, ...words };
  const nullable = Array.isArray(type) && type.includes("null");
  return nullable ? { anyOf: [reference, { type: "null" }], ...words } : schema;
}

/** Adds an example to each field, parameter and body. */
export function addExamples(document: Document): Document {
  const schemas = withFieldExamples(document.components?.schemas ?? {}) as Json;
  const shown = ({ parameters, ...operation }: Json) =>
    mapBodies(
      { ...operation, ...(Array.isArray(parameters) && { parameters: parameters.map(withWords) }) },
      (content) => withBodyExamples(content, schemas),
    );
  const [paths, webhooks] = [mapOperations(document.paths, shown), mapOperations(document.webhooks, shown)];
  return { ...document, paths, webhooks, components: { ...document.components, schemas } } as Document;
}

/** Moves a parameter's description and example from its schema to the parameter itself. */
function withWords(parameter: unknown): unknown {
  if (!isObject(parameter) || !isObject(parameter.schema)) return parameter;
  const { description, example, ...schema } = parameter.schema;
  const [first] = Array.isArray(schema.enum) ? schema.enum : [];
  return {
    ...parameter,
    ...((description ?? parameter.description) !== undefined && {
      description: parameter.description ?? description,
    }),
    ...((example ?? first) !== undefined && { example: example ?? first }),
    schema,
  };
}

/** Checks for text or bytes, which need no component name. */
const isText = ({ type }: Json) => type === "string";
