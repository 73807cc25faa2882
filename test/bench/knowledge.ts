import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ApiClient } from "../../src/dev/client.ts";
import { SAYS } from "./conversation/talk.ts";
import { answerAt, startModel, talk } from "./conversation.ts";
import { percentile, perSecond } from "./figures.ts";
import { type CorpusDocument, catalogue, corpus, type Question } from "./knowledge/corpus.ts";
import { type Plain, type Queries, SIDES, type Side, WITHOUT_EMBEDDINGS } from "./knowledge/sides.ts";
import { LANGUAGES } from "./knowledge/subjects.ts";
import { type Account, type Service, startService } from "./service.ts";

const WORKER = join(import.meta.dirname, "yardstick/knowledge.ts");
const [DOCUMENTS, QUESTIONS, AT] = [200, 300, 5];
/** The large index: 40 documents of 500 sections, each of which is a chunk. */
const [CATALOGUES, SECTIONS] = [40, 500];
const ASKED = 40;
const WAIT_MS = 100;
/** The number of chunks whose embeddings are in one row. */
const CHUNKS_A_ROW = 64;

interface Found {
  document_id: string;
  text: string;
}

/** Returns the texts that a search finds. */
type Ask = (query: string) => Promise<Found[]>;

/**
 * Measures what searches find and how long they take. Recall is measured with 300 questions with known answers over 200
 * documents in three languages; times with 20,000 chunks. Both are compared with a plain SQLite index over the same
 * chunks in the same object. The embeddings come from a stand-in, which knows spelling but no meaning, so their effect
 * here says nothing about a model.
 */
export async function benchKnowledge(withProfile: boolean): Promise<void> {
  const service = await startService({}, { main: WORKER, inspected: false });
  try {
    await recall(service);
    await speed(service);
  } finally {
    await service.stop();
  }
  await conversations(withProfile);
}

/** An account of the service, with the requests that only the bench sends to it. */
class Base {
  readonly name: string;
  readonly client: ApiClient;
  readonly #service: Service;

  constructor(service: Service, name: string, { client }: Pick<Account, "client">) {
    this.#service = service;
    this.name = name;
    this.client = client;
  }

  static async open(service: Service, name: string): Promise<Base> {
    return new Base(service, name, await service.openAccount(name));
  }

  async ask<T>(path: string, body?: object): Promise<T> {
    const init = { method: "POST", ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${this.#service.base}/bench/${path}?account=${this.name}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Sends documents and waits until all are ready. Returns their ids by title. */
  async add(documents: readonly CorpusDocument[]): Promise<Map<string, string>> {
    const ids = new Map<string, string>();
    for (const { title, text } of documents) {
      const form = new FormData();
      form.set("title", title);
      form.set("file", new File([text], "a.md"));
      ids.set(title, (await this.client.upload<{ id: string }>("/api/v1/knowledge", form)).id);
    }
    for (const [title, id] of ids) {
      for (;;) {
        const { status, reason } = await this.client.get<{ status: string; reason: string }>(`/api/v1/knowledge/${id}`);
        if (status === "failed") throw new Error(`${title}: ${reason}`);
        if (status === "ready") break;
        await setTimeout(WAIT_MS);
      }
    }
    return ids;
  }

  /** Waits until all chunks are embedded. Returns the number of chunks and characters. */
  async embedded(documents: number): Promise<{ chunks: number; chars: number }> {
    for (;;) {
      const { chunks, chars, rows } = await this.ask<{ chunks: number; chars: number; rows: number }>("size");
      if (rows >= Math.max(documents, chunks / CHUNKS_A_ROW)) return { chunks, chars };
      await setTimeout(WAIT_MS);
    }
  }
}

async function recall(service: Service): Promise<void> {
  const { documents, questions } = corpus(DOCUMENTS, QUESTIONS);
  const [words, both] = [await Base.open(service, WITHOUT_EMBEDDINGS), await Base.open(service, "both")];
  const [ids, idsOfBoth] = [await words.add(documents), await both.add(documents)];
  const { chunks } = await both.embedded(documents.length);
  await words.ask("plain/fill");
  console.log(
    `knowledge: ${QUESTIONS} questions over ${DOCUMENTS} documents of ${chunks} chunks, recall at ${AT} in per cent`,
  );
  const search =
    ({ client }: Base): Ask =>
    async (query) =>
      (await client.post<{ results: Found[] }>("/api/v1/knowledge/search", { query, limit: AT })).results;
  const plain: Ask = async (query) => {
    const found = await words.ask<Plain[]>("plain", { query, limit: AT });
    return found.map(({ document, text }) => ({ document_id: document, text }));
  };
  const asked: [string, Ask, Map<string, string>][] = [
    ["SQLite's plain index", plain, ids],
    ["by words", search(words), ids],
    ["by both, with a stand-in", search(both), idsOfBoth],
  ];
  console.log(
    `  ${"".padEnd(28)}${["all", "same words", "other words", ...LANGUAGES].map((name) => name.padStart(13)).join("")}`,
  );
  for (const [name, ask, known] of asked) {
    const hits: { question: Question; isHit: boolean }[] = [];
    for (const question of questions)
      hits.push({ question, isHit: isFound(await ask(question.text), question, known) });
    const share = (of: (question: Question) => boolean) => {
      const some = hits.filter(({ question }) => of(question));
      return ((100 * some.filter(({ isHit }) => isHit).length) / some.length).toFixed(1).padStart(13);
    };
    const columns = [
      share(() => true),
      share(({ wording }) => wording === "same"),
      share(({ wording }) => wording === "other"),
      ...LANGUAGES.map((one) => share(({ language }) => language === one)),
    ];
    console.log(`  ${name.padEnd(28)}${columns.join("")}`);
  }
}

function isFound(found: readonly Found[], { title, answer }: Question, ids: Map<string, string>): boolean {
  return found.some(({ document_id, text }) => document_id === ids.get(title) && text.includes(answer));
}

async function speed(service: Service): Promise<void> {
  const base = await Base.open(service, "large");
  const documents = Array.from({ length: CATALOGUES }, (_, seed) => catalogue(SECTIONS, seed));
  const bytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const began = performance.now();
  const ids = [...(await base.add(documents)).values()];
  const took = performance.now() - began;
  const { chunks, chars } = await base.embedded(0);
  const embedding = performance.now() - began - took;
  const plain = await base.ask<{ ms: number }>("plain/fill");
  const rate = (ms: number) => (bytes / 1e6 / (ms / 1e3)).toFixed(2);
  console.log(`  ${chunks} chunks of ${Math.round(chars / chunks)} characters, ${(bytes / 1e6).toFixed(1)} MB:`);
  console.log(
    `  read and indexed: ${rate(took)} MB/s, ${perSecond(chunks, took)} chunks a second; the plain index is filled from ` +
      `the chunks at ${rate(plain.ms)} MB/s (${(took / plain.ms).toFixed(1)} times as long); embedding went on for ${(embedding / 1e3).toFixed(1)} s`,
  );
  // The plain index makes one term of each Japanese sentence, so its searches find nothing and take no time.
  const questions = corpus(DOCUMENTS, QUESTIONS)
    .questions.filter(({ language }) => language !== "ja")
    .slice(0, ASKED);
  const times: Record<Side, number[]> = { plain: [], words: [], both: [] };
  for (const { text: query } of questions)
    for (const side of SIDES) {
      const { ms } = await base.ask<{ ms: number }>("time", { side, query, documents: ids, limit: AT });
      times[side].push(ms);
    }
  console.log(`  ${"a search in the object".padEnd(28)}  p50 ms  p95 ms  p50 and p95 to the plain index`);
  for (const side of SIDES) {
    const [p50, p95] = [50, 95].map((p) => percentile(times[side], p));
    const ratios = [50, 95].map((p) => (percentile(times[side], p) / percentile(times.plain, p)).toFixed(2));
    console.log(
      `  ${side.padEnd(28)}${p50?.toFixed(2).padStart(8)}${p95?.toFixed(2).padStart(8)}  ${ratios.join(", ")}`,
    );
  }
}

/** Sends the documents that conversations search: this many, each with this many sections. */
const [IN_CONVERSATIONS, OF_SECTIONS] = [5, 500];
/** Each caller says one thing, so that 500 conversations make 18 turns a second. A call ends after 30 s of silence. */
const CALLERS = { callers: 500, turns: 1, pause_ms: { least: 1_000, most: 28_000 }, handshake: "header" } as const;
const WARM_UP = { callers: 4, turns: 20, pause_ms: { least: 0, most: 0 }, handshake: "header" } as const;

const ROUNDS: readonly [string, Queries, string][] = [
  ["without a search", "refused", SAYS.plain],
  ["searching by words", "refused", SAYS.lookedUp],
  ["searching by both", "answered", SAYS.lookedUp],
  ["searching by words, after the query's embedding did not come", "unanswered", SAYS.lookedUp],
];

/**
 * Measures how much a search adds to the time to the first word, with 500 conversations at once. The model's time is
 * excluded.
 */
export async function conversations(withProfile: boolean): Promise<void> {
  const model = await startModel();
  const service = await startService(model.variables, { main: WORKER, inspected: withProfile });
  try {
    const agent = await answerAt(service);
    const base = new Base(service, "bench", service);
    const documents = Array.from({ length: IN_CONVERSATIONS }, (_, seed) => catalogue(OF_SECTIONS, seed));
    for (const document_id of (await base.add(documents)).values())
      await base.client.post(`/api/v1/agents/${agent}/knowledge`, { document_id, mode: "search" });
    const { chunks } = await base.embedded(0);
    for (const [, queries, says] of ROUNDS.slice(0, 3)) {
      await base.ask("queries", { queries });
      await talk(service, Object.assign({ says }, WARM_UP), false);
    }
    for (const [name, queries, says] of ROUNDS) {
      await base.ask("queries", { queries });
      console.log(`  ${name}, in ${chunks} chunks:`);
      const failed = model.failedSearches();
      const { added_ms } = await talk(service, Object.assign({ says }, CALLERS), true, withProfile);
      const [p50, p95] = [50, 95].map((p) => percentile(added_ms, p).toFixed(1));
      console.log(
        `    first word: p50 ${p50} ms, p95 ${p95} ms; ${model.failedSearches() - failed} searches were abandoned; ` +
          `load average ${loadavg()[0]?.toFixed(1)}`,
      );
    }
  } finally {
    await service.stop();
    model.end();
  }
}
