import type { ReaderEnv } from "../readers/apart.ts";
import { readDocument } from "../readers/read-document.ts";
import { type Chunk, chunksOf } from "../text/chunks.ts";
import { wordsOf } from "../text/words.ts";
import type { IndexedChunk, Original } from "./document-store.ts";

/** A document's chunks in order of indexing, or why it cannot be read. */
export type ReadDocument =
  | { language: string | null; chunks: Iterable<IndexedChunk>; count: number }
  | { failed: string };

export async function readChunks(
  env: ReaderEnv,
  { content_type }: Original,
  bytes: ArrayBuffer,
): Promise<ReadDocument> {
  const read = await readDocument({ content_type, bytes: new Uint8Array(bytes) }, env);
  if ("failed" in read) return read;
  const chunks = chunksOf(read.blocks);
  if (chunks.length === 0) return { failed: "no_text" };
  return { language: read.language, chunks: indexed(chunks), count: chunks.length };
}

function* indexed(chunks: readonly Chunk[]): Generator<IndexedChunk> {
  for (const chunk of chunks)
    yield Object.assign(chunk, { words: wordsOf(`${chunk.heading}\n${chunk.text}`).join(" ") });
}
