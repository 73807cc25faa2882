/**
 * The size, bytes, at which an object takes nothing more that can wait. The platform refuses every write at 10 GB; the rest
 * is for work under way.
 */
export const MOST_OBJECT_BYTES = 9_000_000_000;
