import { createSignal } from "solid-js";

/** How often distances in time are written anew, ms. */
const TICK_MS = 15_000;
const [now, setNow] = createSignal(Date.now());
setInterval(() => setNow(Date.now()), TICK_MS);

/** The time, ms, for what is written relative to it. */
export { now };
