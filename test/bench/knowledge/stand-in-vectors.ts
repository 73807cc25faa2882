const DIMENSIONS = 1_024;
/** The number of letters in a piece of a word. Three distinguish most words, and endings change few of the pieces. */
const PIECE = 3;

/**
 * Returns a vector of the pieces of a text's words. The vectors of texts with similar spelling are near each other. It
 * stands in for a model but knows no meaning and no other language.
 */
export function vectorOf(text: string): number[] {
  const vector = Array<number>(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const padded = ` ${word} `;
    for (let at = 0; at + PIECE <= padded.length; at++) {
      const hash = hashOf(padded.slice(at, at + PIECE));
      const index = hash % DIMENSIONS;
      vector[index] = (vector[index] ?? 0) + (hash & 0x8000_0000 ? -1 : 1);
    }
  }
  vector[0] = (vector[0] ?? 0) + 1e-3;
  return vector;
}

/** Computes FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
