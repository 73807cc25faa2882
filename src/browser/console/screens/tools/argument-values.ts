import { isObject } from "../../ui/json.ts";

/** How a value of a schema is entered: in a field of its type, from a few choices, or as JSON if nothing else fits. */
type ArgumentKind = "string" | "number" | "boolean" | "choice" | "array" | "object" | "json";

/** The parts of a schema that the form uses. */
interface ArgumentSchema {
  kind: ArgumentKind;
  description: string;
  /** For a number: whether only integers are allowed. */
  isWhole: boolean;
  choices: (string | number | boolean)[];
  /** For an object: its properties in order. */
  properties: { name: string; schema: unknown; isRequired: boolean }[];
  /** For a list: the type of its items. */
  items: unknown;
  minItems: number;
  minimum: number | undefined;
  maximum: number | undefined;
  maxLength: number | undefined;
  initial: unknown;
}

/** Reads a schema as far as the form supports it. */
export function readSchema(schema: unknown): ArgumentSchema {
  const described = isObject(schema) ? schema : {};
  const required = Array.isArray(described.required) ? described.required : [];
  const properties = isObject(described.properties) ? Object.entries(described.properties) : [];
  const choices = Array.isArray(described.enum) ? described.enum.filter(isChoice) : [];
  return {
    kind: kindOf(described, choices.length),
    description: typeof described.description === "string" ? described.description : "",
    isWhole: described.type === "integer",
    choices,
    properties: properties.map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) })),
    items: described.items,
    minItems: number(described.minItems) ?? 0,
    minimum: number(described.minimum),
    maximum: number(described.maximum),
    maxLength: number(described.maxLength),
    initial: described.default,
  };
}

function kindOf(schema: Record<string, unknown>, choices: number): ArgumentKind {
  if (Array.isArray(schema.enum)) return choices === schema.enum.length && choices > 0 ? "choice" : "json";
  switch (schema.type) {
    case "string":
    case "boolean":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return isObject(schema.items) ? "array" : "json";
    case "object":
      return isObject(schema.properties) ? "object" : "json";
    default:
      return "json";
  }
}

/** Returns the initial values of a form: defaults, and empty items for required lists. */
export function initialValue(schema: unknown, isRequired: boolean): unknown {
  const { kind, initial, properties, items, minItems } = readSchema(schema);
  if (initial !== undefined) return initial;
  if (kind === "array") return Array.from({ length: isRequired ? minItems : 0 }, () => initialValue(items, true));
  if (kind !== "object") return undefined;
  return Object.fromEntries(properties.map(({ name, schema, isRequired }) => [name, initialValue(schema, isRequired)]));
}

/** Returns the values to send, without optional ones that are empty. */
export function givenValue(schema: unknown, value: unknown, isRequired: boolean): unknown {
  const { kind, properties, items } = readSchema(schema);
  if (kind === "array" && Array.isArray(value)) {
    if (value.length === 0 && !isRequired) return undefined;
    return value.map((each) => givenValue(items, each, true));
  }
  if (kind === "object" && isObject(value)) {
    const given = properties
      .map(({ name, schema, isRequired }) => [name, givenValue(schema, value[name], isRequired)] as const)
      .filter(([, each]) => each !== undefined);
    return given.length > 0 || isRequired ? Object.fromEntries(given) : undefined;
  }
  return value === "" && !isRequired ? undefined : value;
}

const isChoice = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
