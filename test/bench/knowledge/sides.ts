/** The compared searches: by words, by words and meaning, and SQLite's index of the same chunks. */
export const SIDES = ["plain", "words", "both"] as const;
export type Side = (typeof SIDES)[number];

/** A result of the plain index. */
export type Plain = { document: string; text: string };

/** The name of the account that creates no embeddings. */
export const WITHOUT_EMBEDDINGS = "words";

/** How the stand-in of the embedding service responds to queries. */
export type Queries = "answered" | "refused" | "unanswered";
