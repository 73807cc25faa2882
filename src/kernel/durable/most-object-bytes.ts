/**
 * The size in bytes above which an object refuses work that can wait. The platform refuses every write at 10 GB, so the
 * remainder is for work in progress.
 */
export const MOST_OBJECT_BYTES = 9_000_000_000;
