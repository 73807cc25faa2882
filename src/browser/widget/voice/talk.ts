import type { Voice, VoiceHost } from "./contract.ts";
import { Controls } from "./controls.ts";
import { LEAST_ECHO_AFTER, withoutEcho } from "./echo.ts";
import { Listener } from "./listener.ts";
import { Meter } from "./meter.ts";
import { Speaker } from "./speaker.ts";
import { Speech } from "./speech.ts";
import { adviceOn, type Trouble } from "./trouble.ts";

/** The arguments of a `delta` or a `message`. */
type Words = [text: string, interruptible: boolean, speech?: string | null];

const MAX_MESSAGE_CHARS = 4000;
/** The level shown if it is only known that the visitor speaks. */
const GUESSED_LEVEL = 0.6;

/** A spoken conversation: decides who speaks when, handles interruptions, and sends what the visitor says. */
export class Talk implements Voice {
  readonly #host: VoiceHost;
  readonly #speech = new Speech();
  readonly #speaker: Speaker;
  readonly #listener: Listener;
  readonly #controls: Controls;
  readonly #meter: Meter;
  readonly #away = new AbortController();
  #isOn = false;
  /** Whether the browser has opened the microphone; before that it may be asking the visitor for permission. */
  #isOpen = false;
  #isMuted = false;
  #hasNoVoice = !Speaker.isOffered;
  /** The agent's last words while the microphone was off; they are spoken when it is switched on. */
  #unspoken: { pieces: Words[]; whole: Words } | undefined;
  /** The pieces of a turn that arrived while the microphone was off. */
  #pieces: Words[] = [];
  /** The visitor's words while the agent must not be interrupted. */
  #kept: string[] = [];
  #interim = "";
  /**
   * When the speech that is being recognized began, which may be the visitor's or an echo, and whether the agent was
   * speaking then.
   */
  #began: { at: number; during: boolean } | undefined;

  constructor(host: VoiceHost) {
    this.#host = host;
    this.#controls = new Controls(host.place, host.agentName, { talk: () => this.#toggle(), mute: () => this.#mute() });
    this.#speaker = new Speaker(this.#speech, host.lang, {
      changed: () => this.#voiceChanged(),
      failed: () => this.#onSpeakerFailed(),
    });
    this.#meter = new Meter((level) => this.#controls.level(level));
    this.#listener = new Listener(host.lang, {
      listening: () => this.#listening(),
      interim: (text) => this.#onInterim(text),
      final: (text) => this.#onFinal(text),
      sound: (on) => {
        if (!this.#meter.isOn) this.#controls.level(on ? GUESSED_LEVEL : 0);
      },
      failed: (trouble) => this.#onListenerFailed(trouble),
    });
    const { signal } = this.#away;
    document.addEventListener("visibilitychange", () => this.#pause(document.hidden), { signal });
    addEventListener("pagehide", () => this.#off(), { signal });
  }

  delta(...words: Words): void {
    if (!this.#isOn) this.#pieces.push(words);
    if (!this.#speaks) return;
    this.#speech.delta(...words);
    this.#speaker.speak();
  }

  message(...words: Words): void {
    if (!this.#isOn) this.#unspoken = { pieces: this.#pieces.splice(0), whole: words };
    if (!this.#speaks) return;
    this.#speech.message(...words);
    this.#speaker.speak();
  }

  language(lang: string): void {
    this.#speaker.lang = lang;
    this.#listener.language(lang);
  }

  said(): void {
    this.#unspoken = undefined;
    this.#pieces = [];
    if (this.#speech.isBusy && !this.#speech.isLocked) this.#cutIn();
    this.#speech.answered();
  }

  finish(): void {
    this.#isOn = false;
    this.#listener.abort();
    this.#meter.stop();
    this.#kept = [];
    this.#interim = "";
    this.#began = undefined;
    this.#show();
  }

  stop(): void {
    this.#away.abort();
    this.#off();
    this.#controls.remove();
  }

  get #speaks(): boolean {
    return this.#isOn && !this.#isMuted && !this.#hasNoVoice;
  }

  #toggle(): void {
    if (!this.#isOn) {
      this.#isOn = true;
      this.#isOpen = false;
      this.#host.status("");
      this.#listener.listen();
    } else {
      this.#isOn = false;
      this.#hush();
      this.#meter.stop();
      this.#listener.finish();
    }
    this.#show();
  }

  /** Handles the opening of the microphone. */
  #listening(): void {
    if (!this.#isOn) return;
    this.#isOpen = true;
    this.#caption();
    void this.#meter.start();
    const unspoken = this.#unspoken;
    this.#unspoken = undefined;
    this.#pieces = [];
    for (const piece of unspoken?.pieces ?? []) this.delta(...piece);
    if (unspoken) this.message(...unspoken.whole);
  }

  /** Stops everything at once. */
  #off(): void {
    this.finish();
    this.#hush();
  }

  #mute(): void {
    this.#isMuted = !this.#isMuted;
    if (this.#isMuted) this.#hush();
    this.#show();
  }

  /** Stops listening while the page is hidden. */
  #pause(hidden: boolean): void {
    if (!this.#isOn) return;
    if (hidden) {
      this.#meter.stop();
      this.#listener.finish();
    } else this.#listener.listen();
  }

  /** Silences the agent's voice without an interruption, because its text is on the screen. */
  #hush(): void {
    this.#speaker.hush();
    this.#speech.cut(Date.now());
    this.#speech.answered();
    this.#flush();
  }

  #onSpeakerFailed(): void {
    this.#hasNoVoice = true;
    this.#hush();
    this.#host.status("Your browser has no voice for this language. Answers are shown as text.");
    this.#show();
  }

  #onListenerFailed(trouble: Trouble): void {
    this.#off();
    this.#host.status(adviceOn(trouble));
  }

  #onInterim(text: string): void {
    const words = this.#visitors(text);
    // A single word after an echo may turn out to be part of the echo.
    this.#interim = words === text.trim() || words.includes(" ") ? words : "";
    if (this.#interim !== "" && this.#speech.isBusy && !this.#speech.isLocked) this.#cutIn();
    this.#caption();
  }

  #onFinal(text: string): void {
    const words = this.#visitors(text);
    this.#began = undefined;
    this.#interim = "";
    if (words !== "") this.#kept.push(words);
    if (!this.#speech.isLocked) this.#flush();
    this.#caption();
  }

  /** Returns the recognized words without the agent's voice. */
  #visitors(text: string): string {
    this.#began ??= { at: Date.now(), during: this.#speech.isBusy };
    const { at, during } = this.#began;
    return withoutEcho(text, this.#speech.audible(at), during ? 1 : LEAST_ECHO_AFTER);
  }

  #cutIn(): void {
    this.#speaker.hush();
    this.#host.interrupt(this.#speech.cut(Date.now()));
  }

  #voiceChanged(): void {
    if (!this.#speech.isLocked) this.#flush();
    this.#caption();
  }

  #flush(): void {
    const words = this.#kept.splice(0).join(" ").slice(0, MAX_MESSAGE_CHARS);
    if (words !== "") this.#host.say(words);
  }

  #show(): void {
    this.#controls.show({ listening: this.#isOn, muted: this.#isMuted, voice: !this.#hasNoVoice });
    this.#caption();
  }

  #caption(): void {
    const listening = this.#isOpen ? "Listening…" : "Waiting for the microphone…";
    this.#controls.caption(this.#interim, this.#speech.isBusy ? `${this.#host.agentName} is speaking…` : listening);
  }
}
