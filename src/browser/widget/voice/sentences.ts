/** Longer utterances are cut, because Chrome falls silent after about 15 seconds. */
export const MAX_UTTERANCE_CHARS = 180;
/** Text without a sentence end is spoken after this many characters. */
const MAX_HELD_CHARS = 1000;

/** The end of a sentence: a mark and white space, a mark of a script without spaces, or a line break. */
const SENTENCE_END = /[.!?…]["'”’»)\]*_]*\s|[。！？]["'”’」』）*_]*|\n/gu;
/** A full stop that does not end a sentence: after an initial, a list number or a title. */
const NO_END = /(?:^|[\s(])(?:\p{L}|\d{1,3}|mr|mrs|ms|dr|prof|st|no|nr|vs|ca|approx|e\.g|i\.e|z\. ?b|d\. ?h)\.\s$/iu;
/** An incomplete link, which may not be plain text. */
const OPEN_LINK = /\[[^\]]*$|\]\([^)]*$/;

/** Cuts a text that arrives in pieces into sentences. */
export class SentenceCutter {
  #held = "";

  /** Adds a piece and returns the sentences that it completes. */
  push(text: string): string[] {
    const sentences: string[] = [];
    for (let at = 0; at < text.length; at += MAX_HELD_CHARS) {
      sentences.push(...this.#take(text.slice(at, at + MAX_HELD_CHARS)));
    }
    return sentences;
  }

  #take(text: string): string[] {
    this.#held += text;
    const sentences: string[] = [];
    let from = 0;
    for (const { index, 0: end } of this.#held.matchAll(SENTENCE_END)) {
      const sentence = this.#held.slice(from, index + end.length);
      if (NO_END.test(sentence) || OPEN_LINK.test(sentence.trimEnd())) continue;
      sentences.push(sentence);
      from = index + end.length;
    }
    this.#held = this.#held.slice(from);
    if (this.#held.length > MAX_HELD_CHARS) sentences.push(this.flush());
    return sentences;
  }

  /** Returns the rest. */
  flush(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }
}

/** Returns a text as it is spoken: without Markdown marks and emoji. A link is reduced to its text, an address to its host. */
export function speakable(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\bhttps?:\/\/([^\s/?#<>]+)[^\s<>]*?(?=[.,;:!?)>\]]*(?:\s|$))/giu, "$1")
    .replace(/^\s*(?:#{1,6}|>|[-*+•]|```\S*)(?:\s+|$)/gm, "")
    .replace(/`+|\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u{FE0F}\u{200D}]/gu, "")
    .replace(/(?<![\p{L}\p{N}])[*_~]+(?=\S)|(?<=\S)[*_~]+(?![\p{L}\p{N}])/gu, "")
    .replace(/\s*\|\s*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Splits a sentence into utterances that are short enough; returns none if there is nothing to say. */
export function utterances(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = speakable(sentence);
  while (rest.length > MAX_UTTERANCE_CHARS) {
    const most = rest.slice(0, MAX_UTTERANCE_CHARS + 1);
    const pause = Math.max(...[", ", "; ", ": ", " – "].map((mark) => most.lastIndexOf(mark) + 1));
    const at = pause > MAX_UTTERANCE_CHARS / 3 ? pause : most.lastIndexOf(" ");
    const end = at > 0 ? at : MAX_UTTERANCE_CHARS;
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  pieces.push(rest);
  return pieces.filter((text) => /[\p{L}\p{N}]/u.test(text));
}
