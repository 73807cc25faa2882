import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";

type Document = ReturnType<OpenAPIHono<AppEnv>["getOpenAPI31Document"]>;
type Json = Record<string, unknown>;

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/**
 * The document with every body as a named schema: one that is written out where it is used becomes a component named
 * by its operation, `CreateAgentRequest` or `ListAgentsResponse`.
 */
export function nameBodies(document: Document): Document {
  const schemas: Json = { ...document.components?.schemas };
  const named = (name: string, content: unknown): unknown => {
    if (!isObject(content)) return content;
    return Object.fromEntries(
      Object.entries(content).map(([mediaType, media]) => {
        if (!isObject(media) || !isObject(media.schema) || "$ref" in media.schema || isText(media.schema))
          return [mediaType, media];
        if (name in schemas) throw new TypeError(`there are two schemas ${name}`);
        schemas[name] = media.schema;
        return [mediaType, { ...media, schema: { $ref: `#/components/schemas/${name}` } }];
      }),
    );
  };
  const paths = mapValues(document.paths ?? {}, (item) =>
    mapValues(item as Json, (operation, method) => {
      if (!METHODS.some((known) => known === method) || !isObject(operation)) return operation;
      const { operationId, requestBody, responses } = operation;
      const name = String(operationId).replace(/^./, (letter) => letter.toUpperCase());
      return {
        ...operation,
        ...(isObject(requestBody) && {
          requestBody: { ...requestBody, content: named(`${name}Request`, requestBody.content) },
        }),
        responses: mapValues(responses as Json, (response) =>
          isObject(response) && "content" in response
            ? { ...response, content: named(`${name}Response`, response.content) }
            : response,
        ),
      };
    }),
  );
  return { ...document, paths, components: { ...document.components, schemas } } as Document;
}

/**
 * The document with the defaults of bodies in words: generators take a field with a `default` for one that is always
 * there, and would have callers send it.
 */
export function describeDefaults(document: Document): Document {
  const schemas = inWords(document.components?.schemas ?? {}) as Json;
  return { ...document, components: { ...document.components, schemas } } as Document;
}

function inWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inWords);
  if (!isObject(schema)) return schema;
  const { default: value, ...keywords } = schema;
  const rest = mapValues(keywords, (part, key) =>
    // The names of fields are no keywords: a field may be called default.
    key === "properties" ? mapValues(part as Json, inWords) : inWords(part),
  );
  if (value === undefined) return rest;
  const words = `Default: \`${JSON.stringify(value)}\`.`;
  return { ...rest, description: rest.description === undefined ? words : `${rest.description} ${words}` };
}

/** A text or bytes, which need no name. */
const isText = ({ type }: Json) => type === "string";

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapValues(object: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
