import { TIMERS } from "../../src/conversation/runtime/models/timeouts.ts";

/** From this time (ms) on, timers of conversations are limits for vendors that do not answer, which callers never reach. */
const SHORTEST_LIMIT_MS = 4_000;

const { after } = TIMERS;
// Answers of models and searches may take long on a busy machine. Tests of the limits replace the timers or the clock.
TIMERS.after = (ms, run) => (ms < SHORTEST_LIMIT_MS ? after(ms, run) : () => {});
