/** An import that shows no sign of life for this long (ms) was cut off with its process. */
export const IMPORT_WATCH_MS = 30_000;
