import { createSignal } from "solid-js";

/** Interval at which relative times are updated, ms. */
const TICK_MS = 15_000;
const [now, setNow] = createSignal(Date.now());
setInterval(() => setNow(Date.now()), TICK_MS);

/** The current time in ms, for relative times. */
export { now };
