/** Time without progress after which an import counts as interrupted, ms. */
export const IMPORT_WATCH_MS = 30_000;
