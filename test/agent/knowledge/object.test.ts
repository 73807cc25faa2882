import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { DocumentStore, type IndexedChunk } from "../../../src/agent/knowledge/object/document-store.ts";
import type { KnowledgeBase } from "../../../src/agent/knowledge/object/knowledge-base.ts";
import { Processing } from "../../../src/agent/knowledge/object/processing.ts";
import { KNOWLEDGE } from "../../../src/agent/stores.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const original = (id: string) => ({ id, file_name: "a.txt", content_type: "text/plain" });
const chunk = (text: string): IndexedChunk => ({ heading: "", text, repeated: 0, words: text });
const NOW = 1_800_000_000_000;

/** Runs `work` with the tables of an object that belongs to no account. */
function withStore<T>(work: (store: DocumentStore, sql: SqlStorage) => Promise<T> | T): Promise<T> {
  const stub = env.KNOWLEDGE_BASE.getByName(`no-account-${crypto.randomUUID()}`);
  return runInDurableObject(stub as DurableObjectStub<KnowledgeBase>, async (_, { storage }) => {
    migrate(storage, KNOWLEDGE.migrations, NOW);
    return work(new DocumentStore(storage), storage.sql);
  });
}

/** Creates a processing whose reader returns `chunks`, and records its outcome. */
function processing(store: DocumentStore, read: () => Promise<string[]>, isHeld = false) {
  const ended: string[] = [];
  const part = new Processing({
    store,
    original: async () => new ArrayBuffer(1),
    read: async () => {
      const texts = await read();
      return { language: null, chunks: texts.map(chunk), count: texts.length };
    },
    mostChunks: async () => 1_000,
    isHeld: async () => isHeld,
    ended: ({ status, reason }) => void ended.push(reason ?? status),
    report: () => {},
  });
  return { part, ended };
}

const found = (sql: SqlStorage, word: string) =>
  sql.exec<{ n: number }>("SELECT count(*) AS n FROM chunk_index WHERE chunk_index MATCH ?", word).one().n;

describe("the processing of a document", () => {
  it("processing that ends with the process in any step is repeated and never half found", async () => {
    const texts = Array.from({ length: 250 }, (_, n) => `word${n}`);
    for (let steps = 1; steps < 5; steps++) {
      await withStore(async (store) => {
        store.queue(original("a"), NOW);
        const first = processing(store, async () => texts);
        for (let step = 0; step < steps && first.part.dueAt() !== null; step++) {
          await first.part.run(NOW);
          const { status, chunks } = store.states(["a"])[0] ?? { status: "", chunks: -1 };
          expect([status, chunks]).toEqual(status === "ready" ? ["ready", 250] : ["processing", 0]);
        }
        // Another process only knows what is stored.
        const second = processing(store, async () => texts);
        while (second.part.dueAt() !== null) await second.part.run(NOW);
        while (store.hasStale) store.deleteStale();
        expect(store.states(["a"])).toMatchObject([{ status: "ready", chunks: 250 }]);
        expect(store.chunksOf("a", { from: 0, limit: 1_000 }).map(({ text }) => text)).toEqual(texts);
      });
    }
  });

  it("processing that ends the process each time fails after three tries", async () => {
    await withStore(async (store) => {
      store.queue(original("a"), NOW);
      for (let life = 0; life < 3; life++) {
        void processing(store, () => new Promise(() => {})).part.run(NOW);
        await Promise.resolve();
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      const last = processing(store, async () => ["word"]);
      await last.part.run(NOW);
      expect([last.ended, store.states(["a"])]).toMatchObject([["reading_failed"], [{ status: "failed" }]]);
    });
  });

  it("fails ten minutes after it began, and keeps the text before it", async () => {
    await withStore(async (store) => {
      store.queue(original("a"), NOW);
      const first = processing(store, async () => ["old"]);
      while (first.part.dueAt() !== null) await first.part.run(NOW);
      store.queue(original("a"), NOW);
      const { part, ended } = processing(store, () => new Promise(() => {}));
      void part.run(NOW);
      await new Promise((resolve) => setTimeout(resolve, 0));
      const deadline = part.deadlines.dueAt({}) ?? 0;
      expect(deadline).toBe(NOW + 600_000);
      await part.deadlines.run(deadline, deadline + 1);
      expect([ended, store.states(["a"])]).toMatchObject([["timed_out"], [{ status: "failed", chunks: 1 }]]);
      expect(part.dueAt()).toBeNull();
    });
  });

  it("leaves nothing of a text that was replaced in the index", async () => {
    await withStore(async (store, sql) => {
      for (const text of ["old", "new"]) {
        store.queue(original("a"), NOW);
        const { part } = processing(store, async () => [text]);
        while (part.dueAt() !== null) await part.run(NOW);
      }
      while (store.hasStale) store.deleteStale();
      expect([found(sql, "old"), found(sql, "new")]).toEqual([0, 1]);
      const stored = sql.exec<{ block: ArrayBuffer }>("SELECT block FROM chunk_index_data").toArray();
      expect(stored.some(({ block }) => new TextDecoder("latin1").decode(block).includes("old"))).toBe(false);
    });
  });
});

describe("searches of an account", () => {
  it("searches of an account beyond fifty waiting ones are refused", async () => {
    const stub = env.KNOWLEDGE_BASE.getByName(`no-account-${crypto.randomUUID()}`);
    await stub.process(original("a"));
    await runDurableObjectAlarm(stub);
    const search = () =>
      stub.search({ query: "word", words: ["word"], documents: [{ id: "a", text: null }], limit: 5 });
    const answers = await Promise.allSettled(Array.from({ length: 200 }, search));
    const refused = answers.filter((one) => one.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toMatchObject({ status: 429, code: "busy" });
    await vi.waitFor(async () => expect((await search()).chunks).toEqual([]));
  });
});
