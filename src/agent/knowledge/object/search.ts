import type { WordCounts } from "../rank.ts";

/** A chunk that a search found. */
export interface FoundChunk {
  document_id: string;
  chunk: number;
  heading: string;
  text: string;
  /** Higher is better. */
  score: number;
}

/** A word as a string of an FTS expression, so that nothing in it is an operator. */
const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;

/** Returns in how many chunks each word occurs, and how many words chunks have. */
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

/** Returns the chunks of these documents that have any of the words, the best first. */
export function searchChunks(
  sql: SqlStorage,
  words: readonly string[],
  documents: readonly string[],
  limit: number,
): FoundChunk[] {
  if (words.length === 0 || documents.length === 0) return [];
  return sql
    .exec<{ document_id: string; chunk: number; heading: string; text: string; score: number }>(
      `SELECT c.document AS document_id, c.place AS chunk, c.heading, c.text, -bm25(chunk_index) AS score
       FROM chunk_index JOIN chunks AS c ON c.n = chunk_index.rowid
       JOIN documents AS d ON d.id = c.document AND d.edition = c.edition
       WHERE chunk_index MATCH ? AND c.document IN (SELECT value FROM json_each(?))
       ORDER BY score DESC, c.document, c.place LIMIT ?`,
      words.map(quoted).join(" OR "),
      JSON.stringify(documents),
      limit,
    )
    .toArray();
}
