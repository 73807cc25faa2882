import { BEST_BY_WORDS, EMBEDDED_TOGETHER, LEAST_SIMILARITY, MAX_COMPARED, NEAREST } from "../limits.ts";
import { fusedScore } from "../rank.ts";
import { type RankedChunk, rankByWords } from "./search.ts";
import { packedBytes, similarities } from "./vectors.ts";

/** A search by words and by meaning. */
export interface SearchByBoth {
  words: readonly string[];
  /** The embedding of the query, with the length 1, and the model that made it. */
  unit: Float32Array;
  model: string;
  documents: readonly string[];
  limit: number;
}

type Similar = Omit<RankedChunk, "score"> & { similarity: number };

/** Ranks chunks by their words and by their embeddings, and fuses both orders. Also returns the scores by words. */
export function rankByBoth(
  sql: SqlStorage,
  search: SearchByBoth,
  maxCompared = MAX_COMPARED,
): { ranked: RankedChunk[]; wordScores: number[] } {
  const { words, documents, limit } = search;
  const byWords = rankByWords(sql, words, documents, BEST_BY_WORDS);
  const compared = countVisible(sql, documents) > maxCompared ? compare(sql, search, byWords) : compareAll(sql, search);
  const nearest = compared
    .filter(({ similarity }) => similarity >= LEAST_SIMILARITY)
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, NEAREST);
  const hasEmbedding = new Set(compared.map(keyOf));
  const wordRanks = new Map(byWords.map((chunk, rank) => [keyOf(chunk), rank]));
  const ranks = new Map(nearest.map((chunk, rank) => [keyOf(chunk), rank]));
  const all = new Map([...nearest, ...byWords].map((chunk) => [keyOf(chunk), chunk]));
  const ranked = Array.from(all, ([key, { document, edition, place }]) => {
    const byWord = wordRanks.get(key) ?? null;
    const score = fusedScore(byWord, hasEmbedding.has(key) ? (ranks.get(key) ?? null) : byWord);
    return { document, edition, place, score };
  });
  return {
    ranked: ranked.toSorted((a, b) => b.score - a.score).slice(0, limit),
    wordScores: byWords.map(({ score }) => score),
  };
}

function keyOf({ document, place }: Pick<RankedChunk, "document" | "place">): string {
  return `${document} ${place}`;
}

function countVisible(sql: SqlStorage, documents: readonly string[]): number {
  const where = "id IN (SELECT value FROM json_each(?))";
  const query = `SELECT coalesce(sum(chunks), 0) AS n FROM documents WHERE ${where}`;
  return sql.exec<{ n: number }>(query, JSON.stringify(documents)).one().n;
}

/** Compares all chunks of the documents, a row of them in memory at a time. */
function compareAll(sql: SqlStorage, { unit, model, documents }: SearchByBoth): Similar[] {
  const rows = sql.exec<{ document: string; edition: number; first: number; vectors: ArrayBuffer }>(
    `SELECT e.document, e.edition, e.first, e.vectors FROM documents AS d
     JOIN embeddings AS e ON e.document = d.id AND e.edition = d.edition
     WHERE d.id IN (SELECT value FROM json_each(?)) AND e.model = ?`,
    JSON.stringify(documents),
    model,
  );
  const found: Similar[] = [];
  for (const { document, edition, first, vectors } of rows)
    for (const [i, similarity] of similarities(unit, vectors).entries())
      found.push({ document, edition, place: first + i, similarity });
  return found;
}

function compare(sql: SqlStorage, { unit, model }: SearchByBoth, chunks: readonly RankedChunk[]): Similar[] {
  const bytes = packedBytes(unit.length);
  return chunks.flatMap(({ document, edition, place }) =>
    sql
      .exec<{ vector: ArrayBuffer }>(
        `SELECT substr(vectors, ?, ?) AS vector FROM embeddings
         WHERE document = ? AND edition = ? AND first = ? AND model = ?`,
        1 + (place % EMBEDDED_TOGETHER) * bytes,
        bytes,
        document,
        edition,
        place - (place % EMBEDDED_TOGETHER),
        model,
      )
      .toArray()
      .flatMap(({ vector }) => similarities(unit, vector))
      .map((similarity) => ({ document, edition, place, similarity })),
  );
}
