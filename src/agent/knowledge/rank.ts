import { MAX_QUERY_WORDS } from "./limits.ts";

export interface WordCounts {
  /** The number of texts, and the total number of their words. */
  texts: number;
  words: number;
  /** The number of texts that contain each word. */
  having: Record<string, number>;
}

/** The parameters of BM25, as in SQLite's FTS5. */
const K1 = 1.2;
const B = 0.75;
/** The weight of a word that more than half of the texts contain. */
const LEAST_WEIGHT = 1e-6;

/** Returns the rarest words in order, without those that occur in no text. */
export function rarest(words: readonly string[], { having }: Pick<WordCounts, "having">): string[] {
  const found = [...new Set(words)].filter((word) => (having[word] ?? 0) > 0);
  const kept = found.toSorted((a, b) => (having[a] ?? 0) - (having[b] ?? 0)).slice(0, MAX_QUERY_WORDS);
  return found.filter((word) => kept.includes(word));
}

/** What a score needs of a text: the number of its words, and those of them that the query contains. */
export interface ScoredText {
  length: number;
  found: readonly string[];
}

/** Adds these texts to the counts of the query's words in the account's chunks. */
export function withTexts(counts: WordCounts, texts: readonly ScoredText[]): WordCounts {
  const having = { ...counts.having };
  for (const { found } of texts) for (const word of new Set(found)) having[word] = (having[word] ?? 0) + 1;
  const words = texts.reduce((sum, text) => sum + text.length, counts.words);
  return { texts: counts.texts + texts.length, words, having };
}

/**
 * Scores how well a text matches a query, on the same scale as FTS5's `bm25` but with a positive sign; 0 means no
 * match.
 */
export function scoreOf(text: ScoredText, query: readonly string[], counts: WordCounts): number {
  const average = counts.words / Math.max(1, counts.texts);
  const length = 1 - B + (B * text.length) / Math.max(1, average);
  return query.reduce((score, word) => {
    const often = text.found.filter((one) => one === word).length;
    return often === 0 ? score : score + (weightOf(word, counts) * often * (K1 + 1)) / (often + K1 * length);
  }, 0);
}

function weightOf(word: string, { texts, having }: WordCounts): number {
  const n = having[word] ?? 0;
  return Math.max(LEAST_WEIGHT, Math.log((texts - n + 0.5) / (n + 0.5)));
}

/** The constant of reciprocal rank fusion. The larger it is, the less the first ranks outweigh the next. */
const FUSION = 60;

/** Fuses two ranks, counted from 0. A rank is null if the text is missing from that order. */
export function fusedScore(a: number | null, b: number | null): number {
  const part = (rank: number | null) => (rank === null ? 0 : 1 / (FUSION + rank + 1));
  return part(a) + part(b);
}
