import {
  BEST_BY_WORDS,
  COMPARED_CLOSELY,
  EMBEDDED_TOGETHER,
  LEAST_SIMILARITY,
  MAX_COMPARED,
  NEAREST,
} from "../limits.ts";
import { fusedScore } from "../rank.ts";
import type { FoundText } from "./document-store.ts";
import { type RankedChunk, rankByWords } from "./search.ts";
import { packedBytes, signDistances, signsOf, similarities } from "./vectors.ts";

/** A search by words and by meaning. */
export interface SearchByBoth {
  words: readonly string[];
  /** The query's embedding, normalized to length 1, and the model that computed it. */
  unit: Float32Array;
  model: string;
  texts: readonly FoundText[];
  limit: number;
}

type ChunkPosition = Omit<RankedChunk, "score">;
type Similar = ChunkPosition & { similarity: number };

/** Ranks chunks by words and by embeddings, and fuses both orders. Also returns the scores by words. */
export function rankByBoth(
  sql: SqlStorage,
  search: SearchByBoth,
  maxCompared = MAX_COMPARED,
): { ranked: RankedChunk[]; wordScores: number[] } {
  const { words, texts, limit } = search;
  const byWords = rankByWords(sql, words, texts, BEST_BY_WORDS);
  const visible = texts.reduce((sum, { chunks }) => sum + chunks, 0);
  const rows = visible > maxCompared ? null : signsOfAll(sql, search);
  const compared = compare(sql, search, rows === null ? byWords : nearestBySigns(rows, search));
  const embedded = new Set((rows ?? compared).map(rowOf));
  const nearest = compared
    .filter(({ similarity }) => similarity >= LEAST_SIMILARITY)
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, NEAREST);
  const wordRanks = new Map(byWords.map((chunk, rank) => [keyOf(chunk), rank]));
  const ranks = new Map(nearest.map((chunk, rank) => [keyOf(chunk), rank]));
  const all = new Map([...nearest, ...byWords].map((chunk) => [keyOf(chunk), chunk]));
  const ranked = Array.from(all, ([key, chunk]) => {
    const { document, edition, position } = chunk;
    const byWord = wordRanks.get(key) ?? null;
    const score = fusedScore(byWord, embedded.has(rowOf(chunk)) ? (ranks.get(key) ?? null) : byWord);
    return { document, edition, position, score };
  });
  return {
    ranked: ranked.toSorted((a, b) => b.score - a.score).slice(0, limit),
    wordScores: byWords.map(({ score }) => score),
  };
}

function keyOf({ document, position }: Pick<RankedChunk, "document" | "position">): string {
  return `${document} ${position}`;
}

/** Returns the key of the embeddings row that contains a chunk. */
function rowOf({ document, position }: Pick<RankedChunk, "document" | "position">): string {
  return keyOf({ document, position: position - (position % EMBEDDED_TOGETHER) });
}

/**
 * A row of embeddings, identified by its first chunk. `distances` counts, for each chunk, the signs that differ from
 * the query's.
 */
interface SignRow extends ChunkPosition {
  distances: number[];
}

/** Compares the query's signs with those of all chunks of the texts, holding one row in memory at a time. */
function signsOfAll(sql: SqlStorage, { unit, model, texts }: SearchByBoth): SignRow[] {
  const own = signsOf(unit);
  const rows = sql.exec<{ document: string; edition: number; position: number; signs: ArrayBuffer }>(
    `SELECT e.document, e.edition, e.first AS position, e.signs FROM json_each(?) AS t
     CROSS JOIN embeddings AS e ON e.document = t.value ->> 'id' AND e.edition = t.value ->> 'edition'
     WHERE e.model = ?`,
    JSON.stringify(texts),
    model,
  );
  return Array.from(rows, ({ document, edition, position, signs }) => {
    return { document, edition, position, distances: signDistances(own, signs) };
  });
}

/**
 * Returns the chunks whose signs differ least from the query's. They are four times as many as are finally taken, so
 * that the truly nearest are among them.
 */
function nearestBySigns(rows: readonly SignRow[], { unit }: SearchByBoth): ChunkPosition[] {
  const counts = new Uint32Array(unit.length + 1);
  for (const { distances } of rows) for (const distance of distances) counts[distance] = (counts[distance] ?? 0) + 1;
  let [most, count] = [0, counts[0] ?? 0];
  while (count < COMPARED_CLOSELY && most < unit.length) {
    most += 1;
    count += counts[most] ?? 0;
  }
  const near = rows.flatMap(({ document, edition, position, distances }) =>
    distances.flatMap((distance, i) =>
      distance <= most ? [{ chunk: { document, edition, position: position + i }, distance }] : [],
    ),
  );
  const nearest = near.toSorted((a, b) => a.distance - b.distance).slice(0, COMPARED_CLOSELY);
  return nearest.map(({ chunk }) => chunk);
}

function compare(sql: SqlStorage, { unit, model }: SearchByBoth, chunks: readonly ChunkPosition[]): Similar[] {
  const bytes = packedBytes(unit.length);
  return chunks.flatMap(({ document, edition, position }) =>
    sql
      .exec<{ vector: ArrayBuffer }>(
        `SELECT substr(vectors, ?, ?) AS vector FROM embeddings
         WHERE document = ? AND edition = ? AND first = ? AND model = ?`,
        1 + (position % EMBEDDED_TOGETHER) * bytes,
        bytes,
        document,
        edition,
        position - (position % EMBEDDED_TOGETHER),
        model,
      )
      .toArray()
      .flatMap(({ vector }) => similarities(unit, vector))
      .map((similarity) => ({ document, edition, position, similarity })),
  );
}
