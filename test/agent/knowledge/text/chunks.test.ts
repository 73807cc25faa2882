import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Block,
  type Chunk,
  chunksOf,
  MAX_CHUNK_CHARS,
  MAX_OVERLAP_CHARS,
} from "../../../../src/agent/knowledge/text/chunks.ts";

const sentence = fc.constantFrom(
  "Refunds take three days. ",
  "Öffnungszeiten? ",
  "返金は三日かかります。",
  "😀",
  "\n",
  "word ",
);
const line = fc.tuple(sentence, fc.nat(400)).map(([text, times]) => text.repeat(times));
const blocks = fc.array(
  fc.record({
    heading: fc.constantFrom("", "Refunds", "Hours"),
    text: fc.oneof(
      fc.string({ unit: "binary", maxLength: 5_000 }),
      fc.array(line, { maxLength: 8 }).map((t) => t.join("")),
    ),
  }),
  { maxLength: 6 },
);

/** Joins chunks to the texts from which they were cut, as blocks with one heading each. */
function uncut(chunks: readonly Chunk[]): Block[] {
  const sections: Block[] = [];
  for (const { heading, text, repeated } of chunks) {
    const last = sections.at(-1);
    if (last && last.heading === heading) last.text += text.slice(repeated);
    else sections.push({ heading, text });
  }
  return sections;
}

function sections(given: readonly Block[]): Block[] {
  const found: Block[] = [];
  for (const { heading, text } of given.filter((block) => block.text.trim() !== "")) {
    const last = found.at(-1);
    if (last?.heading === heading) last.text += `\n${text}`;
    else found.push({ heading, text });
  }
  return found.map(({ heading, text }) => ({ heading, text: text.trim() }));
}

describe("chunks", () => {
  it("contain every character of a text once, apart from repetitions", () => {
    fc.assert(
      fc.property(blocks, (given) => {
        expect(uncut(chunksOf(given))).toEqual(sections(given));
      }),
    );
  });

  it("a chunk never exceeds the limit of its length or overlap", () => {
    fc.assert(
      fc.property(blocks, (given) => {
        for (const { text, repeated } of chunksOf(given)) {
          expect(text.length).toBeLessThanOrEqual(MAX_CHUNK_CHARS);
          expect(repeated).toBeLessThanOrEqual(MAX_OVERLAP_CHARS);
        }
      }),
    );
  });

  it("never begin or end within a character", () => {
    const text = fc
      .tuple(fc.nat(3), fc.constantFrom("😀", "a😀", "𠀋。"))
      .map(([n, of]) => "x".repeat(n) + of.repeat(4_000));
    fc.assert(
      fc.property(text, (one) => {
        for (const chunk of chunksOf([{ heading: "", text: one }])) expect(chunk.text.isWellFormed()).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it("end with a sentence if the text has sentences", () => {
    const chunks = chunksOf([{ heading: "", text: "A refund is paid within three days. ".repeat(300) }]);
    for (const { text } of chunks) expect(text).toMatch(/^A refund .* days\. ?$/);
  });

  it("a text without sentence ends is cut between words", () => {
    const chunks = chunksOf([{ heading: "", text: "refund ".repeat(2_000) }]);
    for (const { text } of chunks) expect(text).toMatch(/^refund .*refund ?$/);
  });

  it("a line of twenty million characters is cut in linear time", () => {
    expect(chunksOf([{ heading: "", text: "x".repeat(20_000_000) }]).length).toBeLessThan(12_000);
  });
});
