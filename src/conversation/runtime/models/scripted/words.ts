import { COMMON_WORDS, ENDINGS, FUNCTION_WORDS, SAME } from "./phrases.ts";

/** Most characters of one turn that are read, half of them from its beginning, half from its end. */
const READ_CHARS = 4_000;

/** What is read of a turn. */
export function read(text: string): string {
  return text.length <= READ_CHARS ? text : `${text.slice(0, READ_CHARS / 2)} ${text.slice(-READ_CHARS / 2)}`;
}

/** The words of a text in order, in small letters, without accents and apostrophes. */
export function wordsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
  return plain.replace(/['’‘`´]+/g, "").match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The root of a word, near enough for one form of it to find another. */
export function stem(word: string): string {
  const ending = word.length < 4 || word.length > 40 ? undefined : ENDINGS.find((one) => endsIn(word, one));
  if (ending === undefined) return SAME.get(word) ?? word;
  const root = word.slice(0, -ending.length).replace(/([^aeious])\1$/, "$1");
  return SAME.get(root) ?? root;
}

/** "address" and "business" are no plurals. */
const endsIn = (word: string, ending: string): boolean =>
  word.endsWith(ending) && word.length - ending.length >= 3 && !(/^e?s$/.test(ending) && /sse?s?$/.test(word));

/** The roots of a text's words, without those that only hold it together. */
export const rootsOf = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !FUNCTION_WORDS.has(word))
    .map(stem);

const COMMON_ROOTS = new Set([...COMMON_WORDS].map(stem));
export const isCommonRoot = (root: string): boolean => COMMON_ROOTS.has(root);

/** A name as it is spoken: `order_number` is "order number". */
export const spaced = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[\s_.-]+/g, " ")
    .trim()
    .toLowerCase();

/** The first sentences of a text that may be markdown, as one would say them. */
export function firstSentences(text: string, most: number, maxChars: number): string {
  const prose = text
    .slice(0, 4_000)
    .split("\n")
    .map((line) => line.trim().replace(/^([-*+>]|\d{1,3}[.)])\s+/, ""))
    .filter((line) => line !== "" && !/^(#|---|===|```|\||<)/.test(line))
    .map((line) => (/[.!?:;,…”"]$/.test(line) ? line : `${line}.`))
    .join(" ")
    .replace(/\[([^\][]{1,200})\]\([^()\s]{1,400}\)/g, "$1")
    .replace(/[*`]+/g, "")
    .replace(/\s+/g, " ");
  return cut(
    prose
      .split(/(?<=[.!?…][”"')]?)\s+(?=\S)/)
      .slice(0, most)
      .join(" "),
    maxChars,
  );
}

/** At most so many characters, ending with a whole word and a mark where something is left out. */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, maxChars - 1);
  const space = head.lastIndexOf(" ");
  const kept = space > maxChars / 2 ? head.slice(0, space) : head;
  return `${kept.replace(/[\uD800-\uDBFF]$/, "").replace(/[\s,;:.]+$/, "")}…`;
}

/** "a", "a and b", "a, b and c"; `last` is the word before the last. */
export function listed(items: string[], last = "and"): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`;
}

/** A text with the values of its names in braces. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
