/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Normalizes a text for comparison: case, punctuation and the amount of space are ignored. */
export function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, "")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim();
}

/** Checks whether a folded text contains a folded phrase, as whole words if its script separates words. */
export function holds(text: string, phrase: string): boolean {
  if (phrase === "") return false;
  return UNSPACED.test(phrase) ? text.includes(phrase) : ` ${text} `.includes(` ${phrase} `);
}

export function wordsOf(text: string): string[] {
  const folded = fold(text);
  return folded === "" ? [] : folded.split(" ");
}
