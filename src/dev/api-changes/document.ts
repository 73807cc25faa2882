/** The compared parts of an OpenAPI document, under the specification's names. */
export interface OpenApi {
  paths: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components?: Record<string, Record<string, unknown>>;
}

export type PathItem = Record<string, Operation>;

export interface Operation {
  operationId?: string;
  parameters?: (Parameter | Ref)[];
  requestBody?: Body | Ref;
  responses?: Record<string, Response | Ref>;
  security?: Record<string, string[]>[];
  "x-scope"?: string[];
  /** Lists of scopes. Callers with named scopes need all scopes of one list. */
  "x-scope-if-named"?: string[][];
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

export interface Body {
  required?: boolean;
  content?: Content;
}

export interface Response {
  headers?: Record<string, unknown>;
  content?: Content;
}

export type Content = Record<string, { schema?: Schema }>;

export interface Ref {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  uniqueItems?: boolean;
  multipleOf?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  minItems?: number;
  minProperties?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
}

/** Bounds that accept fewer values when they rise, and bounds that accept fewer values when they fall. */
export const LOWER_BOUNDS = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
export const UPPER_BOUNDS = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;

/** Returns the target of a reference within the document, or the value itself. @throws Error for a dangling reference */
export function resolve<T extends object>(document: OpenApi, value: T | Ref): T {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as T;
  const steps = value.$ref.replace(/^#\//, "").split("/");
  let found: unknown = document;
  for (const step of steps) found = (found as Record<string, unknown> | undefined)?.[step.replaceAll("~1", "/")];
  if (typeof found !== "object" || found === null) throw new Error(`${value.$ref} refers to nothing`);
  return resolve(document, found as T | Ref);
}
