import { type Found, redactTexts } from "./redact.ts";
import type { RedactKind } from "./spans.ts";
import { noWork, type Work } from "./work.ts";

/**
 * The number of surrounding characters that can affect how a text is redacted. The longest number, IBAN or run of
 * digits that may count as a card number is shorter, including all words and separators that it may contain (19 digits
 * of 35 characters each, with 144 characters between them).
 */
const CONTEXT_CHARS = 4_000;

/**
 * Texts that are read as one and arrive one by one. Redacting the next takes time proportional to its length and
 * `CONTEXT_CHARS`, not to everything before it; the results are the same as for redacting them all at once.
 */
export class LiveTexts {
  readonly #kinds: ReadonlySet<RedactKind>;
  readonly #work: Work;
  /** The texts that are not settled, in order, preceded by those that may affect them. */
  #recent: { seq: number; text: string }[] = [];
  #settledOfRecent = 0;
  #hasNew = false;
  readonly #found = new Map<number, Found[]>();

  /** @param work is increased by the amount of text that was examined */
  constructor(kinds: ReadonlySet<RedactKind>, work: Work = noWork()) {
    this.#kinds = kinds;
    this.#work = work;
  }

  add(seq: number, text: string): void {
    this.#recent.push({ seq, text });
    this.#hasNew = true;
  }

  /** Returns what was found in a text; null while later texts may still change it. */
  found(seq: number): readonly Found[] | null {
    return this.#found.get(seq) ?? null;
  }

  /** Redacts the new texts. @param isOver whether no text follows */
  settle(isOver: boolean): void {
    if (!this.#hasNew && !(isOver && this.#settledOfRecent < this.#recent.length)) return;
    this.#hasNew = false;
    const texts = this.#recent.map(({ text }) => text);
    const { stretches, settled } = redactTexts(texts, this.#kinds, this.#work);
    const decided = isOver ? texts.length : Math.max(settled, this.#before(texts.length));
    for (let n = this.#settledOfRecent; n < decided; n++) {
      const seq = this.#recent[n]?.seq;
      if (seq !== undefined) this.#found.set(seq, stretches[n] ?? []);
    }
    this.#settledOfRecent = Math.max(this.#settledOfRecent, decided);
    const counted = this.#before(this.#settledOfRecent);
    this.#recent = this.#recent.slice(counted);
    this.#settledOfRecent -= counted;
  }

  /** Returns how many of the first recent texts are too far from the text before `end` to affect it. */
  #before(end: number): number {
    let chars = 0;
    let n = end;
    while (n > 0 && chars <= CONTEXT_CHARS) {
      n -= 1;
      chars += (this.#recent[n]?.text.length ?? 0) + 1;
    }
    return n;
  }
}
