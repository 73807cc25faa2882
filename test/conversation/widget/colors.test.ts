import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paint } from "../../../src/browser/widget/colors.ts";

const channel = fc.integer({ min: 0, max: 255 });
const hex = (value: number) => value.toString(16).padStart(2, "0");

/** Computes the contrast of two colors by WCAG 2.2. */
function contrast(a: readonly number[], b: readonly number[]): number {
  const luminance = (color: readonly number[]) => {
    const [r = 0, g = 0, blue = 0] = color.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  };
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

describe("the widget's colors", () => {
  it("gives every background a readable text color", () => {
    fc.assert(
      fc.property(channel, channel, channel, fc.option(channel), (r, g, b, alpha) => {
        const { background, text } = paint(`#${[r, g, b].map(hex).join("")}${alpha === null ? "" : hex(alpha)}`);
        expect(background).toBe(`rgb(${r} ${g} ${b})`);
        expect(contrast([r, g, b], text === "#ffffff" ? [255, 255, 255] : [0, 0, 0])).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it("reads the short forms as CSS does", () => {
    expect(paint("#0af").background).toBe("rgb(0 170 255)");
    expect(paint("#0AF8").background).toBe("rgb(0 170 255)");
  });
});
