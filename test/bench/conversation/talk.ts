/** The stand-in's delay before its first word and between words, ms, like a fast model's. */
export const FIRST_WORD_MS = 100;
export const BETWEEN_WORDS_MS = 20;

/** What callers say: something that the model answers directly, or something that it looks up first. */
export const SAYS = { plain: "What can you do?", lookedUp: "Please look it up." };

/** How callers present their session's token: in the first frame, as carriers do, or in the handshake. */
export type Handshake = "frame" | "header";

/** The task of a process of callers. */
export interface Orders {
  url: string;
  /** The model's address, which some turns call directly for comparison. */
  model_url: string;
  handshake: Handshake;
  /** The session's token of each caller. */
  tokens: string[];
  /** How often each caller says `says`, and how long it waits before that, ms. */
  turns: number;
  says: string;
  pause_ms: { least: number; most: number };
  seed: number;
}

/** A report of the callers' process: first that all are greeted, then the results. Times in ms. */
export type Told = { type: "greeted"; after_ms: number[] } | ({ type: "done" } & Outcome);

export interface Outcome {
  /** From the caller's words to the first word of the answer, without the model's time. */
  added_ms: number[];
  /** The same for requests sent directly to the model: the overhead of this machine. */
  floor_ms: number[];
  /** Total time. */
  took_ms: number;
  /** Delays of the callers' process itself: the maximum and the 99th percentile. */
  own_delay_ms: { p99: number; most: number };
}
