/** Characters that are invisible or reorder others: a model reads them all the same. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
/** Where one of these is part of a letter or an emoji, as it is written. */
const JOINERS = "\u200c\u200d";
const IS_WRITTEN = new RegExp(
  `[\\n\\t]|(?<=[\\p{L}\\p{M}])[${JOINERS}](?=\\p{L})|(?<=\\p{Emoji}\\ufe0f?)[\\u200d\\ufe0f]`,
  "gu",
);

/** A text as an approver has to see it: hidden characters are shown by their code points. */
export function visible(text: string): string {
  const written = new Set([...text.matchAll(IS_WRITTEN)].map(({ index }) => index));
  return text.replace(HIDDEN, (char: string, at: number) => (written.has(at) ? char : `⟨U+${numberOf(char)}⟩`));
}

const numberOf = (char: string) => (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
