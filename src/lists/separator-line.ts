/** The line before the header in which a file for spreadsheets names its delimiter. */
export interface SeparatorLine {
  delimiter: string;
  chars: number;
}

const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?[,;\t| ]*\r?\v?(?:\n|$)/i;

/** Returns the `sep=` line at the start of a text; null if there is none. `endLines` must have normalized the text. */
export function separatorLine(text: string): SeparatorLine | null {
  const found = SEPARATOR_LINE.exec(text);
  return found?.[1] === undefined ? null : { delimiter: found[1], chars: found[0].length };
}
