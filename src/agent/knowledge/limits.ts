import { MINUTE_MS, SECOND_MS } from "../../kernel/time.ts";

const MB = 1_000_000;

/** Limits per account by plan: documents, bytes of their originals together, and chunks. */
export const DOCUMENTS_BY_PLAN = { starter: 50, growth: 500, scale: 5_000 };
export const BYTES_BY_PLAN = { starter: 50 * MB, growth: 500 * MB, scale: 5_000 * MB };
export const CHUNKS_BY_PLAN = { starter: 2_000, growth: 20_000, scale: 100_000 };

/** The largest original, in bytes, and the longest text sent as JSON, in characters. */
export const MAX_DOCUMENT_BYTES = 20 * MB;
export const MAX_TEXT_CHARS = 500_000;

/** The maximum number of characters of an agent's documents in its prompt. */
export const MAX_PROMPT_CHARS = 8_000;

/** The time limit for processing a document, ms. After it, the processing fails. */
export const PROCESSING_MS = 10 * MINUTE_MS;
/** The number of chunks stored or deleted in one turn of the object. */
export const CHUNKS_A_TURN = 100;

/** Limits of a search: characters of the query, words of it that are looked up, and results. */
export const MAX_QUERY_CHARS = 300;
export const MAX_QUERY_WORDS = 12;
export const MAX_RESULTS = 20;
/** The maximum number of searches of an account that wait at the same time. */
export const MAX_WAITING = 50;

/** The number of pages that an account may fetch per day, by plan. */
export const CRAWL_PAGES_BY_PLAN = { starter: 500, growth: 5_000, scale: 50_000 };
/** The maximum number of pages per address, and the shortest and longest refresh interval in hours. */
export const MAX_PAGES = 50;
export const REFRESH_HOURS = { min: 24, max: 24 * 365 };

/** The number of neighbouring chunks whose embeddings are stored in one row. */
export const EMBEDDED_TOGETHER = 64;
/** The timeout of a request for embeddings, ms, and how long a search waits for the embedding of its query, ms. */
export const EMBEDDING_MS = 30 * SECOND_MS;
export const QUERY_EMBEDDING_MS = 150;
/** The number of chunks whose embeddings are compared in full: those whose signs differ least from the query's. */
export const COMPARED_CLOSELY = 200;
/**
 * A search compares all embeddings of up to this many chunks. Beyond that, it compares only those of the best matches
 * by words.
 */
export const MAX_COMPARED = 20_000;
export const BEST_BY_WORDS = 200;
/** The number of chunks that a search finds by their embeddings. */
export const NEAREST = 50;
/**
 * The minimum cosine of a relevant chunk. It is derived from the four pairs in the description of `BAAI/bge-m3`: 0.63
 * and 0.68 for matching texts, 0.35 for both pairs of unrelated texts. The model's authors recommend no threshold, and
 * another model needs another one. Above the threshold only the order matters; chunks below it are still found by
 * words.
 */
export const LEAST_SIMILARITY = 0.45;
