/** How a language spells: a word for each letter and digit, names of signs, and how parts are combined. */
interface SpellingAlphabet {
  letters: Record<string, string>;
  /** The words for the digits 0 to 9, in order. */
  digits: readonly string[];
  signs: Record<string, string>;
  /** Names of accents, by their combining character. */
  accents: Record<string, string>;
  letter(letter: string, word: string): string;
  accented(letter: string, accent: string): string;
}

const NATO =
  "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa Quebec Romeo Sierra " +
  "Tango Uniform Victor Whiskey X-ray Yankee Zulu";

/** The spelling alphabets by language. English uses that of the ICAO. */
const ALPHABETS = {
  en: {
    letters: Object.fromEntries(NATO.split(" ").map((word) => [word.charAt(0).toLowerCase(), word])),
    digits: "zero one two three four five six seven eight nine".split(" "),
    signs: {
      "@": "at",
      ".": "dot",
      "-": "dash",
      _: "underscore",
      "+": "plus",
      "/": "slash",
      "\\": "backslash",
      "#": "hash",
      "&": "ampersand",
      "'": "apostrophe",
      "’": "apostrophe",
      ",": "comma",
      ":": "colon",
      "(": "opening bracket",
      ")": "closing bracket",
      " ": "space",
    },
    accents: {
      "\u0300": "grave",
      "\u0301": "acute",
      "\u0302": "circumflex",
      "\u0303": "tilde",
      "\u0308": "umlaut",
      "\u030A": "ring",
      "\u030C": "caron",
      "\u0327": "cedilla",
      "\u0328": "ogonek",
    },
    letter: (letter, word) => `${letter} as in ${word}`,
    accented: (letter, accent) => `${letter} with ${accent}`,
  },
} as const satisfies Record<string, SpellingAlphabet>;

/** Letters that Unicode does not decompose, as they are spelled. */
const WHOLE: Record<string, string> = { ß: "ss", ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d" };

/** The most characters spelled at once, because a caller cannot follow more. */
export const MAX_SPELLED_CHARS = 200;

/** Returns the words that spell a text in a language, one for each character; a character without a word stays itself. */
export function spelled(text: string, language: keyof typeof ALPHABETS = "en"): string[] {
  const alphabet: SpellingAlphabet = ALPHABETS[language];
  const shown = text.trim().replace(/\s+/g, " ").slice(0, MAX_SPELLED_CHARS).toWellFormed().normalize("NFC");
  return Array.from(shown).flatMap((character) => wordsFor(character, alphabet));
}

function wordsFor(character: string, alphabet: SpellingAlphabet): string[] {
  const lower = character.toLowerCase();
  const apart = WHOLE[lower];
  if (apart !== undefined) return Array.from(apart).flatMap((letter) => wordsFor(letter, alphabet));
  const digit = /\p{Nd}/u.test(character) ? alphabet.digits[Number(character.normalize("NFKC"))] : undefined;
  if (digit !== undefined) return [digit];
  const [base = "", accent = ""] = lower.normalize("NFD");
  const word = alphabet.letters[base];
  if (word === undefined) return [alphabet.signs[character] ?? character];
  const letter = alphabet.letter(base.toUpperCase(), word);
  const name = alphabet.accents[accent];
  return [name === undefined ? letter : alphabet.accented(letter, name)];
}
