/** The tone of a state. Color, shape and word all express it. */
export type Tone = "ok" | "warn" | "bad" | "info" | "idle" | "live";
