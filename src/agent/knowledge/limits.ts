import { MINUTE_MS, SECOND_MS } from "../../kernel/time.ts";

const MB = 1_000_000;

/** How many documents an account has, how many bytes their originals have together, and how many chunks, by plan. */
export const DOCUMENTS_BY_PLAN = { starter: 50, growth: 500, scale: 5_000 };
export const BYTES_BY_PLAN = { starter: 50 * MB, growth: 500 * MB, scale: 5_000 * MB };
export const CHUNKS_BY_PLAN = { starter: 2_000, growth: 20_000, scale: 100_000 };

/** Largest original, bytes, and longest text sent as JSON, characters. */
export const MAX_DOCUMENT_BYTES = 20 * MB;
export const MAX_TEXT_CHARS = 500_000;

/** Most characters of an agent's documents that stand in its prompt. */
export const MAX_PROMPT_CHARS = 8_000;

/** A document that is not ready this long after its processing began is failed, ms. */
export const PROCESSING_MS = 10 * MINUTE_MS;
/** Chunks stored or deleted in one turn of the object. */
export const CHUNKS_A_TURN = 100;

/** Longest query, characters; how many of its words are looked for, and how many results there are at most. */
export const MAX_QUERY_CHARS = 300;
export const MAX_QUERY_WORDS = 12;
export const MAX_RESULTS = 20;
/** Searches of an account that wait at once. */
export const MAX_WAITING = 50;

/** How many pages of addresses an account fetches a day, by plan. */
export const CRAWL_PAGES_BY_PLAN = { starter: 500, growth: 5_000, scale: 50_000 };
/** Most pages of an address, and the shortest and longest time between two refreshes, hours. */
export const MAX_PAGES = 50;
export const REFRESH_HOURS = { min: 24, max: 24 * 365 };

/** Neighbouring chunks whose embeddings are stored in one row. */
export const EMBEDDED_TOGETHER = 64;
/** The longest that a request for embeddings takes, ms; and how long a search waits for that of its query. */
export const EMBEDDING_MS = 30 * SECOND_MS;
export const QUERY_EMBEDDING_MS = 150;
/** How many chunks a search compares component by component: those that differ from the query in the fewest signs. */
export const COMPARED_CLOSELY = 200;
/** Up to this many chunks a search compares with all their embeddings; beyond it, with those of the best by words. */
export const MAX_COMPARED = 20_000;
export const BEST_BY_WORDS = 200;
/** How many chunks a search takes by their embeddings. */
export const NEAREST = 50;
/**
 * The least cosine of a chunk that has to do with the query. It rests on the four pairs in the description of
 * `BAAI/bge-m3`: 0.63 and 0.68 for texts that answer each other, 0.35 for both that do not. Its authors recommend none,
 * and another model needs another one. Only order matters above it, and words find what is below it.
 */
export const LEAST_SIMILARITY = 0.45;
