/** A part of a document under one heading. */
export interface Block {
  heading: string;
  text: string;
}

/** A searchable piece of a document. */
export interface Chunk extends Block {
  /** The number of characters at the beginning that repeat the end of the previous chunk. */
  repeated: number;
}

export const MAX_CHUNK_CHARS = 2_000;
/** The maximum overlap of two chunks, so that a passage is found even if a chunk ends within it. */
export const MAX_OVERLAP_CHARS = 200;

// The same rules are used for every document, because most languages end sentences with the same marks.
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * Splits blocks into chunks: at sentences, otherwise at spaces, otherwise anywhere but within a character. It examines
 * the length of one chunk at a time, so a text without sentences takes no longer.
 */
export function chunksOf(blocks: readonly Block[]): Chunk[] {
  return joined(blocks).flatMap(({ heading, text }) => cut(heading, text));
}

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

/** Returns where sentences start in a text, except the first one. */
function sentenceStarts(text: string): number[] {
  return Array.from(sentences.segment(text), ({ index }) => index).slice(1);
}

/**
 * Returns the length of the next chunk: as many whole sentences as fit if they fill half of it, otherwise as many whole
 * words.
 */
function lengthOf(window: string, starts: readonly number[]): number {
  const sentence = starts.at(-1) ?? 0;
  if (sentence >= MAX_CHUNK_CHARS / 2) return sentence;
  const word = window.search(/\s\S*$/u) + 1;
  return word >= MAX_CHUNK_CHARS / 2 ? word : wholeCharacters(window, MAX_CHUNK_CHARS);
}

/** Returns where the next chunk starts: at the first sentence or word of the overlap. */
function nextStart(window: string, starts: readonly number[], length: number): number {
  const earliest = wholeCharacters(window, length - MAX_OVERLAP_CHARS + 1);
  const sentence = starts.find((index) => index >= earliest && index < length);
  if (sentence !== undefined) return sentence;
  const word = window.slice(earliest, length - 1).search(/(?<=\s)\S/u);
  return word >= 0 ? earliest + word : earliest;
}

/** Returns the position, moved back by one if it is within a surrogate pair. */
function wholeCharacters(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
