import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heardPart } from "../../../src/conversation/runtime/turns/heard.ts";

const SENT = "Well — on Friday, at ten o'clock. Or at HALF past two: which suits you?";
const heard = (claimed: string | undefined, sent = SENT, elapsedMs = 0) =>
  heardPart(sent, { claimed, kind: "call", elapsedMs });

const words = fc.array(fc.constantFrom("we", "are", "open", "Ünïcode", "straße", "👋", "3.50", "ΟΔΟΣ", "Ärzte-Haus"), {
  minLength: 1,
  maxLength: 12,
});
const gaps = fc.array(fc.constantFrom(" ", ", ", ". ", "\n", " — ", "  ", "! "), { minLength: 12, maxLength: 12 });
const joined = (said: string[], between: string[]) => said.map((word, i) => word + (between[i] ?? " ")).join("");

describe("the part of a turn that was heard", () => {
  it.each([
    ["word for word", "Well — on Friday,", "Well — on Friday,"],
    ["without case, space and punctuation", "WELL on friday", "Well — on Friday"],
    ["from the middle of the turn", "at ten oclock", "Well — on Friday, at ten o'clock"],
    ["in the middle of a word", "well, on fri", "Well — on Fri"],
    ["to its end", SENT, SENT],
    ["nothing", "", ""],
    ["no words", " …", ""],
  ])("is found in what was sent: %s", (_, claimed, part) => {
    expect(heard(claimed)).toBe(part);
  });

  it("is not known where the client does not say", () => {
    expect(heard(undefined)).toBeNull();
  });

  it("is cut by the time where what the client says was never sent", () => {
    const forged = "I promise you a refund";
    expect(heard(forged)).toBe("");
    expect(heard(forged, SENT, 1_200)).toBe("Well — on Friday,");
    expect(heard(forged, SENT, 1_000)).toBe("Well — on");
    expect(heard(forged, SENT, 60_000)).toBe(SENT);
    expect(heard(forged, SENT, -5_000)).toBe("");
    // Who reads has seen all that was sent.
    expect(heardPart(SENT, { claimed: forged, kind: "widget", elapsedMs: 0 })).toBe(SENT);
  });

  it("is found by a voice that does not read where links lead", () => {
    const sent = "See [our prices](https://shop.example/prices?x=1) or https://shop.example/hours for **more**. Bye.";
    expect(heard("See our prices or shop.example for more.", sent)).toBe(sent.slice(0, sent.indexOf(" Bye")));
    expect(heard("See our prices or https shop example hours", sent)).toBe("");
  });

  it("is always the beginning of what was sent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), fc.nat(20_000), (sent, claimed, ms) => {
        expect(sent.startsWith(heard(claimed, sent, ms) ?? "")).toBe(true);
      }),
    );
  });

  it("is the same however it is spelled", () => {
    fc.assert(
      fc.property(words, gaps, gaps, fc.nat(), (said, sentGaps, claimedGaps, cut) => {
        const count = 1 + (cut % said.length);
        const claimed = joined(said.slice(0, count), claimedGaps);
        const sent = joined(said, sentGaps);
        const letters = (text: string) =>
          text
            .normalize("NFKD")
            .toUpperCase()
            .replace(/[^\p{L}\p{N}\p{M}]/gu, "");
        for (const spelled of [claimed, claimed.toUpperCase(), claimed.toLowerCase()])
          expect(letters(heard(spelled, sent) ?? "")).toBe(letters(claimed));
      }),
    );
  });
});
