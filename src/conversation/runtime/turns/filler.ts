import type { Clock } from "../models/timeouts.ts";
import type { TurnSpeech } from "./turn-speech.ts";

/** The sentence that fills a wait, and after how much silence (ms) it is said. */
export interface FillerSentence {
  words(): string;
  after_ms: number;
}

export interface FillerDependencies {
  /** Null if waits stay silent: in chats, where silence alarms nobody, and where the agent's setting says so. */
  filler: FillerSentence | null;
  /** When (ms) all that was said has been spoken; 0 for nothing. */
  spokenUntil(): number;
  /** ms */
  now(): number;
  after: Clock["after"];
}

/** Fills waits in one answer: once per wait, which lasts until the model's next words. */
export class Filler {
  readonly #deps: FillerDependencies;
  readonly #speech: TurnSpeech;
  #isSaid = false;
  #callOff: () => void = () => {};

  constructor(deps: FillerDependencies, speech: TurnSpeech) {
    this.#deps = deps;
    this.#speech = speech;
  }

  /** A wait begins now, or once all that was said has been spoken. */
  begin(): void {
    const { filler, spokenUntil, now, after } = this.#deps;
    this.#callOff();
    if (filler === null || this.#isSaid) return;
    this.#callOff = after(Math.max(0, spokenUntil() - now()) + filler.after_ms, () => this.say());
  }

  /** The model speaks, so the wait is over. */
  end(): void {
    this.#callOff();
    this.#isSaid = false;
  }

  /** Nobody waits any longer. */
  stop(): void {
    this.#callOff();
    this.#isSaid = true;
  }

  /** Fills the wait now, for one that is known to be long. In the middle of a sentence it would confuse the caller. */
  say(): void {
    const { filler } = this.#deps;
    this.#callOff();
    if (filler === null || this.#isSaid || this.#speech.text !== null) return;
    this.#isSaid = true;
    this.#speech.sayFiller(filler.words());
  }
}
