import { dateIn, momentIn } from "./dates.ts";
import { spaced } from "./knowledge.ts";
import type { Argument, ArgumentKind } from "./schema.ts";
import { cut, isFunctionWord, plain, wordsOf } from "./words.ts";

/** Where arguments are looked for. */
export interface Source {
  /** What the caller said. */
  text: string;
  /** The session's variables by their spoken names. */
  variables: ReadonlyMap<string, string>;
  /** The number of whoever is on the line, E.164; null where there is none. */
  callerNumber: string | null;
}

/** Names that every session has a value for, which is not what a caller means by them. */
const NOT_FROM_VARIABLES = new Set(["date", "time", "weekday", "direction"]);
const CALLERS_OWN =
  /^(?:(?:the )?(?:caller|customer|callers|customers) )?(?:phone|mobile|telephone)(?: number)?$|^caller(?: number)?$/;
const E164 = /^\+[1-9]\d{6,14}$/;
const EMAIL = /[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}/gi;
const SPOKEN_EMAIL = /\b([a-z0-9._-]{1,64}) at ([a-z0-9-]{1,63}) dot ([a-z]{2,10})\b/i;
const PHONE = /(?:\+|\b00)\d[\d\s().-]{5,24}\d/g;
const NUMBER = /(?<![\p{L}\p{N}.-])-?\d{1,15}(?:\.\d{1,6})?(?![\p{L}\p{N}-])/gu;
const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}/#_-]{0,63}/gu;
const QUOTED = /"([^"]{1,500})"|“([^“”]{1,500})”|«([^«»]{1,500})»|(?<![\p{L}\p{N}])'([^']{1,500})'(?![\p{L}\p{N}])/gu;
const DATES = /\b\d{4}-\d{2}-\d{2}(?:t[\d:.]{2,15}(?:z|[+-]\d{2}:?\d{2})?)?/gi;
const COUNTED = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const LEAD_IN =
  /^(?:(?:um+|uh+|well|so|ok|okay|sure|yes|yeah|right|of course|certainly|please)[,. ]+)*(?:(?:(?:it|that|this)(?:'s|’s| is| would be| will be)|(?:my|the|our) [\p{L} ]{1,40}? (?:is|are)|i am|i'm|i’m)[:,]? +)?/iu;

/** The arguments that can be found without having been asked for, by name. */
export function findArguments(wanted: Argument[], source: Source): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const quotes = [...source.text.matchAll(QUOTED)].map((one) => one[1] ?? one[2] ?? one[3] ?? one[4] ?? "");
  const seen = new Map<string, number>();
  for (const argument of wanted) {
    const { name, kind, required } = argument;
    const named = namedValue(argument, wanted, source);
    // Two arguments of one kind are found in the order in which they are said.
    const nth = seen.get(kind.of) ?? 0;
    const value = named ?? (required || kind.of === "email" ? typedValue(kind, source, nth) : undefined);
    if (value !== undefined) {
      found.set(name, value);
      if (named === undefined) seen.set(kind.of, nth + 1);
      continue;
    }
    const quote = required && isText(kind) ? quotes.shift() : undefined;
    const given = quote ?? fromSession(argument, source);
    const fitting = given === undefined ? undefined : fitted(kind, given, source);
    if (fitting !== undefined) found.set(name, fitting);
  }
  return found;
}

/** What the caller answers to being asked for an argument; undefined where it is none. */
export function answerFor({ kind }: Argument, source: Source): unknown {
  const typed = typedValue(kind, source, 0);
  if (typed !== undefined) return typed;
  const said = plain(source.text);
  if (kind.of === "boolean") {
    if (/^(?:no|nope|nah|not|without|false|never)\b/.test(said)) return false;
    return /^(?:yes|yeah|yep|sure|ok|okay|of course|please|true|with|correct|right)\b/.test(said) ? true : undefined;
  }
  if (!isText(kind)) return undefined;
  const words = source.text.trim().replace(LEAD_IN, "");
  // A reference without a digit may be spelled, or a word or two; a sentence is none.
  if (kind.of === "reference" && wordsOf(words).length > 2 && /\p{L}{2}/u.test(words)) return undefined;
  return fitted(kind, words, source);
}

/** A tool's only argument in words, as it follows the tool's name: "the weather in Paris". */
export function topicOf(text: string, toolWords: string[], kind: ArgumentKind): string | undefined {
  if (!isText(kind) || kind.of === "reference") return undefined;
  const last = Math.max(...toolWords.map((word) => text.toLowerCase().lastIndexOf(word)));
  if (!(last >= 0)) return undefined;
  const topic = /\b(?:for|about|in|at|of|on|named|called) ([\p{L}\p{N}][^.?!;\n]{0,200})/iu.exec(text.slice(last))?.[1];
  return topic === undefined ? undefined : trimmed(topic.replace(/^(?:the|my|our|an?) /i, ""), 200);
}

function namedValue(argument: Argument, wanted: Argument[], source: Source): unknown {
  const { spoken, kind } = argument;
  if (kind.of === "boolean") {
    const at = nameIn(spoken).exec(source.text);
    if (!at) return undefined;
    return !/\b(?:no|not|without|don't|don’t)(?: \p{L}{1,10})?\s*$/iu.test(source.text.slice(0, at.index).slice(-40));
  }
  const at = nameIn(spoken).exec(source.text) ?? (kind.of === "reference" ? shortName(spoken).exec(source.text) : null);
  if (!at) return undefined;
  const rest = source.text.slice(at.index + at[0].length, at.index + at[0].length + 600);
  const lead = /^\s*(?:(is|was|of|as|to|number|no\.)\s+|[:=,#]\s*)*/i.exec(rest)?.[0] ?? "";
  const value = rest.slice(lead.length);
  const quote = /^["“«']([^"”»']{1,500})["”»']/.exec(value)?.[1];
  if (quote !== undefined) return fitted(kind, quote, source);
  switch (kind.of) {
    case "reference": {
      const token = value.match(TOKEN)?.[0] ?? "";
      return value.startsWith(token) && /\d/.test(token) ? cut(token, kind.maxChars) : undefined;
    }
    case "words": {
      // A name like "to" is in most sentences; what it introduces is then a name of its own.
      if (isFunctionWord(spoken) && !/^[\p{Lu}\d]/u.test(value)) return undefined;
      const others = wanted.filter((one) => one !== argument).map((one) => escaped(one.spoken));
      const end = new RegExp(
        `[,.;?!\\n"]|\\b(?:and|with|for|please${others.map((name) => `|${name}`).join("")})\\b`,
        "iu",
      );
      return trimmed(value.split(end, 1)[0] ?? "", Math.min(kind.maxChars, 80));
    }
    case "prose":
      return /(?:is|was|:|=)\s*$/i.test(lead) ? trimmed(value, kind.maxChars) : undefined;
    default:
      return typedValue(kind, { text: value.slice(0, 120), variables: source.variables, callerNumber: null }, 0);
  }
}

/** A value that its form tells from other words. */
function typedValue(kind: ArgumentKind, { text, variables }: Source, nth: number): unknown {
  const said = plain(text);
  switch (kind.of) {
    case "choice":
      return choiceIn(kind.values, ` ${wordsOf(text).join(" ")} `);
    case "email": {
      // Where the sign of one is missing there is no need to look closely.
      const spoken = / dot /i.test(text) ? SPOKEN_EMAIL.exec(text) : null;
      if (!text.includes("@") && !spoken) return undefined;
      return text.match(EMAIL)?.[nth] ?? (spoken && nth === 0 ? `${spoken[1]}@${spoken[2]}.${spoken[3]}` : undefined);
    }
    case "phone":
      return [...text.matchAll(PHONE)].map(([number]) => e164(number)).filter((number) => number !== undefined)[nth];
    case "date":
      return (nth === 0 ? dateIn(said, variables.get("date")) : null) ?? undefined;
    case "moment":
      return (nth === 0 ? momentIn(said, variables.get("date")) : null) ?? undefined;
    case "number":
      return numbersIn(text).filter((number) => isWithin(kind, number))[nth];
    case "code":
      return text.match(new RegExp(`(?<![\\p{L}\\p{N}])[A-Z]{${kind.letters}}(?![\\p{L}\\p{N}])`, "gu"))?.[nth];
    case "reference": {
      const tokens = withoutForms(text).match(TOKEN) ?? [];
      const token = tokens.filter((one) => /\d/.test(one) && one.length > 1)[nth];
      return token === undefined ? undefined : cut(token, kind.maxChars);
    }
    default:
      return undefined;
  }
}

/** What is said or stored, as the kind's value; undefined where it is none. */
function fitted(kind: ArgumentKind, text: string, source: Source): unknown {
  if (!isText(kind)) return typedValue(kind, { text, variables: source.variables, callerNumber: null }, 0);
  if (kind.of === "list") {
    const items = text.split(/,|;| and /).flatMap((item) => trimmed(item, 200) ?? []);
    return items.length > 0 ? items.slice(0, 20) : undefined;
  }
  return trimmed(text, kind.maxChars);
}

function fromSession({ spoken, kind }: Argument, { variables, callerNumber }: Source): string | undefined {
  const value = NOT_FROM_VARIABLES.has(spoken) ? undefined : variables.get(spoken);
  if (value !== undefined && value !== "") return value;
  return kind.of === "phone" && callerNumber !== null && CALLERS_OWN.test(spoken) ? callerNumber : undefined;
}

type TextKind = Extract<ArgumentKind, { of: "words" | "prose" | "reference" | "list" }>;
/** Whether any words of the caller's will do. */
export const isText = (kind: ArgumentKind): kind is TextKind =>
  ["words", "prose", "reference", "list"].includes(kind.of);

function choiceIn(values: (string | number)[], words: string): string | number | undefined {
  const said = values
    .map((value) => ({ value, at: words.indexOf(` ${wordsOf(spaced(String(value))).join(" ")} `) }))
    .filter(({ at }) => at >= 0);
  // "not urgent" before "urgent" where both are values and begin at the same place.
  return said.sort((a, b) => a.at - b.at || String(b.value).length - String(a.value).length)[0]?.value;
}

function e164(number: string): string | undefined {
  const digits = number.replace(/\D/g, "");
  const whole = `+${number.startsWith("00") ? digits.slice(2) : digits}`;
  return E164.test(whole) ? whole : undefined;
}

function numbersIn(text: string): number[] {
  const figures =
    withoutForms(text)
      .replace(/(\d),(\d{3})\b/g, "$1$2")
      .match(NUMBER) ?? [];
  if (figures.length > 0) return figures.map(Number);
  return wordsOf(text)
    .map((word) => COUNTED.indexOf(word))
    .filter((number) => number >= 0);
}

const isWithin = (kind: Extract<ArgumentKind, { of: "number" }>, number: number): boolean =>
  number >= kind.minimum && number <= kind.maximum && (!kind.whole || Number.isInteger(number));

/** Without what has digits and is neither a number nor a reference. */
const withoutForms = (text: string): string =>
  (text.includes("@") ? text.replace(EMAIL, " ") : text)
    .replace(PHONE, " ")
    .replace(DATES, " ")
    .replace(/\b\d{1,2}:\d{2}\b/g, " ");

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replaceAll(" ", "[\\s_-]+");
const nameIn = (spoken: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(spoken)}(?![\\p{L}\\p{N}])`, "iu");
/** "order" for an order number. */
const shortName = (spoken: string): RegExp => nameIn(spoken.replace(/ (?:number|id|code|reference|ref|sku|pin)$/, ""));

function trimmed(text: string, maxChars: number): string | undefined {
  const value = text
    .replace(/\s+/g, " ")
    .replace(/[\s,.!]+please[\s.!?]*$/i, "")
    .replace(/^[\s,:;"“'.-]+|[\s,:;"”'.?!]+$/g, "");
  return /[\p{L}\p{N}]/u.test(value) ? value.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "") : undefined;
}
