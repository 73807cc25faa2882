import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestName } from "../../../src/kernel/http/ignored-fields.ts";

/** Counts the edits between two texts, directly by the definition. */
function edits(from: string, to: string): number {
  if (from === "" || to === "") return from.length + to.length;
  if (from[0] === to[0]) return edits(from.slice(1), to.slice(1));
  return 1 + Math.min(edits(from.slice(1), to), edits(from, to.slice(1)), edits(from.slice(1), to.slice(1)));
}

const name = fc.string({ unit: fc.constantFrom(..."abc_"), maxLength: 6 });

describe("the nearest name", () => {
  it("the nearest name is the first with the fewest edits", () => {
    fc.assert(
      fc.property(name, fc.array(name, { minLength: 1, maxLength: 5 }), (sent, known) => {
        const fewest = Math.min(...known.map((one) => edits(sent, one)));
        expect(nearestName(sent, known)).toBe(known.find((one) => edits(sent, one) === fewest));
      }),
    );
  });

  it("does not exist for a name of more than 64 characters, or if no name is known", () => {
    expect(nearestName("a".repeat(65), ["a".repeat(64)])).toBeNull();
    expect(nearestName("a".repeat(64), ["a".repeat(63)])).toBe("a".repeat(63));
    expect(nearestName("a", [])).toBeNull();
  });
});
