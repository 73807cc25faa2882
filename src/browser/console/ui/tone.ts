/** How a thing is; colour, shape and word say the same. */
export type Tone = "ok" | "warn" | "bad" | "info" | "idle" | "live";
