import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_PART_CHARS, partEnds, speakable } from "../../../../src/conversation/runtime/speech/cut.ts";

/** Returns the complete parts of a text. */
function partsOf(text: string): string[] {
  let from = 0;
  return partEnds(text).map((end) => {
    const part = text.slice(from, end);
    from = end;
    return part;
  });
}

describe("the parts of an answer", () => {
  it("end with sentences, as soon as the next one begins", () => {
    expect(partsOf("We are open.")).toEqual([]);
    expect(partsOf("We are open. On")).toEqual(["We are open. "]);
    expect(partsOf("营业。欢迎。你")).toEqual(["营业。欢迎。"]);
  });

  it("have at most 500 characters, like the rest that follows, and split no character", () => {
    const words = fc.array(fc.constantFrom("open ", "yes. ", "no! ", "営業。", "👋", "x".repeat(300), "\n"), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(words, (all) => {
        const text = all.join("");
        const parts = partsOf(text);
        const rest = text.slice(parts.join("").length);
        for (const part of [...parts, rest]) {
          expect(part.length).toBeLessThanOrEqual(MAX_PART_CHARS);
          expect(part.isWellFormed()).toBe(true);
        }
        expect(parts.join("") + rest).toBe(text);
        expect(parts).not.toContain("");
      }),
    );
  });

  it("the parts of an answer are spoken without markup, and skipped if nothing can be spoken", () => {
    expect(speakable("# **Hours**\n- from [nine](https://acme.example/hours) 👋")).toBe("Hours from nine");
    expect([speakable("---\n"), speakable(" 👋 "), speakable("")]).toEqual([null, null, null]);
  });
});
