/** The maximum length of a word; the rest is cut off. Longer ones are data, such as a base64 key. */
const MAX_WORD_CHARS = 64;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Letters of scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/**
 * The tokenizer of an index over these words: each word is one term. Combining marks count as parts of words, because
 * otherwise the vowels of Thai and Hindi would split words.
 */
export const TOKENIZER = "unicode61 remove_diacritics 2 categories 'L* M* N* Co'";

/**
 * Returns the index words of a text or query in order: lowercase, without accents, and without endings if they are in
 * the Latin alphabet. Texts and queries use this same function. It takes no language, because the language of a short
 * query can only be guessed, and a stemmer for the wrong language finds nothing.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("ς", "σ");
  const words = plain.match(WORD) ?? [];
  if (!UNSPACED.test(plain)) return words.map(stemOf);
  return words.flatMap((word) => (UNSPACED.test(word) ? segmented(word) : [stemOf(word)]));
}

/** A cache of recent stems, because most words of a text are among a few thousand. It is cleared when it is full. */
const stems = new Map<string, string>();
const MAX_STEMS = 10_000;

function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = withoutEnding(word);
  if (stems.size >= MAX_STEMS) stems.clear();
  if (word.length <= MAX_WORD_CHARS) stems.set(word, stem);
  return stem;
}

function segmented(run: string): string[] {
  return Array.from(segmenter.segment(run), ({ segment }) => segment.slice(0, MAX_WORD_CHARS).toWellFormed());
}

/** Endings of plurals, cases and verbs in English, German, Dutch and the Romance languages. */
const ENDING = /(?<=...)(?:ing|ern|ed|en|em|er|ar|ir)$/;
const PLURAL = /(?<=...)(?<!s)s$/;
const VOWELS = /(?<=...)[aeiouy]{1,2}$/;
const DOUBLED = /([b-df-hj-np-tv-z])\1$/;

/** Strips endings, so that "policy" finds "policies" and "Kunde" finds "Kunden". The result need not be a word. */
function withoutEnding(word: string): string {
  if (!/^[a-zßæœøđłıþð]+$/.test(word)) return word.slice(0, MAX_WORD_CHARS).toWellFormed();
  return word
    .slice(0, MAX_WORD_CHARS)
    .replace(PLURAL, "")
    .replace(ENDING, "")
    .replace(VOWELS, "")
    .replace(PLURAL, "")
    .replace(VOWELS, "")
    .replace(DOUBLED, "$1");
}
