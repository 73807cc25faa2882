import { SentenceCutter, speakable, utterances } from "./sentences.ts";

/** What is said in one breath. */
export interface Utterance {
  text: string;
  interruptible: boolean;
  turn: number;
  /** Where the agent's own voice says it; undefined for the browser's. */
  address?: string;
}

/** More are not kept: what they say is on the screen. */
const MAX_WAITING = 60;
/** How long after it was said a microphone may still hear the voice. */
const ECHO_MS = 2000;

/** What the agent has yet to say, what it is saying, and how much was spoken aloud. */
export class Speech {
  readonly #cutter = new SentenceCutter();
  #waiting: Utterance[] = [];
  #current: Utterance | undefined;
  /** How much of the current one was spoken, characters. */
  #reached = 0;
  #turn = 0;
  /** The spoken part of a turn that has not arrived completely. */
  #open: string | undefined;
  /** The result of an interrupted turn, while more of it may still arrive. */
  #cut: string | undefined;
  /** For the newest turn, what was spoken to its end. */
  #finished: string[] = [];
  /** What came since the last part that the agent's own voice says. */
  #part = "";
  /** The turn that the browser says, because the agent's own voice failed. */
  #failedTurn: number | undefined;
  #recent: { text: string; endedAt: number }[] = [];

  /** The utterance that is being spoken. */
  get current(): Utterance | undefined {
    return this.#current;
  }

  /** Whether the agent is speaking or has more to say. */
  get isBusy(): boolean {
    return this.#current !== undefined || this.#waiting.length > 0;
  }

  /** Whether nobody may cut in now. */
  get isLocked(): boolean {
    return (this.#current ?? this.#waiting[0])?.interruptible === false;
  }

  /** Where the agent's own voice says what is being spoken or waits, in order. */
  get addresses(): string[] {
    const all = this.#current ? [this.#current, ...this.#waiting] : this.#waiting;
    return all.flatMap(({ address }) => address ?? []);
  }

  delta(text: string, interruptible: boolean, address?: string | null): void {
    if (this.#cut !== undefined) {
      this.#cut += text;
      return;
    }
    this.#begin();
    this.#open += text;
    if (address === undefined) this.#queue(this.#cutter.push(text), interruptible);
    else this.#addPart(text, interruptible, address);
  }

  message(whole: string, interruptible: boolean, address?: string | null): void {
    const cut = this.#cut;
    this.#cut = undefined;
    if (cut === whole) return;
    this.#begin();
    const spokenText = this.#open ?? "";
    const rest = whole.startsWith(spokenText) ? whole.slice(spokenText.length) : "";
    if (address === undefined) this.#queue([...this.#cutter.push(rest), this.#cutter.flush()], interruptible);
    else this.#addPart(rest, interruptible, address);
    // What no voice of the agent's own says, the browser says.
    this.#queue([this.#part], interruptible);
    this.#part = "";
    this.#open = undefined;
  }

  /** The agent's own voice cannot say the current utterance: the browser says it, and the rest of its turn. */
  fallBack(): void {
    const failed = this.#current;
    if (!failed) return;
    this.#failedTurn = failed.turn;
    this.#current = undefined;
    this.#waiting = [failed, ...this.#waiting].flatMap((one) =>
      one.turn === failed.turn && one.address !== undefined ? inBrowser(one) : [one],
    );
  }

  /** The next one to speak, which is then the current. */
  next(): Utterance | undefined {
    this.#current = this.#waiting.shift();
    this.#reached = 0;
    return this.#current;
  }

  /** The voice has come to this character of the current utterance. */
  reached(char: number): void {
    this.#reached = Math.max(this.#reached, char);
  }

  /** The current utterance was said to its end. */
  ended(now: number): void {
    const current = this.#current;
    if (!current) return;
    if (current.turn === this.#turn) this.#finished.push(current.text);
    this.#leave(current, now);
  }

  /** Stops speaking and returns how much of the latest turn was spoken. */
  cut(now: number): string {
    const current = this.#current;
    const spoken = [...this.#finished];
    if (current?.turn === this.#turn) spoken.push(current.text.slice(0, this.#reached).trim());
    if (current) this.#leave(current, now);
    this.#waiting = [];
    this.#cut = this.#open;
    this.#open = undefined;
    this.#cutter.flush();
    this.#part = "";
    return spoken.filter((text) => text !== "").join(" ");
  }

  /** The visitor has said something: what comes now is the answer to it. */
  answered(): void {
    this.#cut = undefined;
    this.#open = undefined;
    this.#cutter.flush();
    this.#part = "";
  }

  /** What a microphone may have picked up of the voice since then. */
  audible(since: number): string {
    const before = this.#recent.filter(({ endedAt }) => endedAt > since - ECHO_MS).map(({ text }) => text);
    return [...before, this.#current?.text ?? ""].join(" ");
  }

  #begin(): void {
    if (this.#open !== undefined) return;
    this.#open = "";
    this.#turn++;
    this.#finished = [];
  }

  #queue(sentences: string[], interruptible: boolean): void {
    const turn = this.#turn;
    for (const text of sentences.flatMap(utterances)) {
      if (this.#waiting.length < MAX_WAITING) this.#waiting.push({ text, interruptible, turn });
    }
  }

  #addPart(words: string, interruptible: boolean, address: string | null): void {
    this.#part += words;
    if (address === null) return;
    const part = { text: speakable(this.#part), interruptible, turn: this.#turn, address };
    this.#part = "";
    if (part.text === "" || this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push(...(part.turn === this.#failedTurn ? inBrowser(part) : [part]));
  }

  #leave({ text }: Utterance, now: number): void {
    this.#recent = [...this.#recent.filter(({ endedAt }) => endedAt > now - 10 * ECHO_MS), { text, endedAt: now }];
    this.#current = undefined;
  }
}

/** A part as the browser says it: in utterances that are short enough. */
function inBrowser({ text, interruptible, turn }: Utterance): Utterance[] {
  return utterances(text).map((short) => ({ text: short, interruptible, turn }));
}
