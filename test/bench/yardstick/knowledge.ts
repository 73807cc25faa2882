/**
 * Runs the service with a stand-in of the embedding service in some accounts, and with a plain SQLite index beside each
 * account's index.
 */

import { DocumentStore } from "../../../src/agent/knowledge/object/document-store.ts";
import type { EmbeddingService } from "../../../src/agent/knowledge/object/embedding-service.ts";
import { KnowledgeBase as Deployed } from "../../../src/agent/knowledge/object/knowledge-base.ts";
import { rankByWords, withText, wordCounts } from "../../../src/agent/knowledge/object/search.ts";
import { rarest } from "../../../src/agent/knowledge/rank.ts";
import { queryWords } from "../../../src/agent/knowledge/text/common-words.ts";
import service from "../../../src/index.ts";
import { knowledgeBase } from "../../../src/kernel/durable/objects.ts";
import { type Plain, type Queries, type Side, WITHOUT_EMBEDDINGS } from "../knowledge/sides.ts";
import { vectorOf } from "../knowledge/stand-in-vectors.ts";

export * from "../../../src/index.ts";

const BATCH = 500;
/** How often a search is repeated, because the clock's resolution is a millisecond. */
const REPEATED = 10;

/**
 * How the embedding service responds to queries from now on. Documents, which have several chunks, always get
 * embeddings.
 */
let queries: Queries = "answered";

const standIn: EmbeddingService = {
  run: async (_, { text }) => {
    if (text.length === 1 && queries === "unanswered") return new Promise(() => {});
    if (text.length === 1 && queries === "refused") throw new Error("the service is gone");
    return { data: text.map(vectorOf) };
  },
};

/**
 * The deployed object, with a stand-in of the embedding service unless the account's name is that of an account without
 * embeddings.
 */
export class KnowledgeBase extends Deployed {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, Object.assign({}, env, ctx.id.name === WITHOUT_EMBEDDINGS ? {} : { AI: standIn }));
  }

  /** Returns the number of chunks, of rows of embeddings and of characters. */
  async size(): Promise<{ chunks: number; chars: number; rows: number }> {
    return this.ctx.storage.sql
      .exec<{ chunks: number; chars: number; rows: number }>(
        `SELECT (SELECT count(*) FROM chunks) AS chunks, (SELECT sum(length(text)) FROM chunks) AS chars,
           (SELECT count(*) FROM embeddings) AS rows`,
      )
      .one();
  }

  /** Puts all chunks into an index as SQLite's documentation describes. Returns the time taken, ms. */
  async fillPlain(): Promise<number> {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE VIRTUAL TABLE plain USING fts5 (document UNINDEXED, heading, text)");
    const began = await turn();
    for (let from = 0; ; from += BATCH) {
      const { rowsWritten } = sql.exec(
        `INSERT INTO plain SELECT document, heading, text FROM chunks WHERE n > ? AND n <= ?`,
        from,
        from + BATCH,
      );
      await turn();
      if (rowsWritten === 0) return (await turn()) - began;
    }
  }

  async plain(query: string, limit: number): Promise<Plain[]> {
    return this.#plain(query, limit);
  }

  /** Returns how long a search takes on a side, ms. */
  async time(side: Side, query: string, documents: string[], limit: number): Promise<number> {
    await this.#once(side, query, documents, limit);
    const began = await turn();
    for (let i = 0; i < REPEATED; i++) await this.#once(side, query, documents, limit);
    return ((await turn()) - began) / REPEATED;
  }

  async #once(side: Side, query: string, documents: string[], limit: number): Promise<void> {
    const { sql } = this.ctx.storage;
    const words = queryWords(query);
    const wanted = documents.map((id) => ({ id, text: null }));
    if (side === "plain") this.#plain(query, limit);
    else if (side === "both") await this.search({ query, words, documents: wanted, limit });
    else {
      const texts = new DocumentStore(this.ctx.storage).texts(wanted);
      withText(sql, rankByWords(sql, rarest(words, wordCounts(sql, words)), texts, limit));
    }
  }

  #plain(query: string, limit: number): Plain[] {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    return this.ctx.storage.sql
      .exec<{ document: string; text: string }>(
        "SELECT document, text FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?",
        words.map((word) => `"${word}"`).join(" OR "),
        limit,
      )
      .toArray();
  }
}

/** Returns the time after a turn of the event loop, because the clock does not advance within a turn. */
async function turn(): Promise<number> {
  await scheduler.wait(0);
  return Date.now();
}

export default {
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith("/bench/")) return service.fetch(request, env, context);
    const base = knowledgeBase(env, searchParams.get("account") ?? "") as unknown as DurableObjectStub<KnowledgeBase>;
    if (pathname === "/bench/queries") {
      queries = ((await request.json()) as { queries: Queries }).queries;
      return Response.json({ queries });
    }
    if (pathname === "/bench/size") return Response.json(await base.size());
    if (pathname === "/bench/plain/fill") return Response.json({ ms: await base.fillPlain() });
    const { query, limit, side, documents } = (await request.json()) as {
      query: string;
      limit: number;
      side: Side;
      documents: string[];
    };
    if (pathname === "/bench/plain") return Response.json(await base.plain(query, limit));
    return Response.json({ ms: await base.time(side, query, documents, limit) });
  },
} satisfies ExportedHandler<Env>;
