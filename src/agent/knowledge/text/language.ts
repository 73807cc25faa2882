/** Scripts that are used by one language each. Kana comes before Han, because Japanese uses both. */
const SCRIPTS: readonly [RegExp, string][] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/gu, "ja"],
  [/\p{Script=Hangul}/gu, "ko"],
  [/\p{Script=Han}/gu, "zh"],
  [/\p{Script=Thai}/gu, "th"],
  [/\p{Script=Hebrew}/gu, "he"],
  [/\p{Script=Greek}/gu, "el"],
];

/** Frequent words of languages that use the Latin alphabet. Few other languages share them. */
const FREQUENT: Readonly<Record<string, readonly string[]>> = {
  en: ["the", "and", "of", "to", "is", "with", "for", "are", "you"],
  de: ["der", "die", "und", "das", "ist", "nicht", "mit", "für", "wir", "ein"],
  es: ["el", "los", "las", "y", "del", "con", "por", "para", "es", "una"],
  fr: ["le", "les", "et", "des", "est", "pour", "vous", "dans", "une", "nous"],
  it: ["il", "di", "che", "è", "per", "della", "gli", "sono", "con", "non"],
  pt: ["o", "os", "e", "do", "da", "não", "uma", "para", "com", "é"],
  nl: ["het", "een", "van", "en", "niet", "voor", "zijn", "met", "de"],
  pl: ["i", "w", "się", "na", "nie", "jest", "do", "z", "oraz"],
};

const SAMPLE_CHARS = 5_000;
/** The minimum share of a sample's characters, or of its words, that identifies a language. */
const LEAST_SCRIPT = 0.15;
const LEAST_WORDS = 0.08;

/** Guesses a text's language (BCP 47) from its beginning; null if it cannot be told. */
export function guessLanguage(text: string): string | null {
  const sample = text.slice(0, SAMPLE_CHARS).toLowerCase();
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const script = SCRIPTS.find(([of]) => (sample.match(of)?.length ?? 0) > letters * LEAST_SCRIPT);
  if (script) return script[1];
  const words = sample.match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(FREQUENT).map(([language, frequent]) => ({
    language,
    count: words.filter((word) => frequent.includes(word)).length,
  }));
  const [best, next] = counts.toSorted((a, b) => b.count - a.count);
  if (!best || !next || best.count <= words.length * LEAST_WORDS || best.count === next.count) return null;
  return best.language;
}
