const ZERO = "0".charCodeAt(0);

/** Checks whether digits end with the check digit of card numbers (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, doubled = false; at >= 0; at--, doubled = !doubled) {
    const value = (digits.charCodeAt(at) - ZERO) * (doubled ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

const SHORTEST = 13;
const LONGEST = 19;

/**
 * Checks whether digits can be a card number: its length and check digit are right, and the digits are not all the
 * same.
 */
export function isCardNumber(digits: string): boolean {
  if (digits.length < SHORTEST || digits.length > LONGEST) return false;
  return passesLuhn(digits) && !/^(\d)\1+$/.test(digits);
}

/** The numbers that card schemes issue, by first digits and length. */
const ISSUED = [
  /^4\d{12}(?:\d{3}){0,2}$/,
  /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/,
  /^3[47]\d{13}$/,
  /^(?:6011|64[4-9]\d|65\d\d)\d{12}(?:\d{3})?$/,
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
  /^3(?:0[0-5]|[689]\d)\d{11}$/,
  /^(?:62|81)\d{14}(?:\d{3})?$/,
  /^(?:5018|5020|5038|5893|6304|6759|676[123])\d{12}$/,
  /^220[0-4]\d{12}$/,
];

/**
 * Checks whether digits are a card number of a known scheme. This stricter check is for digits that are only part of a
 * longer row.
 */
export function isIssuedCardNumber(digits: string): boolean {
  return isCardNumber(digits) && ISSUED.some((scheme) => scheme.test(digits));
}
