import { COMMON_WORDS, FUNCTION_WORDS } from "./phrases.ts";

const ENDING = /(?<=.{3})(?:ations?|ments?|ings?|ions?|ies|ed|ly|es|(?<!s)s|y|e)$/;

/** Returns the words of a text in order, in lower case, without accents and apostrophes. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\p{M}'’‘`´]+/gu, "")
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns an approximate root, so that forms of a word match each other. */
const rootOf = (word: string): string => word.replace(ENDING, "").replace(/([^aeious])\1$/, "$1");

/** Returns the roots of a text's words without function words. */
export const rootsOf = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !FUNCTION_WORDS.has(word))
    .flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : [rootOf(word)]));

/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}]/u;

/** Returns each two adjacent characters, which are compared in scripts without spaces. */
function pairsOf(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

const COMMON_ROOTS = new Set([...COMMON_WORDS].map(rootOf));
export const isCommon = (root: string): boolean => COMMON_ROOTS.has(root);

/** Returns a name as it is spoken: `order_number` is "order number". */
export const spaced = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[\s_.-]+/g, " ")
    .trim()
    .toLowerCase();

/** Returns the first sentences of a text without its markdown. */
export function firstSentences(text: string, count: number, maxChars: number): string {
  const prose = text
    .slice(0, 4_000)
    .replace(/^(?:#|---|===|```|\||<).*$/gm, "")
    .replace(/^[ \t]*(?:[-*+>]|\d{1,3}[.)])[ \t]+/gm, "")
    .replace(/([^\s.!?:;,…”"])[ \t]*$/gm, "$1.")
    .replace(/\[([^\][]{1,200})\]\([^()\s]{1,400}\)/g, "$1")
    .replace(/[*`]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const sentences = prose.split(/(?<=[.!?…][”"')]?)\s/);
  return cut(sentences.slice(0, count).join(" "), maxChars);
}

/** Shortens a text to this length at a word's end, with a mark if something is left out. */
export const cut = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).replace(/(?:\s+\S*|[\uD800-\uDBFF])$/, "")}…`;

/** Joins items: "a", "a and b", "a, b and c". */
export const listed = (items: string[], conjunction: "and" | "or" = "and"): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${conjunction} ${items.at(-1)}`;

/** Fills in the names in braces. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
