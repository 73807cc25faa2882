import type { Clock } from "../models/timeouts.ts";

/** Digits entered within this time form one entry, ms. It is long because people look numbers up while they type. */
const TOGETHER_MS = 3_000;
const MAX_DIGITS = 100;
/** Submits the entry. */
const SUBMIT = "#";

/** Collects digits from the keypad into entries, which end at `#` or after a pause. */
export class Keypad {
  readonly #entered: (entry: string) => void;
  readonly #after: Clock["after"];
  #text = "";
  #callOff: () => void = () => {};

  /** @param entered is called with each complete entry as a turn's words */
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

  /** Returns the unfinished entry and clears it; null for none. */
  take(): string | null {
    this.#callOff();
    if (this.#text === "") return null;
    const entry = `(keypad) ${this.#text}`;
    this.#text = "";
    return entry;
  }
}
