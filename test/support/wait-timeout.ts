/** How long a test waits for what is to happen: a second, as vitest does, is too short on a busy machine. */
export const WAIT_TIMEOUT_MS = 60_000;
