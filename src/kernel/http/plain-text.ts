/** Checks whether a text survives encoding as UTF-8: it has no NUL and no unpaired surrogate. */
export function isPlainText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** Returns the beginning of a text: at most `most` UTF-16 code units, without splitting a surrogate pair. */
export function beginningOf(text: string, most: number): string {
  return text.slice(0, isInsidePair(text, most) ? most - 1 : most);
}

/** Splits a text into pieces of at most `most` UTF-16 code units, without splitting surrogate pairs. */
export function piecesOf(text: string, most: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += pieces.at(-1)?.length ?? most)
    pieces.push(text.slice(from, isInsidePair(text, from + most) ? from + most - 1 : from + most));
  return pieces;
}

function isInsidePair(text: string, at: number): boolean {
  return isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(at), 0xdc00, 0xdfff);
}

const isBetween = (unit: number, from: number, to: number) => unit >= from && unit <= to;
