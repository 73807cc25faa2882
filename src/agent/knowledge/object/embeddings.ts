import type { ObjectPart } from "../../../kernel/durable/object-part.ts";
import { MINUTE_MS, SECOND_MS } from "../../../kernel/time.ts";
import { withinTime } from "../../../kernel/time-limit.ts";
import { EMBEDDED_TOGETHER, EMBEDDING_MS, MAX_WAITING, QUERY_EMBEDDING_MS } from "../limits.ts";
import { type EmbeddingModel, type EmbeddingService, embed } from "./embedding-service.ts";
import { packSigns, packVectors, unitVector } from "./vectors.ts";

interface Dependencies {
  storage: DurableObjectStorage;
  /** Null if the deployment has no service. Then nothing is embedded, and searches use words only. */
  service: EmbeddingService | null;
  model: EmbeddingModel;
  report(error: unknown): void;
  /** Returns the current time, ms. */
  now(): number;
}

/**
 * Queries without an embedding are reported at most this often, ms, so that an outage writes one line instead of one
 * per search.
 */
const REPORTED_EVERY_MS = 10 * MINUTE_MS;

/** Neighbouring chunks of a document that are embedded together and stored in one row. */
interface Row {
  document: string;
  edition: number;
  /** The position of the first chunk. */
  first: number;
}

/**
 * Computes the embeddings of queries, and of chunks once their document is ready. A document without embeddings is
 * found by words. If the service fails, it is retried later, and no other work waits for it.
 */
export class Embeddings implements ObjectPart {
  readonly retry = { firstMs: 10 * SECOND_MS, longestMs: 10 * MINUTE_MS };
  readonly #deps: Dependencies;
  /** Whether every document had its embeddings at the last check. */
  #isDone = false;
  /** The document to continue with, and the one that failed last, which is retried after all others. */
  #from = "";
  #failed = "";
  /** The number of queries that the service has not yet answered. */
  #asked = 0;
  /** When a query without an embedding was last reported, ms. */
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  get #sql(): SqlStorage {
    return this.#deps.storage.sql;
  }

  /** Schedules a check of all documents, because one is new or has lost its embeddings. */
  wake(): void {
    this.#isDone = false;
  }

  dueAt(): number | null {
    return this.#deps.service === null || this.#isDone ? null : 0;
  }

  /** Embeds one row of chunks. @throws if the service fails */
  async run(): Promise<void> {
    const { service, model } = this.#deps;
    const row = this.#nextRow();
    if (service === null || row === null) {
      this.#isDone = true;
      return;
    }
    this.#from = row.document;
    this.#failed = row.document;
    const texts = this.#textsOf(row);
    const vectors = await embed(service, model, texts, EMBEDDING_MS);
    this.#failed = "";
    this.#store(row, texts, vectors);
  }

  /** Returns the embedding of a query; null if it does not arrive in time. */
  async ofQuery(query: string): Promise<Float32Array | null> {
    const { service, model } = this.#deps;
    if (service === null || this.#asked >= MAX_WAITING || !this.#hasAny()) return null;
    this.#asked += 1;
    const asked = embed(service, model, [query], EMBEDDING_MS).finally(() => {
      this.#asked -= 1;
    });
    try {
      const [vector] = await withinTime(asked, QUERY_EMBEDDING_MS);
      return vector ? unitVector(vector) : null;
    } catch (error) {
      this.#reportMissing(error);
      return null;
    }
  }

  #reportMissing(error: unknown): void {
    const { report, now } = this.#deps;
    if (now() - this.#reportedAt < REPORTED_EVERY_MS) return;
    this.#reportedAt = now();
    report(error);
  }

  #hasAny(): boolean {
    return this.#sql.exec("SELECT 1 FROM embeddings LIMIT 1").toArray().length > 0;
  }

  /** Returns the next chunks without an embedding of this model; null if all have one. */
  #nextRow(): Row | null {
    const ranges = [
      [this.#from, this.#failed],
      ["", this.#failed],
      ["", ""],
    ] as const;
    for (const [from, except] of ranges) {
      const [row] = this.#sql
        .exec<{ document: string; edition: number; chunks: number }>(
          `SELECT id AS document, edition, chunks FROM documents AS d
           WHERE id >= ?1 AND id <> ?2 AND chunks > (
             SELECT count(*) FROM embeddings AS e
             WHERE e.document = d.id AND e.edition = d.edition AND e.model = ?3) * ${EMBEDDED_TOGETHER}
           ORDER BY id LIMIT 1`,
          from,
          except,
          this.#deps.model.name,
        )
        .toArray();
      if (row) return this.#firstMissing(row);
    }
    return null;
  }

  #firstMissing({ document, edition, chunks }: { document: string; edition: number; chunks: number }): Row | null {
    const there = this.#sql
      .exec<{ first: number }>(
        "SELECT first FROM embeddings WHERE document = ? AND edition = ? AND model = ?",
        document,
        edition,
        this.#deps.model.name,
      )
      .toArray();
    const firsts = new Set(there.map(({ first }) => first));
    for (let first = 0; first < chunks; first += EMBEDDED_TOGETHER)
      if (!firsts.has(first)) return { document, edition, first };
    return null;
  }

  #textsOf({ document, edition, first }: Row): string[] {
    return this.#sql
      .exec<{ heading: string; text: string }>(
        `SELECT heading, text FROM chunks WHERE document = ? AND edition = ? AND place >= ?
         ORDER BY place LIMIT ${EMBEDDED_TOGETHER}`,
        document,
        edition,
        first,
      )
      .toArray()
      .map(({ heading, text }) => `${heading}\n${text}`.trim());
  }

  /** Stores a row, unless its text has been replaced, deleted or masked since. */
  #store(row: Row, texts: readonly string[], vectors: readonly (readonly number[])[]): void {
    this.#deps.storage.transactionSync(() => {
      if (JSON.stringify(this.#textsOf(row)) !== JSON.stringify(texts)) return;
      this.#sql.exec(
        "INSERT OR REPLACE INTO embeddings (document, edition, first, model, vectors, signs) VALUES (?, ?, ?, ?, ?, ?)",
        row.document,
        row.edition,
        row.first,
        this.#deps.model.name,
        packVectors(vectors),
        packSigns(vectors),
      );
    });
  }
}
