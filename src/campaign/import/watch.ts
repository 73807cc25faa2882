/** An import without progress for this long was interrupted with its process, ms. */
export const IMPORT_WATCH_MS = 30_000;
