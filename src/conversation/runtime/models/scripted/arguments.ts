import { isObject } from "../../../../kernel/objects.ts";
import type { ModelTool } from "../model.ts";
import { FUNCTION_WORDS, LABELS } from "./phrases.ts";
import { cut, spaced, wordsOf } from "./words.ts";

type Kind = "choice" | "boolean" | "number" | "email" | "phone" | "date" | "moment" | "reference" | "words";

/** An argument of a tool. */
export interface Argument {
  name: string;
  /** The name as it is spoken, and what the argument is asked for by. */
  spoken: string;
  label: string;
  description: string;
  required: boolean;
  kind: Kind;
  choices: (string | number)[];
  minimum: number;
  maximum: number;
}

/** Where arguments are looked for: the caller's words, and what the session knows. */
export interface Source {
  text: string;
  variables: ReadonlyMap<string, string>;
  /** The number of whoever is on the line; null where there is none. */
  callerNumber: string | null;
}

const MAX_ARGUMENTS = 50;
const MAX_CHARS = 500;
/** Kinds that are told from other words by their form, those first that others could be taken from. */
const FORMS: Kind[] = ["email", "phone", "moment", "date", "choice", "boolean", "number", "reference", "words"];
const EMAIL = /[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}/i;
const PHONE = /(?:\+|\b00)\d[\d\s().-]{5,24}\d/;
const NUMBER = /(?<![\p{L}\p{N}.-])-?\d{1,15}(?:\.\d{1,6})?(?![\p{L}\p{N}-])/gu;
const REFERENCE = /[\p{L}\p{N}#][\p{L}\p{N}/#_-]{0,63}/gu;
const QUOTED = /"([^"]{1,500})"|“([^“”]{1,500})”/g;
const DATE = /\b\d{4}-\d{2}-\d{2}(?!\d)/;
const MOMENT = /\b(\d{4}-\d{2}-\d{2})(?:[t ]| at )(\d{2}:\d{2})(:\d{2})?(z|[+-]\d{2}:\d{2})?/i;
const LEAD_IN =
  /^(?:(?:well|so|ok|okay|sure|yes|yeah|please)[,. ]+)*(?:(?:it|that|this)(?:'s|’s| is) |(?:my|the) [\p{L} ]{1,40}? (?:is|are) |i am |i['’]m )?/iu;

const object = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** What a tool requires, and the values that one of its arguments may have. */
export function requiredOf({ parameters }: ModelTool): unknown[] {
  const { required } = object(parameters);
  return Array.isArray(required) ? required : [];
}
export function choicesOf(tool: ModelTool, name: string): unknown[] | null {
  const values = object(object(object(tool.parameters).properties)[name]).enum;
  return Array.isArray(values) ? values : null;
}

/** A tool's arguments, the required first; null where it requires what cannot be said. */
export function argumentsOf(tool: ModelTool): Argument[] | null {
  const required = new Set(requiredOf(tool));
  const found: Argument[] = [];
  for (const [name, property] of Object.entries(object(object(tool.parameters).properties)).slice(0, MAX_ARGUMENTS)) {
    const { enum: values, minimum, maximum, description } = object(property);
    const choices = Array.isArray(values) ? values.filter((one) => ["string", "number"].includes(typeof one)) : [];
    const kind = choices.length > 0 ? "choice" : kindOf(spaced(name), object(property));
    if (kind === null) continue;
    const spoken = spaced(name) || name;
    found.push({
      name,
      spoken,
      label: cut(FUNCTION_WORDS.has(spoken) ? (LABELS[kind] ?? spoken) : spoken, 60),
      description: typeof description === "string" ? description : "",
      required: required.has(name),
      kind,
      choices: choices.slice(0, 100),
      minimum: typeof minimum === "number" ? minimum : Number.NEGATIVE_INFINITY,
      maximum: typeof maximum === "number" ? maximum : Number.POSITIVE_INFINITY,
    });
  }
  const names = new Set<unknown>(found.map(({ name }) => name));
  return [...required].every((name) => names.has(name))
    ? found.sort((a, b) => Number(b.required) - Number(a.required))
    : null;
}

function kindOf(spoken: string, { type, format, pattern, description }: Record<string, unknown>): Kind | null {
  if (type === "boolean") return "boolean";
  if (type === "integer" || type === "number") return "number";
  if (type !== "string" && type !== undefined) return null;
  if (format === "email" || /\be ?mail\b/.test(spoken)) return "email";
  if (format === "date") return "date";
  if (format === "date-time") return "moment";
  const isPhone = /\b(?:phone|mobile|telephone)\b/.test(spoken) || /e\.164/i.test(String(description));
  if (isPhone || (typeof pattern === "string" && pattern.startsWith("^\\+"))) return "phone";
  return /\b(?:number|id|code|reference|ref|sku|pin|zip)$/.test(spoken) ? "reference" : "words";
}

/** The arguments that can be found without having been asked for, by name. */
export function findArguments(wanted: Argument[], source: Source): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const quotes = [...source.text.matchAll(QUOTED)].map((one) => one[1] ?? one[2] ?? "");
  let text = source.text;
  for (const argument of [...wanted].sort((a, b) => FORMS.indexOf(a.kind) - FORMS.indexOf(b.kind))) {
    const { name, kind, required, spoken } = argument;
    let value = namedValue(argument, source);
    if (value === undefined && (required || kind === "email")) {
      const typed = typedValue(argument, text);
      value = typed?.value;
      // What one argument took is no value of another.
      if (typed) text = text.replace(typed.said, " ");
    }
    if (value === undefined && required && kind === "words") value = quotes.shift();
    const known = source.variables.get(spoken) || (isCallersOwn(argument) ? source.callerNumber : null);
    if (value === undefined && known) value = kind === "words" ? known : typedValue(argument, known)?.value;
    if (value !== undefined) found.set(name, value);
  }
  return new Map(wanted.flatMap(({ name }) => (found.has(name) ? [[name, found.get(name)]] : [])));
}

/** What the caller answers to being asked for an argument; undefined where it is none. */
export function answerFor(argument: Argument, source: Source): unknown {
  const { kind } = argument;
  const typed = typedValue(argument, source.text)?.value;
  if (typed !== undefined) return typed;
  if (kind === "boolean")
    return /^\W*(?:(no|nope|not|without|false)|yes|yeah|sure|ok|true|with)\b/i.test(source.text)
      ? !/^\W*(?:no|nope|not|without|false)\b/i.test(source.text)
      : undefined;
  const words = source.text.trim().replace(LEAD_IN, "");
  const isShort = wordsOf(words).length <= 2;
  return kind === "words" || (kind === "reference" && isShort) ? trimmed(words, MAX_CHARS) : undefined;
}

/** A tool's only argument, as it follows the tool's name: "the weather in Paris". */
export function topicOf(text: string, tool: string): string | undefined {
  const last = Math.max(...wordsOf(spaced(tool)).map((word) => text.toLowerCase().lastIndexOf(word)));
  const topic =
    last < 0 ? null : /\b(?:for|about|in|at|of|on|named) ([\p{L}\p{N}][^.?!;\n]{0,200})/iu.exec(text.slice(last));
  return topic?.[1] === undefined ? undefined : trimmed(topic[1], 200);
}

/** What follows the argument's name. */
function namedValue(argument: Argument, source: Source): unknown {
  const { spoken, kind } = argument;
  const names = kind === "reference" ? [spoken, spoken.replace(/ (?:number|id|code)$/, "")] : [spoken];
  const at = names.map((name) => nameIn(name).exec(source.text)).find((one) => one !== null);
  if (!at) return undefined;
  if (kind === "boolean")
    return !/\b(?:no|not|without|don['’]t)(?: \p{L}+)?\s*$/iu.test(source.text.slice(0, at.index).slice(-40));
  const rest = source.text.slice(at.index + at[0].length).slice(0, MAX_CHARS);
  const lead = /^\s*(?:(?:is|was|of|as|to|number)\s+|[:=,#]\s*)*/i.exec(rest)?.[0] ?? "";
  const value = rest.slice(lead.length);
  const quote = /^["“]([^"”]{1,500})["”]/.exec(value)?.[1];
  if (kind === "reference") {
    const token = value.match(REFERENCE)?.[0] ?? "";
    return quote ?? (value.startsWith(token) && /\d/.test(token) ? token : undefined);
  }
  if (kind !== "words") return typedValue(argument, value.slice(0, 120))?.value;
  // A name like "to" is in most sentences; what it introduces is then a name of its own.
  if (quote === undefined && FUNCTION_WORDS.has(spoken) && !/^[\p{Lu}\d]/u.test(value)) return undefined;
  return quote ?? trimmed(value.split(/[,.;?!\n"]|\b(?:and|with|for|please)\b/i, 1)[0] ?? "", 80);
}

/** A value that its form tells from other words, and the words that were it. */
function typedValue(argument: Argument, text: string): { value: unknown; said: string } | null {
  const of = (said: string | undefined, value: unknown = said) =>
    said === undefined || value === undefined ? null : { value, said };
  switch (argument.kind) {
    case "choice": {
      const words = ` ${wordsOf(text).join(" ")} `;
      const at = (one: string | number) => words.indexOf(` ${wordsOf(spaced(String(one))).join(" ")} `);
      const [first] = argument.choices
        .filter((one) => at(one) >= 0)
        .sort((a, b) => at(a) - at(b) || String(b).length - String(a).length);
      return of(first === undefined ? undefined : "", first);
    }
    case "email":
      return of(text.includes("@") ? EMAIL.exec(text)?.[0] : undefined);
    case "phone": {
      const said = PHONE.exec(text)?.[0];
      const digits = said?.replace(/\D/g, "").replace(/^00/, "") ?? "";
      return of(said, /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : undefined);
    }
    case "date": {
      const said = DATE.exec(text)?.[0];
      return of(said, Number.isNaN(Date.parse(said ?? "")) ? undefined : said);
    }
    case "moment": {
      const [said, date, time, seconds = ":00", offset = "Z"] = MOMENT.exec(text) ?? [];
      const value = `${date}T${time}${seconds}${offset.toUpperCase()}`;
      return of(said, Number.isNaN(Date.parse(value)) ? undefined : value);
    }
    case "number": {
      const said = text
        .match(NUMBER)
        ?.find((one) => Number(one) >= argument.minimum && Number(one) <= argument.maximum);
      return of(said, Number(said));
    }
    case "reference":
      return of(text.match(REFERENCE)?.find((one) => /\d/.test(one) && one.length > 1));
    default:
      return null;
  }
}

const isCallersOwn = ({ kind, spoken }: Argument): boolean =>
  kind === "phone" && /^(?:(?:caller|customer)s? )?(?:phone|mobile|telephone)(?: number)?$/.test(spoken);

function trimmed(text: string, maxChars: number): string | undefined {
  const value = text
    .trim()
    .replace(/^["“'(]+|["”')\s.,;:!?]+$/gu, "")
    .replace(/[\s,]+please$/i, "")
    .trim();
  return /[\p{L}\p{N}]/u.test(value) ? cut(value, maxChars) : undefined;
}

const nameIn = (spoken: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${spoken.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replaceAll(" ", "[\\s_-]+")}(?![\\p{L}\\p{N}])`,
    "iu",
  );
