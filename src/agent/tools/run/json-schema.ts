import { format as formatsOfValidator } from "@cfworker/json-schema";
import { RE2JS } from "re2js";
import { isObject } from "../../../kernel/objects.ts";
import { withNull } from "./nullable.ts";

/** The maximum number of subschemas after references are replaced; more would make checking slow. */
const MAX_SUBSCHEMAS = 1_000;
/** The maximum nesting depth of subschemas, including those behind references. */
const MAX_DEPTH = 32;
/** The maximum number of characters quoted in a message about a schema or argument. */
const MAX_QUOTED_CHARS = 60;

export type Schema = Record<string, unknown> | boolean;

/** A schema that is safe for the validator: only known keywords, no references, no native regular expressions. */
export interface CompiledSchema {
  schema: Schema;
  /** The checks that replace the schema's patterns, by the name of the format that stands in for each. */
  formats: Map<string, Format>;
}

/** Thrown if the schema is invalid or asks for more than is safe. The message says where and why. */
export class BadSchema extends Error {}

type Kind = "schema" | "schemas" | "schemaMap" | "value";
interface Keyword {
  kind: Kind;
  /** A description of the valid values, with the function that checks them. */
  must?: string;
  is?: (value: unknown) => boolean;
}

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];
const isText = (value: unknown) => typeof value === "string";
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isType = (value: unknown) => typeof value === "string" && TYPES.includes(value);

const SCHEMA: Keyword = { kind: "schema" };
const SCHEMAS: Keyword = { kind: "schemas", must: "a list of schemas", is: (v) => Array.isArray(v) && v.length > 0 };
const SCHEMA_MAP: Keyword = { kind: "schemaMap", must: "an object of schemas", is: isObject };
const COUNT: Keyword = { kind: "value", must: "a whole number from 0", is: isCount };
const NUMBER: Keyword = { kind: "value", must: "a number", is: (v) => typeof v === "number" };
const ANY: Keyword = { kind: "value" };

/** The keywords of draft 2020-12 that restrict a value. All others are annotations and are omitted. */
const KEYWORDS: Record<string, Keyword> = {
  type: {
    kind: "value",
    must: `one of ${TYPES.join(", ")}, or a list of them`,
    is: (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
  },
  enum: { kind: "value", must: "a list that is not empty", is: (value) => Array.isArray(value) && value.length > 0 },
  const: ANY,
  required: { kind: "value", must: "a list of names", is: isTexts },
  dependentRequired: {
    kind: "value",
    must: "an object of lists of names",
    is: (value) => isObject(value) && Object.values(value).every(isTexts),
  },
  format: { kind: "value", must: "a text", is: isText },
  pattern: { kind: "value", must: "a text", is: isText },
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: NUMBER,
  exclusiveMaximum: NUMBER,
  multipleOf: { kind: "value", must: "a number above 0", is: (value) => typeof value === "number" && value > 0 },
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minContains: COUNT,
  maxContains: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
  uniqueItems: { kind: "value", must: "true or false", is: (value) => typeof value === "boolean" },
  properties: SCHEMA_MAP,
  dependentSchemas: SCHEMA_MAP,
  additionalProperties: SCHEMA,
  unevaluatedProperties: SCHEMA,
  propertyNames: SCHEMA,
  items: SCHEMA,
  unevaluatedItems: SCHEMA,
  contains: SCHEMA,
  prefixItems: SCHEMAS,
  not: SCHEMA,
  if: SCHEMA,
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
  then: SCHEMA,
  else: SCHEMA,
  allOf: SCHEMAS,
  anyOf: SCHEMAS,
  oneOf: SCHEMAS,
};
/** Keywords that would be ignored silently, or that match names with the runtime's own regular expressions. */
const UNSUPPORTED = ["patternProperties", "$dynamicRef", "$recursiveRef", "dependencies", "additionalItems"];

/**
 * Compiles an account's schema into one that is safe to check values with. References are replaced by their targets, so
 * that none leads outside the schema or forms a cycle, and size and depth are limited. @throws BadSchema
 */
export function compileSchema(root: Record<string, unknown>): CompiledSchema {
  const formats = new Map<string, Format>();
  let left = MAX_SUBSCHEMAS;

  /** Compiles a subschema. `open` are the references being replaced, and `path` is the position in the schema. */
  function compile(given: unknown, path: string, depth: number, open: readonly string[]): Schema {
    if (typeof given === "boolean") return given;
    if (!isObject(given)) throw bad(path, "must be a schema: an object, true or false");
    // The arguments themselves are always an object, regardless of the schema.
    const schema = path === "" ? given : withNull(given);
    if (--left < 0) throw bad("", `must not have more than ${MAX_SUBSCHEMAS} subschemas`);
    if (depth > MAX_DEPTH) throw bad(path, `must not be nested deeper than ${MAX_DEPTH} levels`);
    const compiled: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(schema)) {
      if (UNSUPPORTED.includes(name)) throw bad(path, `${name} is not supported`);
      const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
      if (!keyword) continue;
      const at = join(path, name);
      // An unknown format is an annotation. The validator must not look it up, because some names are properties of
      // every object.
      if (name === "format" && typeof value === "string" && !Object.hasOwn(formatsOfValidator, value)) continue;
      if (keyword.is?.(value) === false) throw bad(at, `must be ${keyword.must}`);
      const deeper = (child: unknown, key: string | number) => compile(child, join(at, `${key}`), depth + 1, open);
      if (keyword.kind === "value") compiled[name] = value;
      else if (keyword.kind === "schema") compiled[name] = compile(value, at, depth + 1, open);
      else if (keyword.kind === "schemas") compiled[name] = (value as unknown[]).map(deeper);
      else compiled[name] = mapValues(value as Record<string, unknown>, deeper);
    }
    return withPattern(withReference(compiled, schema.$ref, path, depth, open), path);
  }

  function withReference(
    compiled: Record<string, unknown>,
    ref: unknown,
    path: string,
    depth: number,
    open: readonly string[],
  ) {
    if (ref === undefined) return compiled;
    const at = join(path, "$ref");
    if (typeof ref !== "string" || !/^#(\/|$)/.test(ref))
      throw bad(at, "must point to a place in this schema, such as #/$defs/name");
    if (open.includes(ref)) throw bad(at, `${quote(ref)} is circular`);
    const target = compile(resolve(root, ref, at), at, depth + 1, [...open, ref]);
    return alsoAll(compiled, target);
  }

  function withPattern(compiled: Record<string, unknown>, path: string): Schema {
    const { pattern } = compiled;
    if (typeof pattern !== "string") return compiled;
    delete compiled.pattern;
    const format = patternFormat(pattern);
    if ("refused" in format) throw bad(join(path, "pattern"), format.refused);
    formats.set(format.name, format);
    return compiled.format === undefined
      ? { ...compiled, format: format.name }
      : alsoAll(compiled, { format: format.name });
  }

  return { schema: compile(root, "", 1, ["#"]), formats };
}

/** Quotes a model's text in a message, and shortens it if it is long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text);
}

const join = (path: string, key: string) => (path === "" ? key : `${path}.${key}`);
const bad = (path: string, why: string) => new BadSchema(path === "" ? why : `${path}: ${why}`);

function alsoAll(compiled: Record<string, unknown>, schema: Schema): Record<string, unknown> {
  return { ...compiled, allOf: [...(Array.isArray(compiled.allOf) ? compiled.allOf : []), schema] };
}

function mapValues(map: Record<string, unknown>, value: (child: unknown, key: string) => unknown) {
  return Object.fromEntries(Object.entries(map).map(([key, child]) => [key, value(child, key)]));
}

/** Returns the kind of a keyword; undefined for an annotation. */
export function keywordKind(name: string): Kind | undefined {
  return Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name]?.kind : undefined;
}

/** Returns the value that a JSON pointer (RFC 6901) refers to. @throws BadSchema */
export function resolve(root: unknown, ref: string, at: string): unknown {
  let found: unknown = root;
  for (const step of ref.split("/").slice(1)) {
    const key = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key))
      throw bad(at, `${quote(ref)} points to nothing`);
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** The maximum length of a pattern, and of a text that is matched against one, characters. */
const MAX_PATTERN_CHARS = 500;
const MAX_TEXT_CHARS = 4_000;

/** A check of a text, in the form that the validator expects. */
interface Format {
  name: string;
  pattern: string;
  test(text: string): boolean;
}

/**
 * Converts a schema's `pattern` to a check whose time is proportional to the text's length (RE2). With the runtime's
 * own regular expressions, a few characters could keep it busy for hours. Patterns that RE2 does not support are
 * refused.
 */
function patternFormat(pattern: string): Format | { refused: string } {
  if (pattern.length > MAX_PATTERN_CHARS) return { refused: `must not be longer than ${MAX_PATTERN_CHARS} characters` };
  try {
    const compiled = RE2JS.compile(inRe2(pattern));
    return {
      name: `pattern ${pattern}`,
      pattern,
      test: (text) => text.length <= MAX_TEXT_CHARS && compiled.matcher(text).find(),
    };
  } catch {
    return { refused: "is not a supported regular expression (look-around and back references are not)" };
  }
}

/** Converts JavaScript's numeric character escapes to RE2's. */
function inRe2(pattern: string): string {
  return pattern.replace(/\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|.)/gs, (all, long, short) =>
    long || short ? `\\x{${long ?? short}}` : all,
  );
}
