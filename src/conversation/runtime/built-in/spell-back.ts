import { subtagOf } from "../../../agent/speech/language.ts";
import { ACCENTS, ALPHABETS, SIGNS, type SpellingAlphabet } from "./spelling-alphabets.ts";

/** The words of a language by the character for which they stand. */
interface Speller extends Pick<SpellingAlphabet, "letter" | "accented"> {
  examples: ReadonlyMap<string, string>;
  /** Digits, signs and letters with a name. */
  names: ReadonlyMap<string, string>;
  accents: ReadonlyMap<string, string>;
}

const SPELLERS = new Map(Object.entries(ALPHABETS).map(([language, alphabet]) => [language, spellerOf(alphabet)]));
const ENGLISH = spellerOf(ALPHABETS.en);

/** Letters that Unicode does not decompose, as they are spelled where they have no example of their own. */
const WHOLE: Record<string, string> = { ß: "ss", ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d" };

/** The most characters spelled at once, because a caller cannot follow more. */
export const MAX_SPELLED_CHARS = 200;

function spellerOf({ examples, named = {}, digits, signs, accents, letter, accented }: SpellingAlphabet): Speller {
  return {
    examples: new Map(examples.split(" ").map((example) => [example.charAt(0).toLowerCase(), example])),
    names: new Map([
      ...digits.split(" ").map((word, digit) => [String(digit), word] as const),
      ...pairs(SIGNS, signs),
      ...Object.entries(named),
    ]),
    accents: new Map(pairs(ACCENTS, accents)),
    letter,
    accented,
  };
}

function pairs(characters: string, names: string): [string, string][] {
  const all = names.split("|");
  return Array.from(characters, (character, i) => [character, all[i] ?? character]);
}

/**
 * Returns the words that spell a text in a language (BCP 47), one for each character; in English if the language has
 * no alphabet here. A character without a word stays itself.
 */
export function spelled(text: string, language: string): string[] {
  const speller = SPELLERS.get(subtagOf(language)) ?? ENGLISH;
  const shown = text
    .trim()
    .replace(/\s+/g, " ")
    .replaceAll("’", "'")
    .slice(0, MAX_SPELLED_CHARS)
    .toWellFormed()
    .normalize("NFC");
  return Array.from(shown).flatMap((character) => wordsFor(character, speller));
}

function wordsFor(character: string, speller: Speller): string[] {
  const lower = character.toLowerCase();
  const name = speller.names.get(lower.normalize("NFKC"));
  if (name !== undefined) return [name];
  const example = speller.examples.get(lower);
  if (example !== undefined) return [speller.letter(lower.toUpperCase(), example)];
  const whole = WHOLE[lower];
  if (whole !== undefined) return Array.from(whole).flatMap((letter) => wordsFor(letter, speller));
  const [base = "", accent = ""] = lower.normalize("NFD");
  const ofBase = speller.examples.get(base);
  if (ofBase === undefined) return [character];
  const letter = speller.letter(base.toUpperCase(), ofBase);
  const ofAccent = speller.accents.get(accent);
  return [ofAccent === undefined ? letter : speller.accented(letter, ofAccent)];
}
