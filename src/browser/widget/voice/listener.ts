import { Restarts, type Trouble } from "./trouble.ts";

/** The part of the browser's speech recognition that is used here; browsers' own types are incomplete. */
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
  /** The microphone is open. */
  listening(): void;
  /** The words recognized so far, which may still change. */
  interim(text: string): void;
  /** What was said. */
  final(text: string): void;
  /** Somebody makes sounds like speech, or no longer. */
  sound(on: boolean): void;
  /** Listening ended without a request to stop. */
  failed(trouble: Trouble): void;
}

/** A browser confirms a stop within this time, or never. */
const LAST_WORDS_WITHIN_MS = 3000;

/** Listens to the visitor by the browser's speech recognition, which ends often and is begun again. */
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

  /** Whether this browser has the means. */
  static get isOffered(): boolean {
    return maker() !== undefined;
  }

  listen(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    clearTimeout(this.#timer);
    this.#restarts = new Restarts();
    // The previous one has yet to confirm its stop; the next starts then.
    if (!this.#recognition) this.#start();
  }

  /** Listens for another language from now on: the recognition is begun again for that. */
  language(lang: string): void {
    if (lang === this.#lang) return;
    this.#lang = lang;
    this.#recognition?.stop();
  }

  /** Stops; what was said before is still given. */
  finish(): void {
    this.#wanted = false;
    clearTimeout(this.#timer);
    if (!this.#recognition) return;
    this.#recognition.stop();
    this.#timer = setTimeout(() => this.abort(), LAST_WORDS_WITHIN_MS);
  }

  /** Stops at once; nothing more is given. */
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
    // Chrome on Android gives everything twice where it listens on; it is begun again after each sentence instead.
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
    // Safari ends without giving the last words as final.
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
