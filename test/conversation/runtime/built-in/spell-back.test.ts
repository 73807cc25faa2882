import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_SPELLED_CHARS, spelled } from "../../../../src/conversation/runtime/built-in/spell-back.ts";

describe("spell_back", () => {
  it.each([
    ["Jo-7@x.at", "J as in Juliett, O as in Oscar, dash, seven, at, X as in X-ray, dot, A as in Alfa, T as in Tango"],
    ["202 555", "two, zero, two, space, five, five, five"],
    ["+43", "plus, four, three"],
    ["É", "E as in Echo with acute"],
    ["ü", "U as in Uniform with umlaut"],
    ["Øß", "O as in Oscar, S as in Sierra, S as in Sierra"],
    ["a_b", "A as in Alfa, underscore, B as in Bravo"],
    ["  a  \n b ", "A as in Alfa, space, B as in Bravo"],
    ["２", "two"],
    ["жα日", "ж, α, 日"],
    ["👍", "👍"],
  ])("spells %o", (text, expected) => {
    expect(spelled(text).join(", ")).toBe(expected);
  });

  it("spells at most the maximum length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        const words = spelled(text);
        expect(words.length).toBeLessThanOrEqual(2 * MAX_SPELLED_CHARS);
        expect(words.every((word) => word.isWellFormed())).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
