import type { Cut } from "../models/model.ts";
import { joint } from "./going-on.ts";
import { SpokenText } from "./spoken-text.ts";

/** Maximum length of a turn; a model that does not stop is aborted there. */
const MAX_ANSWER_CHARS = 8_000;
/** How often an unfinished turn is saved, ms, so that a crash loses little of it. */
const WRITE_EVERY_MS = 250;

/** A finished turn of the agent. */
export interface SpokenTurn {
  text: string;
  interrupted: boolean;
  /** The heard part of an interrupted turn, if known. */
  heard?: string;
  /** Why the model's answer was cut. */
  finish?: Cut;
}

export interface SpeechDependencies {
  /** Whether a voice says the words, so that markup and emoji are removed. */
  isSpoken: boolean;
  /** Sends words to the client; `last` ends the turn, whose full text is `whole`. */
  say(words: { text: string; last: boolean; whole: string }): void;
  /** Saves the text so far of the turn that began at `at`, ms. */
  speaking(text: string, at: number): void;
  /** Records a finished turn before anything else is sent. Otherwise a crash would lose words that the caller heard. */
  spoken(turn: SpokenTurn, at: number): void;
  /** Reports the time from the end of the user's turn to the first word of the answer. */
  latency(ms: number): void;
  /** ms */
  now(): number;
}

interface OpenTurn {
  text: string;
  at: number;
  /** When it was last saved, ms. */
  savedAt: number;
}

/** The words of one answer: sent as they arrive, saved while they are spoken, and recorded turn by turn. */
export class TurnSpeech {
  readonly #deps: SpeechDependencies;
  /** When the user's turn ended, ms; null if the agent speaks unprompted. */
  readonly #userTurnEndedAt: number | null;
  #turn: OpenTurn | null = null;
  #hasSpoken = false;
  readonly #spokenText = new SpokenText();

  constructor(deps: SpeechDependencies, userTurnEndedAt: number | null) {
    this.#deps = deps;
    this.#userTurnEndedAt = userTurnEndedAt;
  }

  /** Whether any words were sent. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  /** The text so far of the current turn; null between turns. */
  get text(): string | null {
    return this.#turn?.text ?? null;
  }

  /** Whether the current turn has reached its maximum length. */
  get isFull(): boolean {
    return (this.#turn?.text.length ?? 0) >= MAX_ANSWER_CHARS;
  }

  /** Sends words of the model without leading blanks. Returns whether anything was sent. */
  take(given: string, joins: boolean): boolean {
    const words = this.#deps.isSpoken ? this.#spokenText.push(given) : given;
    if (words === "" || (this.#turn === null && words.trim() === "")) return false;
    this.#say(joins ? joint(this.text ?? "", words) + words : words);
    return true;
  }

  /** Speaks fixed words as a separate turn. */
  sayWhole(text: string, cut: Cut | null = null): void {
    this.#say(text);
    this.#close(cut);
  }

  /** Speaks words that do not count as the answer's first word. */
  sayFiller(words: string): void {
    this.#send(words, this.#deps.now());
    this.#close(null);
  }

  /** Discards held words of a failed answer before the model answers again. */
  beginAnswer(): void {
    this.#spokenText.reset();
  }

  /** Ends the current turn. Returns whether there was one. */
  finish(cut: Cut | null = null): boolean {
    const rest = this.#spokenText.end();
    if (rest.trim() !== "") this.#say(rest);
    return this.#close(cut);
  }

  #close(cut: Cut | null): boolean {
    return this.#end(({ text }) => {
      const turn: SpokenTurn = { text, interrupted: false };
      if (cut !== null) turn.finish = cut;
      return turn;
    });
  }

  /** Ends the current turn in the middle of its words; `heard` is null if unknown. Returns whether there was one. */
  interrupt(heard: string | null): boolean {
    this.#spokenText.reset();
    return this.#end(({ text }) => {
      const turn: SpokenTurn = { text, interrupted: true };
      if (heard !== null) turn.heard = heard;
      return turn;
    });
  }

  #end(recorded: (turn: OpenTurn) => SpokenTurn): boolean {
    const turn = this.#turn;
    if (turn === null) return false;
    const spoken = recorded(turn);
    this.#turn = null;
    this.#deps.spoken(spoken, turn.at);
    // Sent after recording, so that a completely heard turn is recorded completely even after a crash.
    if (!spoken.interrupted) this.#deps.say({ text: "", last: true, whole: turn.text });
    return true;
  }

  #say(words: string): void {
    const now = this.#deps.now();
    const isFirst = !this.#hasSpoken;
    this.#hasSpoken = true;
    this.#send(words, now);
    if (isFirst && this.#userTurnEndedAt !== null) this.#deps.latency(now - this.#userTurnEndedAt);
  }

  #send(words: string, now: number): void {
    const isFirst = this.#turn === null;
    const turn = this.#turn ?? { text: "", at: now, savedAt: 0 };
    const text = words.slice(0, MAX_ANSWER_CHARS - turn.text.length);
    this.#turn = turn;
    turn.text += text;
    this.#deps.say({ text, last: false, whole: turn.text });
    if (isFirst || now - turn.savedAt >= WRITE_EVERY_MS) {
      turn.savedAt = now;
      this.#deps.speaking(turn.text, turn.at);
    }
  }
}
