import type { Block } from "../text/chunks.ts";

/** Why a document cannot be read. */
export type ReadFailure =
  | "no_text"
  | "not_text"
  | "text_too_large"
  | "too_many_pages"
  | "inflates_too_much"
  | "encrypted"
  | "damaged"
  | "takes_too_long"
  | "reader_unavailable";

export type ReadText = { title: string | null; language: string | null; blocks: Block[] } | { failed: ReadFailure };

export const MAX_TEXT_CHARS = 5_000_000;
const MAX_HEADING_CHARS = 200;

export class Unreadable extends Error {
  readonly reason: ReadFailure;

  constructor(reason: ReadFailure) {
    super(reason);
    this.reason = reason;
  }
}

/** Collects a document's text in sections by heading. @throws Unreadable if the text is too long */
export class Sections {
  /** The first heading of the highest level, used if the document has no other title. */
  title: string | null = null;
  readonly #blocks: Block[] = [];
  readonly #headings: string[] = [];
  #chars = 0;
  #lines: string[] = [];

  /** Begins a section below the last heading of a higher level (1 is the highest). */
  heading(level: number, text: string): void {
    this.#end();
    if (text === "") return;
    this.#headings.length = Math.min(level - 1, this.#headings.length);
    this.#headings.push(text);
    if (level === 1) this.title ??= text.slice(0, MAX_HEADING_CHARS).toWellFormed();
    this.#count(text);
  }

  line(text: string): void {
    this.#count(text);
    this.#lines.push(text);
  }

  /** Ends the last section. @throws Unreadable if there was no text */
  end(): Block[] {
    this.#end();
    if (!this.#blocks.some(({ text }) => /[\p{L}\p{N}]/u.test(text))) throw new Unreadable("no_text");
    return this.#blocks;
  }

  #count(text: string): void {
    this.#chars += text.length + 1;
    if (this.#chars > MAX_TEXT_CHARS) throw new Unreadable("text_too_large");
  }

  #end(): void {
    const text = this.#lines.join("\n").trim();
    this.#lines = [];
    const heading = this.#headings.join(" › ");
    if (text !== "") this.#blocks.push({ heading: heading.slice(0, MAX_HEADING_CHARS).toWellFormed(), text });
  }
}
