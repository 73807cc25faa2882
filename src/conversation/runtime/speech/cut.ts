import { SpokenText } from "../turns/spoken-text.ts";

/** Maximum length of a part that a vendor speaks, characters. */
export const MAX_PART_CHARS = 500;

const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * Returns the ends of the complete parts in a text that may continue: ends of sentences, and places within a sentence
 * that is too long.
 */
export function partEnds(text: string): number[] {
  const ends: number[] = [];
  let from = 0;
  let end = 0;
  for (const { index, segment } of SENTENCES.segment(text)) {
    const next = index + segment.length;
    if (next - from > MAX_PART_CHARS && end > from) {
      ends.push(end);
      from = end;
    }
    while (next - from > MAX_PART_CHARS) {
      from += pauseWithin(text.slice(from, from + MAX_PART_CHARS));
      ends.push(from);
    }
    end = next;
    // The last sentence may continue.
    if (next === text.length) end = index > from ? index : from;
  }
  if (end > from) ends.push(end);
  return ends;
}

/** Returns where to cut a piece of a long sentence: at its last space, or at its end. */
function pauseWithin(piece: string): number {
  const space = piece.search(/\s\S*$/);
  if (space > 0) return space + 1;
  // A surrogate pair is not split.
  return /[\ud800-\udbff]$/.test(piece) ? piece.length - 1 : piece.length;
}

/** Returns a part as a voice says it, without markup and emoji; null if nothing can be spoken. */
export function speakable(part: string): string | null {
  const spoken = new SpokenText();
  const text = (spoken.push(part) + spoken.end()).replace(/\s+/g, " ").trim();
  return /[\p{L}\p{N}]/u.test(text) ? text.toWellFormed() : null;
}
