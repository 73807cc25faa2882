const HEX = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

export const isColor = (text: string): boolean => HEX.test(text);

/**
 * Returns a CSS hex color as `#rrggbb`, the only format that a browser's color field accepts; black for any other text.
 */
export function sixDigits(color: string): string {
  if (!isColor(color)) return "#000000";
  const digits = color.slice(1).toLowerCase();
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  return `#${long.slice(0, 6)}`;
}
