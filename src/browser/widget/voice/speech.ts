import { SentenceCutter, speakable, utterances } from "./sentences.ts";

/** A text that is spoken in one piece. */
export interface Utterance {
  text: string;
  interruptible: boolean;
  turn: number;
  /** The address of the audio in the agent's own voice; undefined for the browser's voice. */
  address?: string;
}

/** The most utterances that wait. Further ones are dropped, because their text is on the screen. */
const MAX_WAITING = 60;
/** How long the microphone may hear the voice after it ended, ms. */
const ECHO_MS = 2000;

/** The queue of utterances: what waits, what is being spoken, and how much was spoken. */
export class Speech {
  readonly #cutter = new SentenceCutter();
  #waiting: Utterance[] = [];
  #current: Utterance | undefined;
  /** How much of the current utterance was spoken, characters. */
  #reached = 0;
  #turn = 0;
  /** The text received so far of a turn that has not arrived completely; undefined if there is none. */
  #open: string | undefined;
  /** The text received so far of an interrupted turn, so that the rest of it is recognized and not spoken. */
  #cut: string | undefined;
  /** The parts of the newest turn that were spoken to their end. */
  #finished: string[] = [];
  /** The text received since the last part that has audio in the agent's own voice. */
  #part = "";
  /** The turn that the browser's voice speaks because the agent's own failed. */
  #failedTurn: number | undefined;
  #recent: { text: string; endedAt: number }[] = [];

  get current(): Utterance | undefined {
    return this.#current;
  }

  /** Whether the agent is speaking or has more to say. */
  get isBusy(): boolean {
    return this.#current !== undefined || this.#waiting.length > 0;
  }

  /** Whether the visitor may not interrupt now. */
  get isLocked(): boolean {
    return (this.#current ?? this.#waiting[0])?.interruptible === false;
  }

  /** The addresses of the audio of the current and the waiting utterances, in order. */
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
    // The browser speaks text without audio.
    this.#queue([this.#part], interruptible);
    this.#part = "";
    this.#open = undefined;
  }

  /** Lets the browser speak the current utterance and the rest of its turn, because the agent's own voice failed. */
  fallBack(): void {
    const failed = this.#current;
    if (!failed) return;
    this.#failedTurn = failed.turn;
    this.#current = undefined;
    this.#waiting = [failed, ...this.#waiting].flatMap((one) =>
      one.turn === failed.turn && one.address !== undefined ? inBrowser(one) : [one],
    );
  }

  /** Makes the next utterance the current one and returns it. */
  next(): Utterance | undefined {
    this.#current = this.#waiting.shift();
    this.#reached = 0;
    return this.#current;
  }

  /** Records that the current utterance was spoken up to this character. */
  reached(char: number): void {
    this.#reached = Math.max(this.#reached, char);
  }

  /** Records that the current utterance was spoken to its end. */
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

  /** Records that the visitor spoke, so that the next words are the answer. */
  answered(): void {
    this.#cut = undefined;
    this.#open = undefined;
    this.#cutter.flush();
    this.#part = "";
  }

  /** Returns the spoken text that a microphone may have picked up since the time `since`. */
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

/** Splits a part into utterances that are short enough for the browser. */
function inBrowser({ text, interruptible, turn }: Utterance): Utterance[] {
  return utterances(text).map((short) => ({ text: short, interruptible, turn }));
}
