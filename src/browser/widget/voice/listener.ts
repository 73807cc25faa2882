import { Restarts, type Trouble } from "./trouble.ts";

/** The used part of the browser's speech recognition, for which TypeScript's types are incomplete. */
interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
  abort(): void;
  onstart: (() => void) | null;
  onspeechstart: (() => void) | null;
  onspeechend: (() => void) | null;
  onresult: ((event: SpeechRecognitionEvent) => void) | null;
  onerror: ((event: SpeechRecognitionErrorEvent) => void) | null;
  onend: (() => void) | null;
}
type RecognitionMaker = new () => Recognition;

declare global {
  interface Window {
    SpeechRecognition?: RecognitionMaker;
    webkitSpeechRecognition?: RecognitionMaker;
  }
}

export interface ListenerHandlers {
  listening(): void;
  /** The words recognized so far, which may still change. */
  interim(text: string): void;
  /** What was said. */
  final(text: string): void;
  /** Sounds like speech began or ended. */
  sound(on: boolean): void;
  /** Listening ended without a request to stop. */
  failed(trouble: Trouble): void;
}

/** The longest time that a browser takes to confirm a stop, ms. After that it never will. */
const LAST_WORDS_WITHIN_MS = 3000;

/** Listens to the visitor with the browser's speech recognition, and restarts it whenever it ends by itself. */
export class Listener {
  #lang: string;
  readonly #handlers: ListenerHandlers;
  #recognition: Recognition | undefined;
  #restarts = new Restarts();
  #wanted = false;
  #interim = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(lang: string, handlers: ListenerHandlers) {
    this.#lang = lang;
    this.#handlers = handlers;
  }

  /** Whether this browser has speech recognition. */
  static get isOffered(): boolean {
    return maker() !== undefined;
  }

  listen(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    clearTimeout(this.#timer);
    this.#restarts = new Restarts();
    // While the previous recognition has not confirmed its stop, the next one waits for it.
    if (!this.#recognition) this.#start();
  }

  /** Changes the language, which restarts the recognition. */
  language(lang: string): void {
    if (lang === this.#lang) return;
    this.#lang = lang;
    this.#recognition?.stop();
  }

  /** Stops, and still reports what was said before. */
  finish(): void {
    this.#wanted = false;
    clearTimeout(this.#timer);
    if (!this.#recognition) return;
    this.#recognition.stop();
    this.#timer = setTimeout(() => this.abort(), LAST_WORDS_WITHIN_MS);
  }

  /** Stops at once and reports nothing more. */
  abort(): void {
    this.#wanted = false;
    clearTimeout(this.#timer);
    const recognition = this.#recognition;
    this.#recognition = undefined;
    this.#interim = "";
    if (!recognition) return;
    for (const name of ["onstart", "onresult", "onerror", "onend", "onspeechstart", "onspeechend"] as const)
      recognition[name] = null;
    recognition.abort();
  }

  #start(): void {
    const Maker = maker();
    if (!Maker) {
      this.#fail("unsupported");
      return;
    }
    const recognition = new Maker();
    this.#recognition = recognition;
    recognition.lang = this.#lang;
    recognition.interimResults = true;
    // In continuous mode Chrome on Android reports everything twice, so it restarts after each sentence instead.
    recognition.continuous = !matchMedia("(pointer: coarse)").matches;
    let error: string | undefined;
    const begun = Date.now();
    recognition.onstart = () => this.#handlers.listening();
    recognition.onspeechstart = () => this.#handlers.sound(true);
    recognition.onspeechend = () => this.#handlers.sound(false);
    recognition.onresult = (event) => this.#take(event);
    recognition.onerror = (event) => {
      error = event.error;
    };
    recognition.onend = () => this.#ended(error, Date.now() - begun);
    try {
      recognition.start();
    } catch (thrown) {
      const refused = thrown instanceof DOMException && thrown.name === "NotAllowedError";
      this.#ended(refused ? "not-allowed" : undefined, 0);
    }
  }

  #take({ results, resultIndex }: SpeechRecognitionEvent): void {
    this.#restarts.recognized();
    let interim = "";
    for (const result of [...results].slice(resultIndex)) {
      const text = result[0]?.transcript ?? "";
      if (!result.isFinal) {
        interim += text;
        continue;
      }
      this.#interim = "";
      this.#handlers.final(text);
    }
    this.#interim = interim;
    if (interim.trim() !== "") this.#handlers.interim(interim);
  }

  #ended(error: string | undefined, listenedFor: number): void {
    this.#recognition = undefined;
    clearTimeout(this.#timer);
    this.#handlers.sound(false);
    // Safari ends without reporting the last words as final.
    const rest = this.#interim;
    this.#interim = "";
    if (rest.trim() !== "") this.#handlers.final(rest);
    if (!this.#wanted) return;
    const next = this.#restarts.ended(error, listenedFor);
    if (typeof next === "number") this.#timer = setTimeout(() => this.#start(), next);
    else this.#fail(next);
  }

  #fail(trouble: Trouble): void {
    this.#wanted = false;
    this.#handlers.failed(trouble);
  }
}

function maker(): RecognitionMaker | undefined {
  return window.SpeechRecognition ?? window.webkitSpeechRecognition;
}
