/** How long the stand-in takes for its first word and between two of them, ms: about as a quick model does. */
export const FIRST_WORD_MS = 100;
export const BETWEEN_WORDS_MS = 20;

/** How the callers show whose session it is: in their first frame, as carriers do, or in the handshake. */
export type Handshake = "frame" | "header";

/** The task of a process of callers. */
export interface Orders {
  url: string;
  /** The model's address, which some turns call directly for comparison. */
  model_url: string;
  handshake: Handshake;
  /** The session's token of each caller. */
  tokens: string[];
  /** What each says, and how long it thinks before, ms. */
  turns: number;
  pause_ms: { least: number; most: number };
  seed: number;
}

/** What a process of callers reports: that all are greeted, then the results. Times in ms. */
export type Told = { type: "greeted"; after_ms: number[] } | ({ type: "done" } & Outcome);

export interface Outcome {
  /** From the words to the first word of the answer, without what the model took for it. */
  added_ms: number[];
  /** The same of a request that goes straight to the model: what this machine adds by itself. */
  floor_ms: number[];
  /** How long all of it took. */
  took_ms: number;
  /** How late the process of the callers itself was, at worst and for 1 in 100 times. */
  own_delay_ms: { p99: number; most: number };
}
