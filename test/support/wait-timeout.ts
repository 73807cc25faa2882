/** How long tests wait for a condition. Vitest's default of a second is too short on a busy machine. */
export const WAIT_TIMEOUT_MS = 60_000;
