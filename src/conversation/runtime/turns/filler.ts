import type { Clock } from "../models/timeouts.ts";
import type { TurnSpeech } from "./turn-speech.ts";

/** The sentence that fills a wait, and the silence (ms) before it is said. */
export interface FillerSentence {
  words(): string;
  after_ms: number;
}

export interface FillerDependencies {
  /** Null if waits stay silent: in chats, and if the agent's setting says so. */
  filler: FillerSentence | null;
  /** When (ms) all words will have been spoken; 0 if there are none. */
  spokenUntil(): number;
  /** ms */
  now(): number;
  after: Clock["after"];
}

/** Fills waits in one answer, once per wait, which lasts until the model's next words. */
export class Filler {
  readonly #deps: FillerDependencies;
  readonly #speech: TurnSpeech;
  #isSaid = false;
  #callOff: () => void = () => {};

  constructor(deps: FillerDependencies, speech: TurnSpeech) {
    this.#deps = deps;
    this.#speech = speech;
  }

  /** Begins a wait, now or once all words have been spoken. */
  begin(): void {
    const { filler, spokenUntil, now, after } = this.#deps;
    this.#callOff();
    if (filler === null || this.#isSaid) return;
    this.#callOff = after(Math.max(0, spokenUntil() - now()) + filler.after_ms, () => this.say());
  }

  end(): void {
    this.#callOff();
    this.#isSaid = false;
  }

  stop(): void {
    this.#callOff();
    this.#isSaid = true;
  }

  /** Fills the wait now because it is known to be long. Never in the middle of a sentence. */
  say(): void {
    const { filler } = this.#deps;
    this.#callOff();
    if (filler === null || this.#isSaid || this.#speech.text !== null) return;
    this.#isSaid = true;
    this.#speech.sayFiller(filler.words());
  }
}
