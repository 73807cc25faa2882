import type { Clock } from "../models/timeouts.ts";

/** Digits that follow each other within this time are one entry, ms: people look a number up while they type it. */
const TOGETHER_MS = 3_000;
const MAX_DIGITS = 100;
/** Submits what was entered before it. */
const SUBMIT = "#";

/** What somebody enters on the keypad: digits arrive one by one, and form one entry at `#` or when no more follow. */
export class Keypad {
  readonly #entered: (entry: string) => void;
  readonly #after: Clock["after"];
  #text = "";
  #callOff: () => void = () => {};

  /** @param entered is called with each complete entry, as a turn's words */
  constructor(entered: (entry: string) => void, after: Clock["after"]) {
    this.#entered = entered;
    this.#after = after;
  }

  press(digits: string): void {
    for (const digit of digits) {
      this.#callOff();
      if (digit === SUBMIT && this.#text !== "") this.#submit();
      else {
        this.#text = (this.#text + digit).slice(0, MAX_DIGITS);
        this.#callOff = this.#after(TOGETHER_MS, () => this.#submit());
      }
    }
  }

  #submit(): void {
    const entry = this.take();
    if (entry !== null) this.#entered(entry);
  }

  /** Takes what was entered so far; null for nothing. */
  take(): string | null {
    this.#callOff();
    if (this.#text === "") return null;
    const entry = `(keypad) ${this.#text}`;
    this.#text = "";
    return entry;
  }
}
