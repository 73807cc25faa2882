/* Removes what a voice would read out or stumble over from the words on calls, while they stream. */

/** Blocks of a model's thinking. */
const THINKS = /<(think|thinking|reasoning)>/i;
const LINK = /!?\[([^\][\n]{0,300})\]\([^()\s]{0,2000}\)/g;
const TAG = /<\/?[a-z][^<>\n]{0,200}>/gi;
/** Headings, quotes, bullets and rules at the beginning of a line. */
const LINE_START = /(?<=\n)[^\S\n]*(?:#{1,6}[^\S\n]+|>[^\S\n]*|[-+*•–][^\S\n]+|(?:[-*_][^\S\n]*){3,}$)/gm;
/** Emphasis and code. An asterisk or underscore between spaces or within a word is literal. */
const EMPHASIS = /\*\*+|__+|~~+|`+|(?<=\s)[*_](?=\S)|(?<=\S)[*_](?=$|[\s.,;:!?)])/gm;
const EMOJI =
  /(?:\p{RI}\p{RI}|(?![\u00a9\u00ae\u2122])\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f|\u200d\p{Extended_Pictographic})*|[\ufe0f\u20e3])/gu;
/**
 * The possible beginning of one of these at the end of the received text, with the marks before it. It is bounded,
 * because a model that repeats a mark without end would otherwise take quadratic time.
 */
const UNFINISHED =
  /(?:(?:^|\n)[-+*_•–#>\s]{0,200}|[*_~`]{0,200})(?:!?\[[^\][\n]{0,300}(?:\](?:\([^()\s]{0,2000})?)?|<\/?(?:[a-z][^<>\n]{0,200})?|!|(?:\p{RI}|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\ufe0f\u200d])*){0,200}[\ud800-\udbff]?)$/iu;

/** Converts a model's words to speakable text as they arrive. */
export class SpokenText {
  /** Received text that may be part of something to remove. */
  #held = "";
  /** The end of the current thinking block; null outside of one. */
  #thinksUntil: string | null = null;
  /** The kind of the character before the next words: a line break, a space or any other. */
  #before: "\n" | " " | "x" = "\n";
  /** Whether leading blanks are removed, because thinking has just ended. */
  #trims = false;

  /** Adds words and returns what can be spoken now. */
  push(words: string): string {
    this.#held += words;
    this.#trim();
    const outside = this.#withoutThoughts();
    if (this.#thinksUntil !== null) return outside;
    this.#held = withoutLinks(this.#held);
    const at = UNFINISHED.exec(this.#held)?.index ?? this.#held.length;
    const safe = this.#held.slice(0, at);
    this.#held = this.#held.slice(at);
    return outside + this.#plain(safe);
  }

  /** Returns the rest at the end of the words. */
  end(): string {
    const rest = this.#thinksUntil === null ? this.#plain(withoutLinks(this.#held)) : "";
    this.reset();
    return rest;
  }

  /** Discards the held text. */
  reset(): void {
    this.#held = "";
    this.#thinksUntil = null;
    this.#before = "\n";
    this.#trims = false;
  }

  /** Removes complete thinking blocks from the held text; returns the words before them. */
  #withoutThoughts(): string {
    let outside = "";
    for (;;) {
      if (this.#thinksUntil === null) {
        const begins = THINKS.exec(this.#held);
        if (!begins) return outside;
        outside += this.#plain(withoutLinks(this.#held.slice(0, begins.index)));
        this.#held = this.#held.slice(begins.index + begins[0].length);
        this.#thinksUntil = `</${begins[1]?.toLowerCase()}>`;
      }
      const end = this.#held.toLowerCase().indexOf(this.#thinksUntil);
      // The end tag may arrive in pieces.
      if (end === -1) this.#held = this.#held.slice(-this.#thinksUntil.length);
      if (end === -1) return outside;
      this.#held = this.#held.slice(end + this.#thinksUntil.length);
      this.#thinksUntil = null;
      this.#trims = true;
      this.#trim();
    }
  }

  #trim(): void {
    if (!this.#trims) return;
    this.#held = this.#held.trimStart();
    this.#trims = this.#held === "";
  }

  #plain(words: string): string {
    if (words === "") return "";
    // Patterns examine the previous character, which may have arrived earlier.
    const text = `${this.#before}${words}`;
    this.#before = text.endsWith("\n") ? "\n" : /\s$/.test(text) ? " " : "x";
    return text.replace(LINE_START, "").replace(EMPHASIS, "").replace(EMOJI, "").slice(1);
  }
}

/** Replaces links by their texts and removes tags, including those that become visible by that. */
function withoutLinks(words: string): string {
  let [before, text] = ["", words];
  while (text !== before) {
    before = text;
    text = text.replace(LINK, "$1").replace(TAG, (tag) => (/^<br/i.test(tag) ? " " : ""));
  }
  return text;
}
