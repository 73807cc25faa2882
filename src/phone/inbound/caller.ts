/** All callers who withhold their number: they are counted as one. */
export const WITHHELD = "withheld";

/** Words that carriers put where a number is withheld, as letters of a keypad. */
const KEYPAD_WORDS = new Set(
  ["ANONYMOUS", "BLOCKED", "PRIVATE", "RESTRICTED", "UNAVAILABLE", "UNKNOWN", "WITHHELD"].map(keypadDigits),
);
const WITHHELD_ADDRESS = /^(sips?:)?\+?(anonymous|blocked|private|restricted|unavailable|unknown|withheld)@/;
/** A client of a carrier's own, such as a browser's: each has a name of its own. */
const CLIENT = /^client:./;
/** What carriers put before a number, which says by which channel it comes and not whose it is. */
const CHANNEL = /^(tel|callto|whatsapp|sms|rcs):/;
/** How much of a caller's address counts as its identity, characters. */
const MAX_CALLER_CHARS = 128;

/**
 * The caller that limits are counted for: a number or address, normalized across carriers, which write a withheld
 * number in several ways.
 */
export function callerOf(fromNumber: string): string {
  const from = fromNumber.trim().toLowerCase().slice(0, MAX_CALLER_CHARS).replace(CHANNEL, "");
  if (CLIENT.test(from)) return KEYPAD_WORDS.has(keypadDigits(from.slice(7).toUpperCase())) ? WITHHELD : from;
  if (from.includes("@")) return WITHHELD_ADDRESS.test(from) ? WITHHELD : from;
  const digits = from.replace(/\D/g, "");
  return digits.length < 3 || /[a-z]/.test(from) || KEYPAD_WORDS.has(digits) ? WITHHELD : digits;
}

/** A word as it is dialled: ABC is 2, … WXYZ is 9. */
function keypadDigits(word: string): string {
  const keys = ["ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"];
  return Array.from(word, (letter) => keys.findIndex((key) => key.includes(letter)) + 2).join("");
}
