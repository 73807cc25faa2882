/** Whether a text can be written as UTF-8 and read again as it was: it has no NUL and no half of a surrogate pair. */
export function isPlainText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** The beginning of a text, at most this many UTF-16 code units; a surrogate pair is not split. */
export function beginningOf(text: string, most: number): string {
  return text.slice(0, isInsidePair(text, most) ? most - 1 : most);
}

/** A text in pieces of at most this many UTF-16 code units; no surrogate pair is split. */
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
