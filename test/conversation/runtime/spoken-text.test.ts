import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SpokenText } from "../../../src/conversation/runtime/turns/spoken-text.ts";

/** Returns what is spoken if the words arrive in these pieces. */
function said(...pieces: string[]): string {
  const text = new SpokenText();
  return pieces.map((piece) => text.push(piece)).join("") + text.end();
}

describe("the words of a model on a call", () => {
  it.each([
    ["plain words", "We are open from 9 to 5. See you - soon!", "We are open from 9 to 5. See you - soon!"],
    ["bold and italic", "It is **very** *important* and __done__ _now_.", "It is very important and done now."],
    ["a calculation", "2 * 3 is 6, and 5 < 6.", "2 * 3 is 6, and 5 < 6."],
    ["an address", "Write to ada_lovelace@example.com.", "Write to ada_lovelace@example.com."],
    ["a link", "See [our prices](https://shop.example/p?x=1).", "See our prices."],
    ["a heading and a list", "# Hours\n\n- Monday\n* Tuesday\n1. Wednesday", "Hours\n\nMonday\nTuesday\n1. Wednesday"],
    ["code", "Say `yes` or ```no```.", "Say yes or no."],
    ["emoji", "Great 🎉👍🏽! See you ☀️ 👩‍👩‍👧 🇩🇪", "Great ! See you   "],
    ["signs that are not emoji", "Acme™ © 2026, #1 of 10, 100%", "Acme™ © 2026, #1 of 10, 100%"],
    ["thoughts", "<think>They want hours. Look it up.</think>\nWe are open.", "We are open."],
    ["thoughts in the middle", "Well. <thinking>hm</thinking>Yes.", "Well. Yes."],
    ["thoughts without an end", "Well. <think>They want", "Well. "],
    ["tags", "It is <b>open</b><br/>now.", "It is open now."],
  ])("go out without markup: %s", (_, words, expected) => {
    expect(said(words)).toBe(expected);
    expect(said(...words)).toBe(expected);
  });

  it("a model's words are the same on a call however they are split into pieces", () => {
    const part = fc.constantFrom(
      "Hello ",
      "**",
      "*",
      "_",
      "<think>",
      "</think>",
      "[a](b)",
      "\n",
      "- ",
      "# ",
      "🎉",
      "🇩🇪",
      "x",
      " ",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 6 }), (parts, cuts) => {
        const whole = parts.join("");
        const at = [...new Set(cuts)].sort((a, b) => a - b);
        const pieces = [...at, whole.length].map((end, i) => whole.slice(at[i - 1] ?? 0, end));
        expect(said(...pieces)).toBe(said(whole));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["an emoji", ["Hello *🎉", "Hello "]],
    ["half of an emoji", ["Hello *\ud83c", "\udf89Hello "]],
    ["a flag and a half", ["Hello \ud83c\udde9\ud83c", "\uddea"]],
  ])("a piece that ends with %s after markup is cleaned like the whole", (_, pieces) => {
    expect(said(...pieces)).toBe(said(pieces.join("")));
  });

  it("cleaning a model's words takes time linear in their length", () => {
    for (const piece of ["<", "[", "*", "\n", "<think>", "- ", "🎉"])
      expect(said(`${piece.repeat(100_000)}x`)).toBeDefined();
  });
});
