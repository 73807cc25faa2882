import { TIMERS } from "../../src/conversation/runtime/models/timeouts.ts";

/** Timers of this length (ms) and longer never fire, because most of them limit how long a vendor may take. */
const SHORTEST_LIMIT_MS = 4_000;

const { after } = TIMERS;
// On a busy machine, the vendors that tests simulate are slow. Tests that need long timers replace them or the clock.
TIMERS.after = (ms, run) => (ms < SHORTEST_LIMIT_MS ? after(ms, run) : () => {});
