import { chooseVoice } from "./choose-voice.ts";
import { Player } from "./player.ts";
import type { Speech } from "./speech.ts";

export interface SpeakerHandlers {
  /** An utterance began or ended. */
  changed(): void;
  /** The browser does not speak, although it claims that it can. */
  failed(): void;
}

/** How long an utterance may take to begin, ms: a browser without a voice accepts utterances but never begins them. */
const BEGINS_WITHIN_MS = 5000;
/**
 * How long a part may take to arrive, ms. The service gives up on a vendor's voice after 2 s; the network needs the
 * rest.
 */
const FETCHED_WITHIN_MS = 10_000;
/** The longest time per character, ms: slower than any voice. */
const MS_A_CHAR = 250;

/** Speaks one utterance at a time, with the agent's own voice or the browser's. */
export class Speaker {
  readonly #speech: Speech;
  /** The language of what is spoken from now on. */
  lang: string;
  readonly #handlers: SpeakerHandlers;
  /** Kept because Chrome drops the events of an unreferenced utterance. */
  #utterance: SpeechSynthesisUtterance | undefined;
  readonly #player = new Player();
  /** The part that the agent's own voice is saying. */
  #playing: object | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;

  constructor(speech: Speech, lang: string, handlers: SpeakerHandlers) {
    this.#speech = speech;
    this.lang = lang;
    this.#handlers = handlers;
  }

  /** Whether this browser has speech synthesis. */
  static get isOffered(): boolean {
    return "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;
  }

  /** Speaks the waiting utterances, unless it is already speaking. */
  speak(): void {
    this.#player.ahead(this.#speech.addresses);
    if (this.#utterance || this.#playing) return;
    const next = this.#speech.next();
    if (!next) return;
    if (next.address !== undefined) {
      this.#play(next.address, next.text);
      return;
    }
    const utterance = new SpeechSynthesisUtterance(next.text);
    this.#utterance = utterance;
    utterance.lang = this.lang;
    utterance.voice = chooseVoice(speechSynthesis.getVoices(), this.lang) ?? null;
    utterance.onstart = () => this.#expect(utterance, 10_000 + next.text.length * MS_A_CHAR);
    utterance.onboundary = ({ charIndex }) => {
      if (this.#utterance === utterance) this.#speech.reached(charIndex);
    };
    utterance.onend = () => this.#done(utterance);
    // The page may cancel all speech, so that is not a failure.
    utterance.onerror = ({ error }) =>
      error === "canceled" || error === "interrupted" ? this.#done(utterance) : this.#fail(utterance);
    this.#expect(utterance, BEGINS_WITHIN_MS);
    speechSynthesis.resume();
    speechSynthesis.speak(utterance);
    this.#handlers.changed();
  }

  /** Stops speaking at once. */
  hush(): void {
    clearTimeout(this.#watch);
    this.#playing = undefined;
    this.#player.stop();
    if (!this.#utterance) return;
    this.#utterance = undefined;
    speechSynthesis.cancel();
  }

  #play(address: string, text: string): void {
    const playing = {};
    this.#playing = playing;
    const isCurrent = () => this.#playing === playing;
    const fallBack = () => {
      if (!isCurrent()) return;
      this.hush();
      this.#speech.fallBack();
      this.speak();
    };
    const within = (ms: number) => {
      clearTimeout(this.#watch);
      this.#watch = setTimeout(fallBack, ms);
    };
    const progress = {
      begins: () => isCurrent() && within(10_000 + text.length * MS_A_CHAR),
      reached: (share: number) => isCurrent() && this.#speech.reached(wordEnd(text, share * text.length)),
    };
    within(FETCHED_WITHIN_MS);
    this.#player.play(address, progress).then(() => isCurrent() && this.#played(), fallBack);
    this.#handlers.changed();
  }

  #played(): void {
    clearTimeout(this.#watch);
    this.#playing = undefined;
    this.#speech.ended(Date.now());
    this.#handlers.changed();
    this.speak();
  }

  #expect(utterance: SpeechSynthesisUtterance, within: number): void {
    if (this.#utterance !== utterance) return;
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#fail(utterance), within);
  }

  #done(utterance: SpeechSynthesisUtterance): void {
    if (this.#utterance !== utterance) return;
    clearTimeout(this.#watch);
    this.#utterance = undefined;
    this.#speech.ended(Date.now());
    this.#handlers.changed();
    this.speak();
  }

  #fail(utterance: SpeechSynthesisUtterance): void {
    if (this.#utterance !== utterance) return;
    this.hush();
    this.#handlers.failed();
  }
}

/** Returns the end of the last word that was said completely within this many characters. */
function wordEnd(text: string, chars: number): number {
  const said = text.slice(0, chars);
  return said.length === text.length || !text.includes(" ") ? said.length : said.lastIndexOf(" ") + 1;
}
