import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Pace, Playback } from "../../../src/conversation/runtime/turns/playback.ts";

const SENT = "Well — on Friday, at ten o'clock. Or at HALF past two: which suits you?";
/** Returns the part of a turn that was heard after this time (ms); all of it if it was not cut. */
function partOf(claimed: string | undefined, sent = SENT, elapsedMs = 0, pace: Pace = "spoken"): string | null {
  const playback = new Playback(() => pace);
  playback.push(sent, 0);
  const [turn] = playback.cut(elapsedMs, claimed);
  return turn ? turn.heard : sent;
}

const words = fc.array(fc.constantFrom("we", "are", "open", "Ünïcode", "straße", "👋", "3.50", "ΟΔΟΣ", "Ärzte-Haus"), {
  minLength: 1,
  maxLength: 12,
});
const gaps = fc.array(fc.constantFrom(" ", ", ", ". ", "\n", " — ", "  ", "! "), { minLength: 12, maxLength: 12 });
const joined = (spokenWords: string[], between: string[]) =>
  spokenWords.map((word, i) => word + (between[i] ?? " ")).join("");

describe("the spoken part of an interrupted turn", () => {
  it.each([
    ["word for word", "Well — on Friday,", "Well — on Friday,"],
    ["without case, space and punctuation", "WELL on friday", "Well — on Friday"],
    ["from the middle of the turn", "at ten oclock", "Well — on Friday, at ten o'clock"],
    ["in the middle of a word", "well, on fri", "Well — on Fri"],
    ["to its end", SENT, SENT],
    ["nothing", "", ""],
    ["no words", " …", ""],
  ])("the spoken part of an interrupted turn is found in the sent words: %s", (_, claimed, part) => {
    expect(partOf(claimed)).toBe(part);
  });

  it("the spoken part is unknown if a reader's client does not report it", () => {
    expect(partOf(undefined, SENT, 0, "read")).toBeNull();
  });

  it("the spoken part is estimated by time if a voice's client does not report it", () => {
    expect(partOf(undefined, SENT, 1_200)).toBe("Well — on Friday,");
  });

  it("the spoken part is estimated by time if the client reports words that were never sent", () => {
    const forged = "I promise you a refund";
    expect(partOf(forged)).toBe("");
    expect(partOf(forged, SENT, 1_200)).toBe("Well — on Friday,");
    expect(partOf(forged, SENT, 1_000)).toBe("Well — on");
    expect(partOf(forged, SENT, 60_000)).toBe(SENT);
    expect(partOf(forged, SENT, -5_000)).toBe("");
    // A reader has seen everything that was sent.
    expect(partOf(forged, SENT, 0, "read")).toBe(SENT);
  });

  it("the spoken part is found although voices skip the targets of links", () => {
    const sent = "See [our prices](https://shop.example/prices?x=1) or https://shop.example/hours for **more**. Bye.";
    expect(partOf("See our prices or shop.example for more.", sent)).toBe(sent.slice(0, sent.indexOf(" Bye")));
    expect(partOf("See our prices or https shop example hours", sent)).toBe("");
  });

  it("the spoken part is always the beginning of the sent words", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), fc.nat(20_000), (sent, claimed, ms) => {
        expect(sent.startsWith(partOf(claimed, sent, ms) ?? "")).toBe(true);
      }),
    );
  });

  it("the spoken part is the same in any spelling", () => {
    fc.assert(
      fc.property(words, gaps, gaps, fc.nat(), (spokenWords, sentGaps, claimedGaps, cut) => {
        const count = 1 + (cut % spokenWords.length);
        const claimed = joined(spokenWords.slice(0, count), claimedGaps);
        const sent = joined(spokenWords, sentGaps);
        const letters = (text: string) =>
          text
            .normalize("NFKD")
            .toUpperCase()
            .replace(/[^\p{L}\p{N}\p{M}]/gu, "");
        for (const spelled of [claimed, claimed.toUpperCase(), claimed.toLowerCase()])
          expect(letters(partOf(spelled, sent) ?? "")).toBe(letters(claimed));
      }),
    );
  });
});
