import type { WordCounts } from "../rank.ts";
import type { FoundText } from "./document-store.ts";

export interface FoundChunk {
  document_id: string;
  chunk: number;
  heading: string;
  text: string;
  /** A higher score is a better match. */
  score: number;
}

/** Quotes a word for an FTS expression, so that it contains no operator. */
const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;

/** Counts the chunks that contain each word, the chunks, and their words. */
export function wordCounts(sql: SqlStorage, words: readonly string[]): WordCounts {
  const rows = sql
    .exec<{ term: string; doc: number }>(
      "SELECT term, doc FROM json_each(?) JOIN chunk_terms ON term = value",
      JSON.stringify(words),
    )
    .toArray();
  const totals = sql
    .exec<{ texts: number; words: number }>(
      "SELECT coalesce(sum(chunks), 0) AS texts, coalesce(sum(words), 0) AS words FROM documents",
    )
    .one();
  return Object.assign(totals, { having: Object.fromEntries(rows.map(({ term, doc }) => [term, doc])) });
}

export interface RankedChunk {
  document: string;
  edition: number;
  position: number;
  /** A higher score is a better match. */
  score: number;
}

/** Ranks the chunks of these texts that contain any of the words. */
export function rankByWords(
  sql: SqlStorage,
  words: readonly string[],
  texts: readonly FoundText[],
  limit: number,
): RankedChunk[] {
  if (words.length === 0 || texts.length === 0) return [];
  return sql
    .exec<{ [K in keyof RankedChunk]: RankedChunk[K] }>(
      `SELECT c.document, c.edition, c.place AS position, -bm25(chunk_index) AS score
       FROM chunk_index JOIN chunks AS c ON c.n = chunk_index.rowid
       WHERE chunk_index MATCH ?
         AND (c.document, c.edition) IN (SELECT value ->> 'id', value ->> 'edition' FROM json_each(?))
       ORDER BY score DESC, c.document, c.place LIMIT ?`,
      words.map(quoted).join(" OR "),
      JSON.stringify(texts),
      limit,
    )
    .toArray();
}

/** Returns ranked chunks with their text, in the same order. */
export function withText(sql: SqlStorage, ranked: readonly RankedChunk[]): FoundChunk[] {
  return ranked.flatMap(({ document, edition, position, score }) =>
    sql
      .exec<{ heading: string; text: string }>(
        "SELECT heading, text FROM chunks WHERE document = ? AND edition = ? AND place = ?",
        document,
        edition,
        position,
      )
      .toArray()
      .map(({ heading, text }) => ({ document_id: document, chunk: position, heading, text, score })),
  );
}
