/** A position in a text where claimed words end. */
export interface ClaimedEnd {
  /** UTF-16 units of the text up to there. */
  units: number;
  /** Whether the text begins with the words. */
  isAtStart: boolean;
}

/** Maximum positions that are compared: no one repeats a sentence more often. */
const MAX_ENDS = 200;

/** Checks whether a text has no letter. */
export const isBlank = (text: string): boolean => plain(text).text === "";

/**
 * Returns where the claimed words end in the sent text, compared without case, space and punctuation. The result is an
 * offset into our own words, so that no words of the client's are recorded.
 */
export function endsOf(claimed: string, sent: string): ClaimedEnd[] {
  const wanted = plain(claimed).text;
  if (wanted === "") return [];
  for (const { text, ends } of [plain(sent), plain(sent, unreadIn(sent))]) {
    const found: ClaimedEnd[] = [];
    for (let at = text.indexOf(wanted); at !== -1 && found.length < MAX_ENDS; at = text.indexOf(wanted, at + 1)) {
      const end = ends[at + wanted.length - 1] ?? sent.length;
      const closing = PUNCTUATION_AT_END.test(claimed) ? PUNCTUATION_AT_START.exec(sent.slice(end)) : null;
      found.push({ units: end + (closing?.[0].length ?? 0), isAtStart: at === 0 });
    }
    if (found.length > 0) return found;
  }
  return [];
}

const NO_LETTER = /[\s\p{P}\p{S}\p{C}]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}。、，！？]$/u;
const PUNCTUATION_AT_END = /[\p{P}\p{S}]\s*$/u;
const PUNCTUATION_AT_START = /^[\p{P}\p{S}]+/u;
/** Voices skip the targets of links and read only the host of an address. */
const UNREAD = /\]\([^)]{0,2000}\)|https?:\/\/|(?<=https?:\/\/[^\s/?#<>]{1,255})[/?#][^\s<>]*/giu;

type Range = [from: number, to: number];

function unreadIn(sent: string): Range[] {
  return [...sent.matchAll(UNREAD)].map(({ index, 0: found }) => [index, index + found.length]);
}

/**
 * Returns a text without case, space and punctuation, and for each UTF-16 unit the end of its character in the
 * original.
 */
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

/**
 * Returns the end of the last whole word within this many UTF-16 units; in scripts without spaces, of the last
 * character.
 */
export function endOfWord(text: string, chars: number): number {
  if (chars >= text.length) return text.length;
  if (UNSPACED.test(text.slice(0, chars))) return chars;
  let end = chars + 1;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).trimEnd().length;
}
