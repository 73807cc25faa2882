/** The identity of all callers who withhold their number: they are counted as one. */
export const WITHHELD = "withheld";

/** Words that carriers put in place of a withheld number, as digits of a keypad. */
const KEYPAD_WORDS = new Set(
  ["ANONYMOUS", "BLOCKED", "PRIVATE", "RESTRICTED", "UNAVAILABLE", "UNKNOWN", "WITHHELD"].map(keypadDigits),
);
const WITHHELD_ADDRESS = /^(sips?:)?\+?(anonymous|blocked|private|restricted|unavailable|unknown|withheld)@/;
/** The address of a carrier's client, such as one in a browser. Each client has its own name. */
const CLIENT = /^client:./;
/** Prefixes that carriers add to a number. They name the channel and not the caller. */
const CHANNEL = /^(tel|callto|whatsapp|sms|rcs):/;
/** Maximum length of a caller's identity, taken from the beginning of their address, characters. */
const MAX_CALLER_CHARS = 128;

/**
 * Returns the identity by which a caller is counted: a number or address in the same form for all carriers. Carriers
 * write a withheld number in several ways.
 */
export function callerOf(fromNumber: string): string {
  const from = fromNumber.trim().toLowerCase().slice(0, MAX_CALLER_CHARS).replace(CHANNEL, "");
  if (CLIENT.test(from)) return KEYPAD_WORDS.has(keypadDigits(from.slice(7).toUpperCase())) ? WITHHELD : from;
  if (from.includes("@")) return WITHHELD_ADDRESS.test(from) ? WITHHELD : from;
  const digits = from.replace(/\D/g, "");
  return digits.length < 3 || /[a-z]/.test(from) || KEYPAD_WORDS.has(digits) ? WITHHELD : digits;
}

/** Converts a word to the digits that dial it: ABC is 2, … WXYZ is 9. */
function keypadDigits(word: string): string {
  const keys = ["ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"];
  return Array.from(word, (letter) => keys.findIndex((key) => key.includes(letter)) + 2).join("");
}
