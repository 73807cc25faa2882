/** What is compared: our search by words, by words and meaning, and SQLite's index of the same chunks. */
export const SIDES = ["plain", "words", "both"] as const;
export type Side = (typeof SIDES)[number];

/** What the plain index finds. */
export type Plain = { document: string; text: string };

/** The name of the account that makes no embeddings. */
export const WITHOUT_EMBEDDINGS = "words";

/** What the stand-in of the embedding service does with queries. */
export type Queries = "answered" | "refused" | "unanswered";
