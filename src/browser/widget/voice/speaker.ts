import { chooseVoice } from "./choose-voice.ts";
import { Player } from "./player.ts";
import type { Speech } from "./speech.ts";

export interface SpeakerHandlers {
  /** An utterance begins, or is over. */
  changed(): void;
  /** The browser does not speak, though it says that it can. */
  failed(): void;
}

/** A browser without a voice takes utterances and never begins them. */
const BEGINS_WITHIN_MS = 5000;
/** The service gives up on a voice after two seconds; the rest is the network's. */
const FETCHED_WITHIN_MS = 10_000;
/** No voice is so slow. */
const MS_A_CHAR = 250;

/** The agent's voice: speaks one utterance at a time, with a voice of the agent's own or the browser's. */
export class Speaker {
  readonly #speech: Speech;
  /** The language of what is spoken from now on. */
  lang: string;
  readonly #handlers: SpeakerHandlers;
  /** Referenced because Chrome drops the events of an unreferenced utterance. */
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

  /** Whether this browser has the means. */
  static get isOffered(): boolean {
    return "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;
  }

  /** Speaks the waiting utterances, unless it does already. */
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
    // The page has silenced all speech, which is its right.
    utterance.onerror = ({ error }) =>
      error === "canceled" || error === "interrupted" ? this.#done(utterance) : this.#fail(utterance);
    this.#expect(utterance, BEGINS_WITHIN_MS);
    speechSynthesis.resume();
    speechSynthesis.speak(utterance);
    this.#handlers.changed();
  }

  /** Falls silent at once. */
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

/** Where the last word ends that was said whole after so many characters. */
function wordEnd(text: string, chars: number): number {
  const said = text.slice(0, chars);
  return said.length === text.length || !text.includes(" ") ? said.length : said.lastIndexOf(" ") + 1;
}
