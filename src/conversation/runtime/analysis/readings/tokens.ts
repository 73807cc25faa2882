/** A word, a run of digits or a mark in a text. */
export interface Token {
  /** In lower case, without accents. */
  text: string;
  /** Whether it is letters or digits. */
  isWord: boolean;
  /** Whether it is a hyphen that joins words. */
  isJoint?: boolean;
  /** The position in the text that was read, UTF-16 units. */
  from: number;
  to: number;
}

/** Something that a text names, with all its possible meanings, the likeliest first. */
export interface Mention<Value> {
  values: Value[];
  /** False if the words may mean something else, so that they confirm nothing. */
  isSure: boolean;
  /** The position in the plain text, UTF-16 units. */
  from: number;
  to: number;
}

/** Letters that Unicode does not decompose into a letter and an accent. */
const WHOLE: Record<string, string> = { ß: "ss", ł: "l", ø: "o", æ: "ae", œ: "oe" };

/** Normalizes a text for reading: compatibility characters resolved, in lower case. */
export function plainText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** Removes accents from a word. Kana and other scripts stay unchanged. */
export function unaccented(word: string): string {
  if (/^[a-z\d]*$/.test(word) || !/\p{sc=Latin}/u.test(word)) return word;
  return word
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[ßłøæœ]/g, (letter) => WHOLE[letter] ?? letter);
}

const JOINTS = new Set(["-", "‐", "‑"]);
const LETTER = /\p{L}/u;

/** Checks whether this text at this position of a plain text is a hyphen between letters. */
export function isJoint(plain: string, text: string, at: number): boolean {
  return JOINTS.has(text) && LETTER.test(plain[at - 1] ?? "") && LETTER.test(plain[at + text.length] ?? "");
}

/** Returns the words, digits and marks of a plain text. A hyphen between letters only joins words. */
export function tokensOf(plain: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: text, 1: word, index } of plain.matchAll(/(\p{L}[\p{L}\p{M}]*|\p{Nd}+)|[^\s\p{L}\p{Nd}]/gu)) {
    const isWord = word !== undefined;
    if (!isJoint(plain, text, index))
      tokens.push({ text: isWord ? unaccented(text) : text, isWord, from: index, to: index + text.length });
  }
  return tokens;
}

/** Returns a phrase as a key: its words without accents and separators. */
export function keyOf(phrase: string): string {
  return unaccented(plainText(phrase)).replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** The most tokens that spell one entry of a table of phrases. */
const MAX_PHRASE_TOKENS = 6;

/** Finds the longest phrase of a table that begins at a token, and the token after it. */
export function longestAt<T>(
  table: ReadonlyMap<string, T>,
  tokens: readonly Token[],
  from: number,
  most = MAX_PHRASE_TOKENS,
): { value: T; next: number } | null {
  let found: { value: T; next: number } | null = null;
  const end = Math.min(tokens.length, from + most);
  let key = "";
  for (let at = from; at < end; at++) {
    const { text, isWord, isJoint } = tokens[at] ?? NO_TOKEN;
    if (isWord) key += text;
    else if (text !== "'" && text !== "’" && isJoint !== true) break;
    const value = table.get(key);
    if (value !== undefined) found = { value, next: at + 1 };
  }
  return found;
}

const NO_TOKEN: Token = { text: "", isWord: false, from: 0, to: 0 };
