import { format as formats, type OutputUnit, type Schema, validate } from "@cfworker/json-schema";
import { BadSchema, type CompiledSchema, compileSchema, quote } from "./json-schema.ts";

/** The maximum number of values in the arguments, and the most characters as JSON. */
const MAX_VALUES = 2_000;
const MAX_ARGUMENTS_CHARS = 32_000;
/** The maximum number of faults that are reported at once. */
const MAX_FAULTS = 20;

export type Arguments = Record<string, unknown>;

/** Returns the error in a tool's schema and its position; null if the schema can be used to check arguments. */
export function checkSchema(schema: Record<string, unknown>): string | null {
  try {
    const { type } = compileSchema(schema).schema as { type?: unknown };
    return type === undefined || [type].flat().includes("object")
      ? null
      : "type: must be object, because arguments have names";
  } catch (error) {
    if (error instanceof BadSchema) return error.message;
    throw error;
  }
}

/** Returns the names of a schema's top-level arguments. */
export function argumentNames({ properties }: Record<string, unknown>): Set<string> {
  return new Set(typeof properties === "object" && properties !== null ? Object.keys(properties) : []);
}

/**
 * Returns the arguments if they match the schema, otherwise all their errors, described so that a model can correct
 * them.
 */
export function checkArguments(
  schema: Record<string, unknown>,
  args: unknown,
): { args: Arguments } | { faults: string[] } {
  if (typeof args !== "object" || args === null || Array.isArray(args))
    return { faults: ["the arguments must be an object"] };
  if (JSON.stringify(args).length > MAX_ARGUMENTS_CHARS || countValues(args) > MAX_VALUES)
    return {
      faults: [`the arguments must not be larger than ${MAX_ARGUMENTS_CHARS} characters or ${MAX_VALUES} values`],
    };
  let compiled: CompiledSchema;
  try {
    compiled = compileSchema(schema);
  } catch (error) {
    if (error instanceof BadSchema) return { faults: [`the tool's schema cannot be used: ${error.message}`] };
    throw error;
  }
  const faults = faultsOf(compiled, args);
  return faults.length === 0 ? { args: args as Arguments } : { faults: faults.slice(0, MAX_FAULTS) };
}

function faultsOf({ schema, formats: own }: CompiledSchema, args: object): string[] {
  // The validator looks up formats in a global object. The formats are in it only while the validator runs, and nothing
  // else runs at the same time.
  for (const [name, { test }] of own) formats[name] = test;
  try {
    const { valid, errors } = validate(args, schema as Schema, "2020-12", undefined, false);
    if (valid) return [];
    const messages = errors
      .filter(({ keyword }) => !CONTAINERS.has(keyword))
      .map((error) => explain(error, schema, own));
    return messages.length === 0 ? ["the arguments do not match the tool's schema"] : [...new Set(messages)];
  } catch {
    // A name that is not well-formed Unicode fails here, for example.
    return ["the arguments cannot be checked against the tool's schema"];
  } finally {
    for (const name of own.keys()) delete formats[name];
  }
}

/** Keywords whose errors are explained by the errors nested within them. */
const CONTAINERS = new Set([
  "properties",
  "items",
  "prefixItems",
  "allOf",
  "additionalProperties",
  "propertyNames",
  "if",
  "dependentSchemas",
  "unevaluatedProperties",
  "unevaluatedItems",
]);

function explain(
  { instanceLocation, keyword, keywordLocation, error }: OutputUnit,
  schema: unknown,
  own: CompiledSchema["formats"],
): string {
  const name = nameOf(instanceLocation);
  if (keyword === "required" || keyword === "dependentRequired") return `${missing(error, name)} is required`;
  const value = keyword === "false" ? undefined : at(schema, keywordLocation);
  return `${name}${name === "" ? "the arguments " : " "}${sentence(keyword, value, own)}`;
}

function sentence(keyword: string, value: unknown, own: CompiledSchema["formats"]): string {
  const expected = JSON.stringify(value);
  switch (keyword) {
    case "type":
      return `must be ${[value]
        .flat()
        .map((type) => TYPES[String(type)] ?? type)
        .join(" or ")}`;
    case "enum":
      return `must be one of ${(value as unknown[])
        .map((one) => JSON.stringify(one))
        .join(", ")
        .slice(0, 500)}`;
    case "const":
      return `must be ${expected}`;
    case "format": {
      const pattern = own.get(String(value))?.pattern;
      return pattern === undefined ? `must be in the format ${value}` : `must match the pattern ${pattern}`;
    }
    case "minLength":
      return `must have at least ${expected} characters`;
    case "maxLength":
      return `must have at most ${expected} characters`;
    case "minimum":
      return `must be at least ${expected}`;
    case "maximum":
      return `must be at most ${expected}`;
    case "exclusiveMinimum":
      return `must be more than ${expected}`;
    case "exclusiveMaximum":
      return `must be less than ${expected}`;
    case "multipleOf":
      return `must be a multiple of ${expected}`;
    case "minItems":
      return `must have at least ${expected} items`;
    case "maxItems":
      return `must have at most ${expected} items`;
    case "uniqueItems":
      return "must not contain duplicate items";
    case "false":
      return "is unknown";
    default:
      return `does not meet ${keyword}`;
  }
}

const TYPES: Record<string, string> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

/** Converts a JSON pointer to a name: `#/items/0/sku` → `items.0.sku`. */
function nameOf(pointer: string): string {
  const name = steps(pointer).join(".");
  return name === "" ? "" : /^[\w.-]{1,100}$/.test(name) ? name : quote(name);
}

function steps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => decodeURI(step).replaceAll("%23", "#").replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the name of a missing property, which is the last name in the validator's message. */
function missing(error: string, within: string): string {
  const name = /"([^"]*)"\.?$/.exec(error)?.[1] ?? "a property";
  return within === "" ? name : `${within}.${name}`;
}

function at(schema: unknown, pointer: string): unknown {
  let found = schema;
  for (const step of steps(pointer)) found = (found as Record<string, unknown> | undefined)?.[step];
  return found;
}

function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, child) => sum + countValues(child), 1);
}
