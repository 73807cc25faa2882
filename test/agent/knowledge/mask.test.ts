import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DocumentStore } from "../../../src/agent/knowledge/object/document-store.ts";
import { maskChunks } from "../../../src/agent/knowledge/object/mask.ts";
import { type Chunk, chunksOf } from "../../../src/agent/knowledge/text/chunks.ts";
import { wordsOf } from "../../../src/agent/knowledge/text/words.ts";
import { KNOWLEDGE } from "../../../src/agent/stores.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import { NumberMask } from "../../../src/kernel/mask-number.ts";

const NOW = 1_800_000_000_000;
const NUMBER = "+491722297981";

/** Stores a document's chunks, masks the number in all of them, and returns them. */
function masked(chunks: readonly Chunk[]): Promise<(Chunk & { words: string })[]> {
  const stub = env.KNOWLEDGE_BASE.getByName(`no-account-${crypto.randomUUID()}`);
  return runInDurableObject(stub, (_, { storage }) => {
    migrate(storage, KNOWLEDGE.migrations, NOW);
    const store = new DocumentStore(storage);
    store.queue({ id: "a", file_name: "a.txt", content_type: "text/plain" }, NOW);
    const job = store.begin("a", NOW);
    if (job === null) throw new Error("nothing is queued");
    store.add(
      job,
      chunks.map((chunk) => Object.assign({ words: wordsOf(chunk.text).join(" ") }, chunk)),
      0,
    );
    for (let after: number | null = 0; after !== null; ) after = maskChunks(storage.sql, NUMBER, after).next;
    return storage.sql
      .exec<{ heading: string; text: string; repeated: number; words: string }>("SELECT * FROM chunks ORDER BY place")
      .toArray();
  });
}

const wholeOf = (chunks: readonly Chunk[]) => chunks.map(({ text, repeated }) => text.slice(repeated)).join("");

describe("a number that is erased from a document", () => {
  it("no part of a number remains, wherever a passage ends or begins within it", async () => {
    // Words of different lengths, so that passages end and begin at each position of a number.
    const words = Array.from({ length: 30 }, (_, i) => "w".repeat(1 + (i % 7)));
    const pieces = Array.from({ length: 60_000 }, (_, i) => {
      const word = words[(i * 7) % words.length] ?? "";
      return i % 5 === 0 ? `${word} +49 172 2 29 79 81` : word;
    });
    const chunks = chunksOf([{ heading: "", text: pieces.join(" ") }]);
    expect(chunks.length).toBeGreaterThan(200);
    expect(
      chunks.filter(({ text }) => /\+49 172[ 279]*$/.test(text.trim()) && !text.trim().endsWith("81")),
    ).not.toEqual([]);
    const found = await masked(chunks);
    for (const { text, words } of found) expect([text, words].join().replaceAll("[PHONE]", "")).not.toMatch(/[0-9+]/);
    expect(wholeOf(found)).toBe(new NumberMask(NUMBER).text(wholeOf(chunks)));
  });

  it("other digits at the end of a passage remain", async () => {
    const chunks = chunksOf([{ heading: "", text: `${"word ".repeat(398)}+49 172 2 29 79 80 ${"word ".repeat(500)}` }]);
    expect(await masked(chunks)).toMatchObject(chunks);
  });
});
