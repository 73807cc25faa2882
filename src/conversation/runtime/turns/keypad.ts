/** Digits that follow each other within this time are one entry, ms. */
const TOGETHER_MS = 1_500;
const MAX_DIGITS = 100;

/** What somebody enters on the keypad: digits arrive one by one, and form one entry when no more follow. */
export class Keypad {
  readonly #entered: (entry: string) => void;
  #text = "";
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** @param entered is called with each complete entry, as a turn's words */
  constructor(entered: (entry: string) => void) {
    this.#entered = entered;
  }

  press(digits: string): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#text = (this.#text + digits).slice(0, MAX_DIGITS);
    this.#timer = setTimeout(() => {
      const entry = this.take();
      if (entry !== null) this.#entered(entry);
    }, TOGETHER_MS);
  }

  /** Takes what was entered so far; null for nothing. */
  take(): string | null {
    if (this.#timer === null) return null;
    clearTimeout(this.#timer);
    this.#timer = null;
    const entry = `(keypad) ${this.#text}`;
    this.#text = "";
    return entry;
  }
}
