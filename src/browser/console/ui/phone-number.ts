/** The calling codes of one and two digits (ITU-T E.164); every other code has three. */
const CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** Checks whether only the last digits of a number are shown because the user may not see all of it. */
export const isMasked = (number: string): boolean => number.startsWith("•");

/**
 * Returns an E.164 number in groups that are easy to read: +12025550100 → "+1 202 555 0100". Any other text is returned
 * as it is. Each country groups its numbers in its own way, but those rules are larger than the rest of a screen.
 */
export function groupedNumber(e164: string): string {
  if (!/^\+\d{5,}$/.test(e164)) return e164;
  const digits = e164.slice(1);
  const [code = ""] = CODE.exec(digits) ?? [];
  // The last group has four digits if three would leave a single one.
  const groups = digits.slice(code.length).match(/\d{4}$|\d{1,3}/g) ?? [];
  return `+${[code, ...groups].join(" ")}`;
}
