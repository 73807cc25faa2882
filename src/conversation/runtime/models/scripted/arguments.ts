import { isObject } from "../../../../kernel/objects.ts";
import type { ModelTool } from "../model.ts";
import { FUNCTION_WORDS, TOPIC } from "./phrases.ts";
import { cut, spaced, wordsOf } from "./words.ts";

type Kind = "email" | "phone" | "moment" | "date" | "choice" | "number" | "reference" | "words";

/** An argument of a tool that a caller can say. */
export interface Argument {
  name: string;
  label: string;
  required: boolean;
  kind: Kind;
  choices: (string | number)[];
}

const MAX_ARGUMENTS = 50;
/** How schemas and names identify each kind, and the form of its values. More specific kinds come first. */
const FORMS: Record<Kind, { hint?: RegExp; value?: RegExp }> = {
  email: {
    hint: /\be ?mail\b/,
    value: /[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}/i,
  },
  phone: { hint: /\b(?:phone|mobile|telephone)\b|\^\\\+/, value: /(?:\+|\b00)[1-9](?:[\s().-]{0,2}\d){6,14}(?!\d)/ },
  moment: { hint: /^date-time/, value: /\b\d{4}-\d{2}-\d{2}(?:[t ]| at )\d{2}:\d{2}/i },
  date: { hint: /^date /, value: /\b\d{4}-\d{2}-\d{2}(?!\d)/ },
  choice: {},
  number: { value: /(?<![\p{L}\p{N}.+-])-?\d{1,15}(?:\.\d{1,6})?(?![\p{L}\p{N}-])/u },
  reference: {
    hint: /\b(?:number|id|code|reference|ref|sku|pin|zip) /,
    value: /(?<![\p{L}\p{N}#/_-])(?=[\p{L}#/_-]{0,63}\d)[\p{L}\p{N}#][\p{L}\p{N}/#_-]{1,63}/u,
  },
  words: { hint: /^/ },
};
const QUOTED = /["“]([^"“”]{1,500})["”]/g;
const KINDS = Object.keys(FORMS) as Kind[];

const fieldsOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns the names of a tool's required arguments, or the allowed values of an argument. */
export const requiredBy = ({ parameters }: ModelTool): unknown[] => listOf(fieldsOf(parameters).required);
export const choicesOf = ({ parameters }: ModelTool, name: string): unknown[] =>
  listOf(fieldsOf(fieldsOf(fieldsOf(parameters).properties)[name]).enum);

/** Returns a tool's spoken arguments; null if it requires one that cannot be said, such as a list. */
export function argumentsOf(tool: ModelTool): Argument[] | null {
  const required = new Set(requiredBy(tool));
  const properties = Object.entries(fieldsOf(fieldsOf(tool.parameters).properties)).slice(0, MAX_ARGUMENTS);
  const found = properties.flatMap(([name, property]): Argument[] => {
    const isSpeakable = (one: unknown) => typeof one === "string" || typeof one === "number";
    const choices = choicesOf(tool, name).filter(isSpeakable);
    const spoken = cut(spaced(name) || name, 60);
    const kind = choices.length > 0 ? "choice" : kindOf(spoken, fieldsOf(property));
    // A name like "to" says less than the kind.
    const label = kind && FUNCTION_WORDS.has(spoken) ? kind : spoken;
    return kind ? [{ name, label, required: required.has(name), kind, choices }] : [];
  });
  return [...required].every((name) => found.some((one) => one.name === name)) ? found : null;
}

function kindOf(spoken: string, { type: given = "string", format, pattern }: Record<string, unknown>): Kind | null {
  // A nullable argument is spoken like any other.
  const [type] = [given].flat().filter((one) => one !== "null");
  if (type === "integer" || type === "number") return "number";
  const hint = `${textOf(format)} ${spoken} ${textOf(pattern)}`.trimStart();
  return type === "string" ? (KINDS.find((kind) => FORMS[kind].hint?.test(hint)) ?? null) : null;
}

/** Finds values for arguments, by name, in a text or otherwise in the session's variables. */
export function findValues(
  wanted: Argument[],
  text: string,
  variables: ReadonlyMap<string, string>,
): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const isOnly = wanted.filter(({ required }) => required).length === 1;
  let rest = text;
  for (const argument of [...wanted].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))) {
    const { name, kind, required } = argument;
    let value = namedValue(argument, text) ?? (required ? valueIn(argument, rest) : undefined);
    // A value that was assigned to one argument is not used for another.
    const isVerbatim = rest.includes(String(value));
    if (value !== undefined) rest = rest.replace(isVerbatim ? String(value) : (FORMS[kind].value ?? ""), " ");
    if (value === undefined && required && isOnly && kind === "words") value = trimmed(TOPIC.exec(text)?.[1] ?? "");
    const variable = variables.get(spaced(name));
    if (value === undefined && variable) value = kind === "words" ? variable : valueIn(argument, variable);
    if (value !== undefined) found.set(name, value);
  }
  return found;
}

/** Returns the value that follows the argument's name. */
function namedValue(argument: Argument, text: string): unknown {
  const { label, kind } = argument;
  const name = label.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replaceAll(" ", "[\\s_-]+");
  const at = new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, "iu").exec(text);
  if (!at) return undefined;
  const value = text.slice(at.index + at[0].length).slice(0, 500);
  if (kind !== "words") return valueIn(argument, value.split(/[,;\n]/, 1)[0] ?? "");
  const words = value.replace(/^\s*(?:(?:is|was|of|as|to|number)\s+|[:=,#]\s*)*/i, "");
  if (/^["“]/.test(words)) return valueIn(argument, words);
  return trimmed(words.split(/[,.;?!\n"“]|\b(?:and|with|for|please)\b/i, 1)[0] ?? "")?.slice(0, 80);
}

/** Returns the first value in a text that has the argument's form. */
function valueIn({ kind, choices }: Argument, text: string): unknown {
  if (kind === "choice") {
    const words = ` ${wordsOf(text).join(" ")} `;
    return choices.find((choice) => words.includes(` ${wordsOf(spaced(String(choice))).join(" ")} `));
  }
  if (kind === "words") return [...text.matchAll(QUOTED)].map(([, one = ""]) => trimmed(one)).find(Boolean);
  const value = FORMS[kind].value?.exec(text)?.[0];
  if (value === undefined) return undefined;
  if (kind === "number") return Number(value);
  if (kind === "phone") return `+${value.replace(/\D/g, "").replace(/^00/, "")}`;
  if (kind !== "date" && kind !== "moment") return value;
  const iso = kind === "date" ? value : `${value.replace(/[t ].*?(?=\d{2}:)/i, "T")}:00Z`;
  return Number.isNaN(Date.parse(iso)) ? undefined : iso;
}

function trimmed(text: string): string | undefined {
  const value = text.trim().replace(/^["“'(]+|(?:[\s,]+please)?["”')\s.,;:!?]+$|[\s,]+please$/giu, "");
  return /[\p{L}\p{N}]/u.test(value) ? value.slice(0, 500) : undefined;
}
