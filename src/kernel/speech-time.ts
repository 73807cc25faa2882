/*
 * How long it takes a voice to say a text, by its script. Averages of the carriers' voices at their normal speed, on the
 * slow side: an end that comes too late costs a second, one that comes too early cuts words off.
 */

/** A letter of an alphabet, and whatever else is not named here: 15 characters a second, spaces included. */
const LETTER_MS = 1000 / 15;
/** A digit is read as a word. */
const DIGIT_MS = 330;
/** A Chinese character or a Korean block is a syllable. */
const SYLLABLE_MS = 220;
/** A Japanese kana is shorter than a syllable. */
const KANA_MS = 140;

const DIGIT = /^\p{Nd}$/u;
const KANA = /^[\p{sc=Hira}\p{sc=Kana}]$/u;
const SYLLABLE = /^[\p{sc=Han}\p{sc=Hangul}]$/u;
/** Full stops and commas of scripts without spaces, where a voice pauses. */
const WIDE_PAUSE = /^[、。，．！？；：]$/u;

/** Returns how long it takes to say one character, ms. */
function timeOf(char: string): number {
  if (char < "\u0100") return DIGIT.test(char) ? DIGIT_MS : LETTER_MS;
  if (SYLLABLE.test(char) || WIDE_PAUSE.test(char)) return SYLLABLE_MS;
  if (KANA.test(char)) return KANA_MS;
  return DIGIT.test(char) ? DIGIT_MS : LETTER_MS;
}

/** Returns how long it takes to say a text, ms. */
export function speechTime(text: string): number {
  let ms = 0;
  for (const char of text) ms += timeOf(char);
  return ms;
}

/** Returns how many UTF-16 units of a text are said within this time (ms); no character is split. */
export function unitsSaidIn(text: string, ms: number): number {
  let left = ms;
  let units = 0;
  for (const char of text) {
    left -= timeOf(char);
    // Sums of fractions are a little off.
    if (left < -0.001) break;
    units += char.length;
  }
  return units;
}
