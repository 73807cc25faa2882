/** What is compared: our search by words, by words and meaning, and SQLite's index of the same chunks. */
export const SIDES = ["plain", "words", "both"] as const;
export type Side = (typeof SIDES)[number];

/** What the plain index finds. */
export type Plain = { document: string; text: string };

/** How the names of accounts begin that make embeddings, and of those whose queries get none. */
export const EMBEDDED = "embedded";
export const SILENT = "silent";
