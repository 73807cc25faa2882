export interface Paint {
  background: string;
  text: string;
}

const LIGHT = "#ffffff";
const DARK = "#000000";

/** Returns a CSS hex color as an opaque background with the more legible text color (WCAG 2, at least 4.5:1). */
export function paint(hex: string): Paint {
  const [r, g, b] = channels(hex);
  const luminance = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const onLight = 1.05 / (luminance + 0.05);
  const onDark = (luminance + 0.05) / 0.05;
  return { background: `rgb(${r} ${g} ${b})`, text: onLight >= onDark ? LIGHT : DARK };
}

/** Returns red, green and blue of `#rgb[a]` or `#rrggbb[aa]`, 0 to 255. */
function channels(hex: string): [number, number, number] {
  const digits = hex.slice(1);
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const value = Number.parseInt(long.slice(0, 6), 16) || 0;
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
