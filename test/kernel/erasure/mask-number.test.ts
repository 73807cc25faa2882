import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MASKED, NumberMask } from "../../../src/kernel/mask-number.ts";

const NUMBER = "+13035550110";
const mask = new NumberMask(NUMBER);

describe("the mask of a number", () => {
  it.each([
    "+13035550110",
    "13035550110",
    "0013035550110",
    "%2B13035550110",
    "+1 (303) 555-0110",
    "+1-303-555-0110",
    "001 303 555 0110",
    "(303) 555-0110",
    "303.555.0110",
    "3035550110",
  ])("the mask of a number finds %s within a text", (written) => {
    expect(mask.text(`call ${written}, please`)).toBe("call [PHONE], please");
    expect(mask.text(written)).not.toMatch(/\d{3}/);
  });

  it("finds a number with its trunk prefix", () => {
    const german = new NumberMask("+493012345678");
    for (const written of ["+49 (0)30 12345678", "030 1234 5678", "0049 30 12345678", "030/12345678"])
      expect(german.text(written)).toBe(MASKED);
  });

  it.each(["+13035550111", "+130355501100", "913035550110", "+1 303 555", "4130355501101"])(
    "the mask of a number leaves %s unchanged",
    (other) => {
      expect(mask.text(other)).toBe(other);
    },
  );

  it("finds a number in names, texts, numerals and escapes of JSON, and leaves the rest unchanged", () => {
    const json = { [NUMBER]: 13035550110, list: ["a", `b ${NUMBER}`], n: 1, none: null, yes: true };
    expect(mask.json(json)).toEqual({ [MASKED]: MASKED, list: ["a", `b ${MASKED}`], n: 1, none: null, yes: true });
    expect(mask.jsonText('{"a": "\\u002b\\u0031303555\\u0030110"}')).toBe(`{"a":"${MASKED}"}`);
    expect(mask.jsonText('{"a":  1.0}')).toBe('{"a":  1.0}');
  });

  it("leaves nothing of the number, however it is surrounded and grouped", () => {
    const between = fc.constantFrom("", " ", "-", ".", "/", ") ", " (", "\u00a0", "\u2011");
    const around = fc.string().filter((text) => !/\d/.test(text));
    const digits = NUMBER.slice(1);
    fc.assert(
      fc.property(around, fc.array(between, { minLength: 10, maxLength: 10 }), around, (before, gaps, after) => {
        const written = [...digits].map((digit, i) => digit + (gaps[i] ?? "")).join("");
        expect(mask.text(`${before}${written}${after}`)).not.toMatch(/\d/);
      }),
      { seed: Number(process.env.PROPERTY_SEED ?? 1) },
    );
  });
});
