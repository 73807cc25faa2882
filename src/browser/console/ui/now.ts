import { createSignal } from "solid-js";

/** How often relative times are updated, ms. */
const TICK_MS = 15_000;
const [now, setNow] = createSignal(Date.now());
setInterval(() => setNow(Date.now()), TICK_MS);

/** The time, ms, for what is written relative to it. */
export { now };
