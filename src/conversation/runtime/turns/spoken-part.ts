import type { SessionSnapshot } from "../session/session.ts";
import { charsSpokenIn } from "./waiting.ts";

/** What the client reports about an interruption, and what we know ourselves. */
export interface Interruption {
  /** The words that were heard, as reported by the client; undefined if it reports none. */
  claimed: string | undefined;
  kind: SessionSnapshot["kind"];
  /** From the turn's first words to the interruption, ms. */
  elapsedMs: number;
}

/** Gives the part of a turn that was heard, null if unknown; the turn of these words began at `at`, ms. */
export type SpokenPartOf = (sent: string, at: number) => string | null;

/**
 * The part of a turn that was heard: an offset into the words we sent, so that no word of the client's comes on record.
 * Words that we did not send are ignored, and the turn is cut by the time of the interruption.
 */
export function spokenPart(sent: string, { claimed, kind, elapsedMs }: Interruption): string | null {
  if (claimed === undefined) return null;
  const offset = offsetOf(claimed, sent);
  return sent.slice(0, offset ?? endOfWord(sent, charsSpokenIn(elapsedMs, kind)));
}

/**
 * Where the claimed words end in what was sent, compared without case, space and punctuation; null if they do not
 * occur.
 */
function offsetOf(claimed: string, sent: string): number | null {
  const wanted = plain(claimed).text;
  if (wanted === "") return 0;
  for (const { text, ends } of [plain(sent), plain(sent, unreadIn(sent))]) {
    const end = ends[text.indexOf(wanted) + wanted.length - 1];
    if (end === undefined || !text.includes(wanted)) continue;
    const closing = PUNCTUATION_AT_END.test(claimed) ? PUNCTUATION_AT_START.exec(sent.slice(end)) : null;
    return end + (closing?.[0].length ?? 0);
  }
  return null;
}

const NO_LETTER = /[\s\p{P}\p{S}\p{C}]/u;
const PUNCTUATION_AT_END = /[\p{P}\p{S}]\s*$/u;
const PUNCTUATION_AT_START = /^[\p{P}\p{S}]+/u;
/** Voices leave out where a link leads, and read of an address no more than its host. */
const UNREAD = /\]\([^)]{0,2000}\)|https?:\/\/|(?<=https?:\/\/[^\s/?#<>]{1,255})[/?#][^\s<>]*/giu;

type Range = [from: number, to: number];

function unreadIn(sent: string): Range[] {
  return [...sent.matchAll(UNREAD)].map(({ index, 0: found }) => [index, index + found.length]);
}

/** A text without case, space and punctuation, and for each of its UTF-16 units where its character ends in the original. */
function plain(original: string, without: readonly Range[] = []): { text: string; ends: number[] } {
  const ends: number[] = [];
  let text = "";
  let end = 0;
  for (const char of original) {
    const at = end;
    end += char.length;
    if (NO_LETTER.test(char) || without.some(([from, to]) => at >= from && at < to)) continue;
    const folded = char.normalize("NFKD").toUpperCase().toLowerCase();
    text += folded;
    for (let i = 0; i < folded.length; i++) ends.push(end);
  }
  return { text, ends };
}

/** The end of the last whole word within this many characters. */
function endOfWord(text: string, chars: number): number {
  if (chars >= text.length) return text.length;
  let end = chars + 1;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).trimEnd().length;
}
