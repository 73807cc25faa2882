/**
 * The size in bytes above which an object refuses whatever can wait. The platform refuses every write at 10 GB; the
 * remainder is for work in progress.
 */
export const MOST_OBJECT_BYTES = 9_000_000_000;
