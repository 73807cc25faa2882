import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactTexts } from "../../../src/records/privacy/redaction/redact.ts";
import type { RedactKind } from "../../../src/records/privacy/redaction/spans.ts";
import { noWork } from "../../../src/records/privacy/redaction/work.ts";
import { card, iban, writing, written } from "./numbers.ts";
import { straightforward } from "./straightforward.ts";
import { WORST_TEXTS } from "./worst-texts.ts";

const ALL = new Set<RedactKind>(["card", "iban", "email", "phone", "ssn"]);

/** The kinds of work that are counted. */
const FIGURES = ["chars", "comparisons", "windows", "groups", "parses"] as const;

/** Short pieces that make up numbers, addresses and texts that resemble them. */
const piece = fc.oneof(
  fc.constantFrom(..."0123456789 -.,/()+@:aO\n", "plus ", "+1 202 555 0143", "(303) 555-0110", "078-05-1120", "00"),
  fc.constantFrom(
    "one ",
    "double oh ",
    "twenty two ",
    "hundred",
    " and ",
    " dash ",
    "DE89",
    "GB",
    "a@b.example",
    "@x.de",
  ),
  fc.tuple(fc.oneof(card, iban), writing).map(([number, how]) => written(number, how)),
  fc.integer({ min: 0, max: 99_999 }).map(String),
);
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));
const kinds = fc.subarray([...ALL]).map((chosen) => new Set(chosen));

describe("the work of redaction", () => {
  it("gives the same results as a straightforward implementation", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), kinds, (texts, chosen) => {
        expect(redactTexts(texts, chosen).texts).toEqual(straightforward(texts, chosen));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(Object.entries(WORST_TEXTS))(
    "the work of redaction grows linearly with the length of a text of %s",
    (_, worst) => {
      const workOf = (chars: number) => {
        const work = noWork();
        redactTexts([worst(chars)], ALL, work);
        return work;
      };
      const [short, long] = [workOf(1_000), workOf(8_000)];
      for (const what of FIGURES) expect(long[what], what).toBeLessThanOrEqual(8.5 * Math.max(short[what], 10));
    },
  );

  it.each(["+1 2 3", "a@b.example"])(
    "redacting a text that comes in many pieces takes no more work, each %s",
    (piece) => {
      const workOf = (count: number) => {
        const work = noWork();
        redactTexts(Array(count).fill(piece), ALL, work);
        return work;
      };
      const [few, many] = [workOf(100), workOf(800)];
      for (const what of FIGURES) expect(many[what], what).toBeLessThanOrEqual(8.5 * Math.max(few[what], 10));
    },
  );
});
