import { isObject } from "../../ui/json.ts";
/** The types that the form offers. `json` is a parameter that the form doesn't change. */
export const PARAMETER_TYPES = ["string", "number", "integer", "boolean", "array", "object", "json"] as const;
type ParameterType = (typeof PARAMETER_TYPES)[number];

export interface ParameterRow {
  name: string;
  type: ParameterType;
  description: string;
  required: boolean;
  /** The allowed values; empty for any. */
  choices: string[];
  /** The other keywords of its schema, unchanged. */
  rest: Record<string, unknown>;
}

/** A schema as the form shows it. */
interface SchemaRows {
  rows: ParameterRow[];
  /** The other keywords of the schema, unchanged. */
  rest: Record<string, unknown>;
}

export const emptyRow = (): ParameterRow => ({
  name: "",
  type: "string",
  description: "",
  required: true,
  choices: [],
  rest: {},
});

/**
 * Returns the rows of a schema; undefined if only JSON can express it, because it is more than an object with
 * properties.
 */
export function rowsOf(schema: unknown): SchemaRows | undefined {
  if (!isObject(schema)) return undefined;
  const { type = "object", properties = {}, required = [], ...rest } = schema;
  if (type !== "object" || !isObject(properties) || !isTexts(required)) return undefined;
  if (required.some((name) => !Object.hasOwn(properties, name))) return undefined;
  const rows = Object.entries(properties).map(([name, property]) => rowOf(name, property, required.includes(name)));
  return rows.includes(undefined) ? undefined : { rows: rows.filter((row) => row !== undefined), rest };
}

function rowOf(name: string, property: unknown, required: boolean): ParameterRow | undefined {
  if (!isObject(property)) return undefined;
  const { type, description, enum: choices, ...others } = property;
  const listedType = PARAMETER_TYPES.find((each) => each === type && each !== "json");
  if (listedType === undefined || (description !== undefined && typeof description !== "string"))
    return { name, type: "json", description: "", required, choices: [], rest: property };
  const row = { name, type: listedType, description: description ?? "", required };
  if (choices === undefined) return { ...row, choices: [], rest: others };
  if (isChoices(listedType, choices)) return { ...row, choices: choices.map(String), rest: others };
  return { ...row, choices: [], rest: { enum: choices, ...others } };
}

/** Returns the schema for the rows. Rows without a name are left out and can't be saved. */
export function schemaOf({ rows, rest }: SchemaRows): Record<string, unknown> {
  const named = rows.filter(({ name }) => name !== "");
  const required = named.filter((row) => row.required).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(named.map((row) => [row.name, propertyOf(row)])),
    ...(required.length > 0 && { required }),
    ...rest,
  };
}

function propertyOf({ type, description, choices, rest }: ParameterRow): Record<string, unknown> {
  if (type === "json") return rest;
  const isNumber = type === "number" || type === "integer";
  return {
    type,
    ...(description !== "" && { description }),
    ...(takesChoices(type) && choices.length > 0 && { enum: isNumber ? choices.map(Number) : choices }),
    ...rest,
  };
}

/** Checks whether a type can have allowed values. */
export const takesChoices = (type: ParameterType): boolean =>
  type === "string" || type === "number" || type === "integer";

/** Checks whether a text can be an allowed value of this type. */
export const isChoiceOf =
  (type: ParameterType) =>
  (choice: string): boolean =>
    type === "string" || Number.isFinite(Number(choice));

function isChoices(type: ParameterType, value: unknown): value is (string | number)[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  if (type === "string") return value.every((each) => typeof each === "string" && each !== "");
  return takesChoices(type) && value.every((each) => typeof each === "number");
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
