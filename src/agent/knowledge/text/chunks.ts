/** A part of a document under one heading. */
export interface Block {
  /** The headings above it; empty for none. */
  heading: string;
  text: string;
}

/** A piece of a document as searches find it. */
export interface Chunk extends Block {
  /** How many characters at its beginning repeat the end of the chunk before it. */
  repeated: number;
}

export const MAX_CHUNK_CHARS = 2_000;
/** The most that a chunk repeats of the one before it, so that a passage is found where it was cut. */
export const MAX_OVERLAP_CHARS = 200;

// The same sentences for every document: most languages end them with the same marks.
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * Cuts blocks into chunks: at sentences, else at spaces, else anywhere but within a character. Looks at one chunk's length at
 * a time, so that a text without sentences costs no more than another.
 */
export function chunksOf(blocks: readonly Block[]): Chunk[] {
  return joined(blocks).flatMap(({ heading, text }) => cut(heading, text));
}

/** Joins neighbours under the same heading. */
function joined(blocks: readonly Block[]): Block[] {
  const sections: { heading: string; texts: string[] }[] = [];
  for (const { heading, text } of blocks) {
    const last = sections.at(-1);
    if (text.trim() === "") continue;
    if (last?.heading === heading) last.texts.push(text);
    else sections.push({ heading, texts: [text] });
  }
  return sections.map(({ heading, texts }) => ({ heading, text: texts.join("\n").trim() }));
}

function cut(heading: string, text: string): Chunk[] {
  const chunks: Chunk[] = [];
  let [start, stored] = [0, 0];
  for (;;) {
    const rest = text.length - start;
    const window = text.slice(start, start + Math.min(rest, MAX_CHUNK_CHARS));
    const starts = rest > MAX_CHUNK_CHARS ? sentenceStarts(window) : [];
    const length = rest > MAX_CHUNK_CHARS ? lengthOf(window, starts) : rest;
    chunks.push({ heading, text: window.slice(0, length), repeated: stored - start });
    stored = start + length;
    if (stored >= text.length) return chunks;
    start += nextStart(window, starts, length);
  }
}

/** Where sentences start in a text, but for the first one. */
function sentenceStarts(text: string): number[] {
  return Array.from(sentences.segment(text), ({ index }) => index).slice(1);
}

/** Returns the length of the chunk: as many whole sentences as fill half of it, else as many whole words. */
function lengthOf(window: string, starts: readonly number[]): number {
  const sentence = starts.at(-1) ?? 0;
  if (sentence >= MAX_CHUNK_CHARS / 2) return sentence;
  const word = window.search(/\s\S*$/u) + 1;
  return word >= MAX_CHUNK_CHARS / 2 ? word : wholeCharacters(window, MAX_CHUNK_CHARS);
}

/** Returns where the next chunk starts: at the first sentence or word of what is repeated. */
function nextStart(window: string, starts: readonly number[], length: number): number {
  const earliest = wholeCharacters(window, length - MAX_OVERLAP_CHARS + 1);
  const sentence = starts.find((index) => index >= earliest && index < length);
  if (sentence !== undefined) return sentence;
  const word = window.slice(earliest, length - 1).search(/(?<=\s)\S/u);
  return word >= 0 ? earliest + word : earliest;
}

/** Returns the place, or the one before it if it lies within a pair of surrogates. */
function wholeCharacters(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
