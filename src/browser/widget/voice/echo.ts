/**
 * The recognized words may be the visitor's own if they began while the agent was silent. They are then treated as an
 * echo only from this many words on.
 */
export const LEAST_ECHO_AFTER = 4;
/** The fewest words at the beginning of an utterance that are treated as an echo. */
const LEAST_ECHO_BEFORE = 3;
/** The number of words at the end of a long text that are compared. */
const MAX_WORDS = 100;

/** Splits a text into comparable words, without case and punctuation. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .normalize("NFKC")
    .replace(/['’]/g, "")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== "");
}

/**
 * Returns the recognized words without the agent's own voice, which the microphone picked up. Returns nothing if at
 * least `least` words were recognized and the agent spoke (nearly) the same words in a row.
 */
export function withoutEcho(recognized: string, spoken: string, least = 1): string {
  const words = wordsOf(recognized);
  const voice = wordsOf(spoken).slice(-MAX_WORDS);
  if (words.length === 0 || voice.length === 0) return recognized.trim();
  if (words.length >= least && words.length <= MAX_WORDS && isRun(words, voice)) return "";
  for (let count = Math.min(words.length - 1, MAX_WORDS); count >= Math.max(LEAST_ECHO_BEFORE, least); count--) {
    if (isRun(words.slice(0, count), voice)) return afterWords(recognized, count);
  }
  return recognized.trim();
}

/**
 * Checks whether the agent spoke these words in this order. The recognizer may have misheard any of them except the
 * first and the last.
 */
function isRun(words: string[], voice: string[]): boolean {
  const room = words.length < 3 ? words.length : words.length + 2;
  return voice.some((word, at) => {
    if (word !== words[0]) return false;
    const window = voice.slice(at, at + room);
    const end = window.lastIndexOf(words.at(-1) ?? "") + 1;
    return (
      end > 0 &&
      inCommon(words, window.slice(0, end)) >= (words.length * 2) / 3 &&
      (words.length > 2 || end === words.length)
    );
  });
}

/** Returns the length of the longest common subsequence. */
function inCommon(a: string[], b: string[]): number {
  let above = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const row = [0];
    b.forEach((other, j) => {
      row.push(word === other ? (above[j] ?? 0) + 1 : Math.max(above[j + 1] ?? 0, row[j] ?? 0));
    });
    above = row;
  }
  return above[b.length] ?? 0;
}

function afterWords(text: string, count: number): string {
  let rest = text;
  for (let left = count; left > 0; ) {
    const next = rest.match(/^\s*\S+\s*/)?.[0];
    if (next === undefined) return "";
    left -= wordsOf(next).length;
    rest = rest.slice(next.length);
  }
  return rest.trim();
}
