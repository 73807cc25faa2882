/** The silence (ms) after which a caller hears the filler by default, and the longest setting. */
export const DEFAULT_FILLER_AFTER_MS = 1_500;
export const MAX_FILLER_AFTER_MS = 10_000;
