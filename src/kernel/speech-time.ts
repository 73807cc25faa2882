/*
 * Estimates how long a voice takes to say a text, by script. The speeds are averages of the carriers' voices, on the
 * slow side: an estimate that is too long costs a second, but one that is too short cuts off words.
 */

/**
 * The time for a letter of an alphabet, and for any character not listed here: 15 characters a second, including
 * spaces.
 */
const LETTER_MS = 1000 / 15;
/** Digits are read as words. */
const DIGIT_MS = 330;
/** Chinese characters and Korean blocks are syllables. */
const SYLLABLE_MS = 220;
/** Japanese kana are shorter than syllables. */
const KANA_MS = 140;

const DIGIT = /^\p{Nd}$/u;
const KANA = /^[\p{sc=Hira}\p{sc=Kana}]$/u;
const SYLLABLE = /^[\p{sc=Han}\p{sc=Hangul}]$/u;
/** Full stops and commas of scripts without spaces. A voice pauses at them. */
const WIDE_PAUSE = /^[、。，．！？；：]$/u;

/** Returns the time that it takes to say one character, ms. */
function timeOf(char: string): number {
  if (char < "\u0100") return DIGIT.test(char) ? DIGIT_MS : LETTER_MS;
  if (SYLLABLE.test(char) || WIDE_PAUSE.test(char)) return SYLLABLE_MS;
  if (KANA.test(char)) return KANA_MS;
  return DIGIT.test(char) ? DIGIT_MS : LETTER_MS;
}

/** Returns the time that it takes to say a text, ms. */
export function speechTime(text: string): number {
  let ms = 0;
  for (const char of text) ms += timeOf(char);
  return ms;
}

/** Returns how many UTF-16 code units of a text are said within `ms`, without splitting a character. */
export function unitsSaidIn(text: string, ms: number): number {
  let left = ms;
  let units = 0;
  for (const char of text) {
    left -= timeOf(char);
    // Tolerates the rounding errors of summed fractions.
    if (left < -0.001) break;
    units += char.length;
  }
  return units;
}
