import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, condense, type Line } from "../../src/browser/console/screens/agents/versions/compare.ts";

const property = { seed: Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED) };
const textOf = ({ pieces }: Line) => pieces.map(({ text }) => text).join("");
const shown = (lines: Line[]) =>
  lines.map((line) => {
    const sign = { same: " ", removed: "-", added: "+" }[line.kind];
    return sign + line.pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join("");
  });
/** Texts from a small vocabulary, so that two of them share lines. */
const texts = fc
  .array(fc.array(fc.constantFrom("be", "brief", "kind", "offer a seat", "."), { maxLength: 5 }), { maxLength: 12 })
  .map((lines) => lines.map((words) => words.join(" ")).join("\n"));

describe("comparing two texts", () => {
  it("marks the changes within similar lines, and whole lines otherwise", () => {
    expect(shown(compare("You are Ada.\nBe brief.\nBye.", "You are Ada.\nBe brief and kind.\nNew.\nBye."))).toEqual([
      " You are Ada.",
      "-Be brief.",
      "+Be brief[ and kind].",
      "+New.",
      " Bye.",
    ]);
    expect(shown(compare("abc def", "xyz"))).toEqual(["-abc def", "+xyz"]);
    expect(shown(compare("", "New"))).toEqual(["+New"]);
    // A trailing line break doesn't change the last line.
    expect(shown(compare("Same", "Same\n"))).toEqual([" Same"]);
  });

  it("reproduces both texts", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = compare(before, after);
        const side = (gone: Line["kind"]) =>
          lines
            .filter(({ kind }) => kind !== gone)
            .map(textOf)
            .join("\n");
        expect(side("added")).toBe(before.replace(/\n$/, ""));
        expect(side("removed")).toBe(after.replace(/\n$/, ""));
      }),
      property,
    );
  });

  it("treats very different texts as a whole, in bounded time", () => {
    const lines = (word: string) => Array.from({ length: 3_000 }, (_, at) => `${word} ${at}`).join("\n");
    const compared = compare(lines("before"), lines("after"));
    expect(compared.slice(0, 3_000).every(({ kind }) => kind === "removed")).toBe(true);
    expect(compared.slice(3_000).every(({ kind }) => kind === "added")).toBe(true);
  });

  it("omits only lines far from any change", () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const after = before.with(10, "another");
    const stretches = condense(compare(before.join("\n"), after.join("\n")));
    expect(stretches.map(({ lines, left }) => (lines ? lines.length : -left))).toEqual([-7, 8, -6]);
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const lines = compare(one, other);
        const kept = condense(lines).reduce(
          (sum, stretch) => sum + (stretch.lines ? stretch.lines.length : stretch.left),
          0,
        );
        expect(kept).toBe(lines.length);
      }),
      property,
    );
  });
});
