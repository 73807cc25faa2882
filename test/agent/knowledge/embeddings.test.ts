import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { DocumentStore, type FoundText } from "../../../src/agent/knowledge/object/document-store.ts";
import {
  EMBEDDING_MODEL,
  type EmbeddingModel,
  type EmbeddingService,
} from "../../../src/agent/knowledge/object/embedding-service.ts";
import { Embeddings } from "../../../src/agent/knowledge/object/embeddings.ts";
import type { KnowledgeBase } from "../../../src/agent/knowledge/object/knowledge-base.ts";
import { maskChunks } from "../../../src/agent/knowledge/object/mask.ts";
import { rankByBoth } from "../../../src/agent/knowledge/object/search-both.ts";
import { packVectors, similarities, unitVector } from "../../../src/agent/knowledge/object/vectors.ts";
import { wordsOf } from "../../../src/agent/knowledge/text/words.ts";
import { KNOWLEDGE } from "../../../src/agent/stores.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import { type Client, tenant } from "../../support/client.ts";
import { newAgent, readyText, search } from "./support.ts";

const NOW = 1_800_000_000_000;
const SMALL: EmbeddingModel = { name: "small", dimensions: 4 };

/** Words with the same meaning. Texts that contain them have the same vector. */
const MEANINGS = [/refund|money back|geld zurück/i, /open|hours|geöffnet/i, /parking|garage/i];

function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array<number>(dimensions).fill(0);
  const meaning = MEANINGS.findIndex((words) => words.test(text));
  vector[meaning < 0 ? MEANINGS.length : meaning] = 1;
  return vector;
}

/** Creates a stand-in for the service that counts the texts it receives. */
function standIn({ dimensions }: EmbeddingModel = EMBEDDING_MODEL) {
  const sent: string[] = [];
  const run: EmbeddingService["run"] = async (_, { text }) => {
    sent.push(...text);
    return { data: text.map((one) => vectorOf(one, dimensions)) };
  };
  return { sent, run };
}

const gone: EmbeddingService = { run: () => Promise.reject(new Error("no such model")) };
const silent: EmbeddingService = { run: () => new Promise(() => {}) };

/** Creates an account to which a service is bound. */
async function boundTo(service: EmbeddingService): Promise<{ account: string; client: Client }> {
  const { account, server } = await tenant();
  const stub = env.KNOWLEDGE_BASE.getByName(account) as DurableObjectStub<KnowledgeBase>;
  await runInDurableObject(stub, (object) => {
    Object.defineProperty(object, "env", { value: Object.assign({}, env, { AI: service }) });
  });
  return { account, client: server };
}

interface Tables {
  storage: DurableObjectStorage;
  store: DocumentStore;
  sql: SqlStorage;
  /** Stores a document with these texts as its chunks. */
  add(id: string, texts: string[]): void;
  embeddings(service: EmbeddingService | null, model?: EmbeddingModel): Embeddings;
  /** Returns the texts of these documents in the form that searches need. */
  textsOf(...ids: string[]): FoundText[];
  rows(): { document: string; first: number; model: string }[];
}

/** Runs `work` with the tables of an object that belongs to no account. */
function withTables<T>(work: (tables: Tables) => Promise<T> | T): Promise<T> {
  const stub = env.KNOWLEDGE_BASE.getByName(`no-account-${crypto.randomUUID()}`) as DurableObjectStub<KnowledgeBase>;
  return runInDurableObject(stub, (_, { storage }) => {
    migrate(storage, KNOWLEDGE.migrations, NOW);
    const [store, sql] = [new DocumentStore(storage), storage.sql];
    const add = (id: string, texts: string[]) => {
      store.queue({ id, file_name: "a.txt", content_type: "text/plain" }, NOW);
      const job = store.begin(id, NOW);
      if (job === null) throw new Error("nothing is queued");
      const chunks = texts.map((text) => ({ heading: "", text, repeated: 0, words: wordsOf(text).join(" ") }));
      store.add(job, chunks, 0);
      store.finish(job, null, { now: NOW, isHeld: false });
    };
    const embeddings = (service: EmbeddingService | null, model = SMALL) =>
      new Embeddings({ storage, service, model, report: () => {}, now: () => NOW });
    const rows = () =>
      sql
        .exec<{ document: string; first: number; model: string }>(
          "SELECT document, first, model FROM embeddings ORDER BY document, first",
        )
        .toArray();
    const textsOf = (...ids: string[]) => store.texts(ids.map((id) => ({ id, text: null })));
    return work({ storage, store, sql, add, embeddings, textsOf, rows });
  });
}

async function finish(embeddings: Embeddings): Promise<void> {
  while (embeddings.dueAt() !== null) await embeddings.run();
}

/** Waits until the account's object has embeddings of this many documents. */
async function embedded(account: string, documents: number): Promise<void> {
  const stub = env.KNOWLEDGE_BASE.getByName(account) as DurableObjectStub<KnowledgeBase>;
  await vi.waitFor(async () => {
    const count = await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec<{ n: number }>("SELECT count(DISTINCT document) AS n FROM embeddings").one(),
    );
    expect(count.n).toBe(documents);
  });
}

describe("a search with an embedding service", () => {
  it("finds a passage in another language that has none of the query's words", async () => {
    const { account, client } = await boundTo(standIn());
    await readyText(client, "Rückgabe", "Sie bekommen Ihr Geld zurück, wenn Sie innerhalb von 14 Tagen schreiben.");
    await readyText(client, "Garage", "The garage is below the building.");
    await embedded(account, 2);
    const found = await search(client, "refund");
    expect(found.map(({ title }) => title)).toEqual(["Rückgabe"]);
  });

  it("ranks an FAQ with the query's words before a passage that is only near in meaning", async () => {
    const { account, client } = await boundTo(standIn());
    const { id } = await readyText(client, "Rückgabe", "Sie bekommen Ihr Geld zurück.");
    const faq = { name: "refunds", title: "Refund", content: "A refund takes 5 days." };
    const { body } = await client.post<{ id: string }>("/api/v1/faqs", faq);
    const agent = await newAgent(client);
    await client.post(`/api/v1/agents/${agent}/faqs`, { faq_id: body.id });
    await client.post(`/api/v1/agents/${agent}/knowledge`, { document_id: id });
    await embedded(account, 1);
    const found = await search(client, "refund", { agent_id: agent });
    expect(found.map(({ document_id, faq_id }) => document_id ?? faq_id)).toEqual([body.id, id]);
  });

  it("finds nothing if no passage is related to the query", async () => {
    const { account, client } = await boundTo(standIn());
    await readyText(client, "Garage", "The garage is below the building.");
    await embedded(account, 1);
    expect(await search(client, "dinosaurs")).toEqual([]);
  });

  it.each([
    ["fails", gone],
    ["does not answer", silent],
    ["answers with another dimension", standIn({ name: "", dimensions: 3 })],
    ["answers with no vectors", { run: async () => ({ data: ["x"] }) }],
  ])("a search with an embedding service ranks by words while the service %s", async (_, service) => {
    const { client } = await boundTo(service);
    await readyText(client, "Garage", "The garage is below the building.");
    const found = await search(client, "garage");
    expect(found.map(({ title }) => title)).toEqual(["Garage"]);
  });

  it("ranks by words if the query's embedding is late", async () => {
    const service = standIn();
    let isSilent = false;
    const { account, client } = await boundTo({
      run: (model, input) => (isSilent ? new Promise(() => {}) : service.run(model, input)),
    });
    await readyText(client, "Garage", "The garage is below the building.");
    await embedded(account, 1);
    isSilent = true;
    expect(await search(client, "parking")).toEqual([]);
    expect(await search(client, "garage")).toHaveLength(1);
  });
});

describe("the embeddings of a document", () => {
  it("embeddings are made later if a document was processed without a service", async () => {
    await withTables(async ({ add, embeddings, rows }) => {
      add("a", ["garage"]);
      await finish(embeddings(null));
      expect(rows()).toEqual([]);
      await finish(embeddings(standIn(SMALL)));
      expect(rows()).toEqual([{ document: "a", first: 0, model: "small" }]);
    });
  });

  it("embeddings are stored 64 to a row", async () => {
    await withTables(async ({ add, embeddings, rows }) => {
      const texts = Array.from({ length: 130 }, (_, n) => `garage ${n}`);
      add("a", texts);
      const service = standIn(SMALL);
      await finish(embeddings(service));
      expect([rows().map(({ first }) => first), service.sent]).toEqual([[0, 64, 128], texts]);
    });
  });

  it("a different model replaces the embeddings", async () => {
    await withTables(async ({ add, embeddings, rows }) => {
      add("a", ["garage"]);
      await finish(embeddings(standIn(SMALL)));
      await finish(embeddings(standIn(SMALL), { name: "newer", dimensions: 4 }));
      expect(rows()).toEqual([{ document: "a", first: 0, model: "newer" }]);
    });
  });

  it("embeddings are made once, even after the object restarts", async () => {
    await withTables(async ({ add, embeddings }) => {
      add("a", ["garage"]);
      const service = standIn(SMALL);
      await finish(embeddings(service));
      await finish(embeddings(service));
      expect(service.sent).toEqual(["garage"]);
    });
  });

  it("a document whose embeddings fail does not keep others waiting", async () => {
    await withTables(async ({ add, embeddings, rows }) => {
      for (const id of ["a", "b", "c"]) add(id, [id === "b" ? "poison" : "garage"]);
      const service = standIn(SMALL);
      const part = embeddings({
        run: (model, input) => (input.text.includes("poison") ? gone.run(model, input) : service.run(model, input)),
      });
      const failures: unknown[] = [];
      for (let turn = 0; turn < 6; turn++) await part.run().catch((error: unknown) => failures.push(error));
      expect(rows().map(({ document }) => document)).toEqual(["a", "c"]);
      expect([failures.length > 0, part.dueAt()]).toEqual([true, 0]);
    });
  });

  it("deleting a document's text deletes its embeddings", async () => {
    await withTables(async ({ store, add, embeddings, rows }) => {
      add("a", ["garage"]);
      await finish(embeddings(standIn(SMALL)));
      store.remove("a");
      while (store.hasStale) store.deleteStale();
      expect(rows()).toEqual([]);
    });
  });

  it("embeddings are not stored for a text that was replaced meanwhile", async () => {
    await withTables(async ({ sql, add, embeddings, rows }) => {
      add("a", ["garage, call +49 30 1234567"]);
      const answer = Promise.withResolvers<void>();
      const service = standIn(SMALL);
      const part = embeddings({ run: (model, input) => answer.promise.then(() => service.run(model, input)) });
      const run = part.run();
      maskChunks(sql, "+49301234567", 0);
      answer.resolve();
      await run;
      expect(rows()).toEqual([]);
      await finish(part);
      expect(service.sent.at(-1)).not.toContain("1234567");
      expect(rows()).toHaveLength(1);
    });
  });

  it("embeddings are made again after a number was erased from the text", async () => {
    await withTables(async ({ sql, add, embeddings, rows }) => {
      add("a", ["garage, call +49 30 1234567"]);
      const service = standIn(SMALL);
      const part = embeddings(service);
      await finish(part);
      maskChunks(sql, "+49301234567", 0);
      expect(rows()).toEqual([]);
      part.wake();
      await finish(part);
      expect(service.sent.at(-1)).not.toContain("1234567");
    });
  });
});

describe("the embedding of a query", () => {
  it("a service that fails is reported once in ten minutes, however many queries it misses", async () => {
    await withTables(async ({ storage, add, embeddings }) => {
      add("a", ["garage"]);
      await finish(embeddings(standIn(SMALL)));
      const reported: unknown[] = [];
      let now = NOW;
      const failing = new Embeddings({
        storage,
        service: gone,
        model: SMALL,
        report: (error) => void reported.push(error),
        now: () => now,
      });
      for (let n = 0; n < 5; n++) expect(await failing.ofQuery("garage")).toBeNull();
      expect(reported).toHaveLength(1);
      now += 600_000;
      await failing.ofQuery("garage");
      expect(reported).toHaveLength(2);
    });
  });
});

describe("the ranking by words and embeddings", () => {
  const unit = unitVector(vectorOf("refund", 4));

  it("puts a chunk of both orders before a chunk of one", async () => {
    await withTables(async ({ sql, add, embeddings, textsOf }) => {
      add("a", ["money back", "refund of a deposit", "opening words about deposit"]);
      await finish(embeddings(standIn(SMALL)));
      const given = { words: wordsOf("deposit"), unit, model: "small", texts: textsOf("a"), limit: 5 };
      expect(rankByBoth(sql, given).ranked.map(({ position }) => position)).toEqual([1, 0, 2]);
    });
  });

  it("does not put a chunk without an embedding behind those with one", async () => {
    await withTables(async ({ sql, add, embeddings, textsOf }) => {
      add("a", ["money back"]);
      await finish(embeddings(standIn(SMALL)));
      add("b", ["deposit"]);
      const given = { words: wordsOf("deposit"), unit, model: "small", texts: textsOf("a", "b"), limit: 5 };
      expect(rankByBoth(sql, given).ranked.map(({ document }) => document)).toEqual(["b", "a"]);
    });
  });

  it("compares only the best by words if there are too many chunks", async () => {
    await withTables(async ({ sql, add, embeddings, textsOf }) => {
      add("a", ["money back", "deposit and hours", "refund, deposit"]);
      await finish(embeddings(standIn(SMALL)));
      const given = { words: wordsOf("deposit"), unit, model: "small", texts: textsOf("a"), limit: 5 };
      expect(rankByBoth(sql, given, 2).ranked.map(({ position }) => position)).toEqual([2, 1]);
    });
  });

  it("finds no chunk of a document that is not searched", async () => {
    await withTables(async ({ sql, add, embeddings, textsOf }) => {
      add("a", ["money back"]);
      add("b", ["refund"]);
      await finish(embeddings(standIn(SMALL)));
      const given = { words: wordsOf("refund"), unit, model: "small", texts: textsOf("a"), limit: 5 };
      expect(rankByBoth(sql, given).ranked.map(({ document }) => document)).toEqual(["a"]);
    });
  });
});

describe("the comparison of many chunks", () => {
  it("finds the nearest of a thousand chunks by the fewest differing signs", async () => {
    const wide: EmbeddingModel = { name: "wide", dimensions: 256 };
    /** Returns components that no other text has. */
    const wave = (seed: number) => Array.from({ length: 256 }, (_, i) => Math.sin((i + 1) * (seed + 1) * 1.7));
    await withTables(async ({ sql, add, embeddings, textsOf }) => {
      add(
        "a",
        Array.from({ length: 1_000 }, (_, n) => `${n}`),
      );
      await finish(embeddings({ run: async (_, { text }) => ({ data: text.map((one) => wave(Number(one))) }) }, wide));
      for (const n of [0, 63, 64, 777, 999]) {
        const noisy = wave(n).map((component, i) => component + Math.cos(i * 31) / 3);
        const given = { words: [], unit: unitVector(noisy), model: "wide", texts: textsOf("a"), limit: 1 };
        expect(rankByBoth(sql, given).ranked.map(({ position }) => position)).toEqual([n]);
      }
    });
  });
});

describe("packed vectors", () => {
  it("preserve cosines to within a hundredth", () => {
    const wave = (seed: number) => Array.from({ length: 1_024 }, (_, i) => Math.sin(i * seed) * Math.cos(i + seed));
    const vectors = [1.1, 2.3, 3.7, 5.9].map(wave);
    const unit = unitVector(wave(1.1000001));
    const exact = vectors.map((one) =>
      unitVector(one).reduce((sum, component, i) => sum + component * (unit[i] ?? 0), 0),
    );
    for (const [i, found] of similarities(unit, packVectors(vectors)).entries())
      expect(Math.abs(found - (exact[i] ?? 0))).toBeLessThan(0.01);
  });
});
