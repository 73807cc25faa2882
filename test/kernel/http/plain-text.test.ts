import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginningOf, isPlainText, piecesOf } from "../../../src/kernel/http/plain-text.ts";

const text = fc.string({ unit: "binary", maxLength: 60 });

describe("plain text", () => {
  it("plain text is unchanged by encoding as UTF-8, and contains no NUL", () => {
    const any = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          any.map((units) => String.fromCharCode(...units)),
        ),
        (value) => {
          const again = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(
            new TextEncoder().encode(value),
          );
          expect(isPlainText(value)).toBe(again === value && !value.includes("\0"));
        },
      ),
    );
  });

  it("plain text is split into plain pieces that join to the whole", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 9 }), (value, most) => {
        const pieces = piecesOf(value, most);
        expect(pieces.join("")).toBe(value);
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(most);
          expect(piece.isWellFormed()).toBe(true);
        }
        expect(beginningOf(value, most)).toBe(pieces[0] ?? "");
      }),
    );
  });
});
