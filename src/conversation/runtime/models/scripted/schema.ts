import type { ModelTool } from "../model.ts";
import { spaced } from "./knowledge.ts";
import { cut, isFunctionWord } from "./words.ts";

/** What kind of words an argument is found by. */
export type ArgumentKind =
  | { of: "choice"; values: (string | number)[] }
  | { of: "boolean" }
  | { of: "number"; whole: boolean; minimum: number; maximum: number }
  | { of: "email" }
  | { of: "phone" }
  | { of: "date" }
  | { of: "moment" }
  | { of: "list" }
  /** Capital letters, exactly so many: a currency, a country. */
  | { of: "code"; letters: number }
  /** Something with digits in it: a number of an order, a reference. */
  | { of: "reference"; maxChars: number }
  /** A name or any other few words. */
  | { of: "words"; maxChars: number }
  /** What the caller tells, in whole sentences. */
  | { of: "prose"; maxChars: number };

/** An argument of a tool. */
export interface Argument {
  name: string;
  /** The name as it is spoken. */
  spoken: string;
  /** What it is asked for by: the name, or of a name like "at" what it stands for. */
  label: string;
  description: string;
  required: boolean;
  kind: ArgumentKind;
}

/** Most arguments of a tool that are looked at, and most characters of one in words. */
const MOST_ARGUMENTS = 50;
const MAX_CHARS = 500;
const MOST_CHOICES = 100;

/** What a name that is only a preposition stands for. */
const STANDS_FOR: Record<string, string> = {
  phone: "phone number",
  email: "email address",
  date: "day",
  moment: "time",
};

const object = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The values one argument of a tool may have, where it names them. */
export const choicesOf = (tool: ModelTool | undefined, name: string): unknown[] | null => {
  const values = object(object(object(tool?.parameters).properties)[name]).enum;
  return Array.isArray(values) ? values : null;
};

/** What a tool requires. */
export const requiredOf = (tool: ModelTool): unknown[] => list(object(tool.parameters).required);

/** A tool's arguments, the required ones first; null where one is required that words cannot give. */
export function argumentsOf(tool: ModelTool): Argument[] | null {
  const required = new Set(requiredOf(tool));
  const found: Argument[] = [];
  for (const [name, property] of Object.entries(object(object(tool.parameters).properties)).slice(0, MOST_ARGUMENTS)) {
    const schema = object(property);
    const description = typeof schema.description === "string" ? schema.description : "";
    const kind = kindOf(name, description, schema);
    const spoken = spaced(name) || name;
    const label = cut(isFunctionWord(spoken) ? (STANDS_FOR[kind?.of ?? ""] ?? spoken) : spoken, 60);
    if (kind) found.push({ name, spoken, label, description, required: required.has(name), kind });
    else if (required.has(name)) return null;
  }
  // A name that is required and not described is one that the tool does not explain.
  if ([...required].some((name) => !found.some((one) => one.name === name))) return null;
  return found.sort((a, b) => Number(b.required) - Number(a.required));
}

function kindOf(name: string, description: string, schema: Record<string, unknown>): ArgumentKind | null {
  const values = list(schema.enum).filter((value) => typeof value === "string" || typeof value === "number");
  if (values.length > 0) return { of: "choice", values: values.slice(0, MOST_CHOICES) };
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;
  if (type === "boolean") return { of: "boolean" };
  if (type === "integer" || type === "number") {
    const bound = (value: unknown, other: number) => (typeof value === "number" ? value : other);
    const minimum = bound(schema.minimum, Number.NEGATIVE_INFINITY);
    return {
      of: "number",
      whole: type === "integer",
      minimum,
      maximum: bound(schema.maximum, Number.POSITIVE_INFINITY),
    };
  }
  if (type === "array") return object(schema.items).type === "string" ? { of: "list" } : null;
  if (type !== "string" && type !== undefined) return null;
  return stringKind(spaced(name), description.toLowerCase(), schema);
}

function stringKind(name: string, description: string, schema: Record<string, unknown>): ArgumentKind {
  const { format, pattern } = schema;
  if (format === "email" || /\be ?mail\b/.test(name)) return { of: "email" };
  if (format === "date") return { of: "date" };
  if (format === "date-time") return { of: "moment" };
  const isPhone = /\b(?:phone|mobile|telephone)\b/.test(name) || description.includes("e.164");
  if ((typeof pattern === "string" && pattern.startsWith("^\\+")) || (isPhone && !description.includes("email"))) {
    return { of: "phone" };
  }
  const code = typeof pattern === "string" ? /^\^\[A-Z\]\{(\d)\}\$$/.exec(pattern) : null;
  if (code) return { of: "code", letters: Number(code[1]) };
  const maxChars =
    typeof schema.maxLength === "number" ? Math.min(Math.max(1, schema.maxLength), MAX_CHARS) : MAX_CHARS;
  if (/\b(?:number|id|code|reference|ref|sku|pin|zip|postcode)$/.test(name)) return { of: "reference", maxChars };
  if (/\b(?:body|message|description|notes?|comment|details|summary|reason|question|query|text)$/.test(name)) {
    return { of: "prose", maxChars };
  }
  return { of: "words", maxChars };
}
