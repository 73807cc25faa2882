import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonPieces } from "../../../src/kernel/db/json-pieces.ts";

const MB = 1_000_000;
const bytes = (text: string) => new TextEncoder().encode(text).length;

describe("JSON pieces", () => {
  it("contain all rows in order, and each fits into a parameter unless it is a single row", () => {
    const row = fc.record({
      of: fc.constantFrom("x", "ü", "€", "😀", '"', "\u0001", "\ud800"),
      length: fc.constantFrom(0, 1, 1_000, 60_000, 400_000),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (shapes) => {
        const rows = shapes.map(({ of, length }, i) => [i, of.repeat(length)]);
        const pieces = jsonPieces(rows);
        expect(pieces.flatMap((piece) => JSON.parse(piece))).toEqual(rows);
        for (const piece of pieces) if (JSON.parse(piece).length > 1) expect(bytes(piece)).toBeLessThanOrEqual(MB);
      }),
      { numRuns: 30 },
    );
  });

  it("JSON pieces are one piece if all rows fit, and one empty array without rows", () => {
    expect(jsonPieces([])).toEqual(["[]"]);
    expect(jsonPieces([1, 2, 3])).toEqual(["[1,2,3]"]);
    expect(jsonPieces(Array.from({ length: 9 }, () => "x".repeat(111_000)))).toHaveLength(1);
  });
});
