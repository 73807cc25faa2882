/** After how much silence (ms) a caller hears the filler, where the agent says nothing else, and the longest setting. */
export const DEFAULT_FILLER_AFTER_MS = 1_500;
export const MAX_FILLER_AFTER_MS = 10_000;
