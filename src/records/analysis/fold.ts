/** Scripts that put no space between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** A text without what makes no difference: case, punctuation, and how much space there is. */
export function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, "")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim();
}

/** Whether a folded text holds a folded phrase: as whole words, where its script has any. */
export function holds(text: string, phrase: string): boolean {
  if (phrase === "") return false;
  return UNSPACED.test(phrase) ? text.includes(phrase) : ` ${text} `.includes(` ${phrase} `);
}

/** The words of a text, folded. */
export function wordsOf(text: string): string[] {
  const folded = fold(text);
  return folded === "" ? [] : folded.split(" ");
}
