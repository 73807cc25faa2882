import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MAX_UTTERANCE_CHARS,
  SentenceCutter,
  speakable,
  utterances,
} from "../../../src/browser/widget/voice/sentences.ts";

function cut(...pieces: string[]): string[] {
  const cutter = new SentenceCutter();
  return [...pieces.flatMap((piece) => cutter.push(piece)), cutter.flush()].filter((sentence) => sentence !== "");
}

/** Texts that resemble an agent's. */
const text = fc
  .array(
    fc.constantFrom(
      "Hello",
      "3.5",
      " ",
      ". ",
      "! ",
      "?\n",
      "…",
      "[a link](https://x.example/a.b?c)",
      "[",
      "**",
      "Dr. ",
      "。",
      ", ",
      "ü",
      "😀",
      "1. ",
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

describe("the sentences of an unfinished answer", () => {
  it.each([
    ["Hello. How are you? Fine", ["Hello. ", "How are you? ", "Fine"]],
    ["It costs 3.50 EUR.", ["It costs 3.50 EUR."]],
    ["Ask Dr. Miller. She knows.", ["Ask Dr. Miller. ", "She knows."]],
    ['She said "no." Then she left.', ['She said "no." ', "Then she left."]],
    ["1. Open the box\n2. Read", ["1. Open the box\n", "2. Read"]],
    [
      "See [this. And that](https://x.example/a. b) now. Bye",
      ["See [this. And that](https://x.example/a. b) now. ", "Bye"],
    ],
    ["你好。再见！", ["你好。", "再见！"]],
  ])("the unfinished answer %j is divided into sentences", (whole, sentences) => expect(cut(whole)).toEqual(sentences));

  it("sentences are emitted as soon as they are complete", () => {
    const cutter = new SentenceCutter();
    expect(cutter.push("Hel")).toEqual([]);
    expect(cutter.push("lo.")).toEqual([]);
    expect(cutter.push(" I am")).toEqual(["Hello. "]);
    expect(cutter.flush()).toBe("I am");
  });

  it("sentences are found in linear time, whatever a model writes", () => {
    for (const odd of ["https://a", "[", "a. ", ".)", "* ", "](", "1. "]) {
      const sentences = cut(odd.repeat(20_000));
      expect(sentences.join("")).toBe(odd.repeat(20_000));
      for (const utterance of sentences.flatMap(utterances))
        expect(utterance.length).toBeLessThanOrEqual(MAX_UTTERANCE_CHARS);
    }
  });

  it("lose and repeat nothing, however the text is split", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(20), { maxLength: 30 }), (whole, sizes) => {
        const pieces: string[] = [];
        let at = 0;
        for (const size of sizes) {
          pieces.push(whole.slice(at, at + size));
          at += size;
        }
        expect(cut(...pieces, whole.slice(at)).join("")).toBe(whole);
      }),
    );
  });
});

describe("the spoken form of a text", () => {
  it.each([
    ["**Yes**, _really_: `a`", "Yes, really: a"],
    ["## Prices\n", "Prices"],
    ["- one\n* two", "one two"],
    ["See [our page](https://shop.example/a?b=c) now.", "See our page now."],
    ["Go to https://shop.example/a/b?c=d.", "Go to shop.example."],
    ["![A bike](https://x.example/bike.png)", "A bike"],
    ["2*3 is 6, 2 * 3 too; snake_case stays", "2*3 is 6, 2 * 3 too; snake_case stays"],
    ["Great 🎉👍🏽!", "Great !"],
    ["-5 degrees", "-5 degrees"],
  ])("the text %j is spoken as %j", (written, spokenText) => expect(speakable(written)).toBe(spokenText));

  it("the spoken form of a text without words is empty", () => {
    for (const nothing of ["", "***", "---\n", "😀", "```"]) expect(utterances(nothing)).toEqual([]);
  });

  it("a long spoken text is cut between words so that no browser stops in the middle", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}[,;]?$/), { minLength: 1, maxLength: 120 }), (words) => {
        const spokenParts = utterances(words.join(" "));
        for (const each of spokenParts) expect(each.length).toBeLessThanOrEqual(MAX_UTTERANCE_CHARS);
        expect(spokenParts.join(" ")).toBe(words.join(" "));
      }),
    );
    expect(utterances("x".repeat(1000)).join("")).toBe("x".repeat(1000));
  });
});
