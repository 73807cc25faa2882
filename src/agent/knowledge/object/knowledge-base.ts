import { CopiedObject } from "../../../kernel/backup/copied-object.ts";
import { accountStore } from "../../../kernel/durable/account-stores.ts";
import { giveWay } from "../../../kernel/durable/give-way.ts";
import { InTurn } from "../../../kernel/durable/in-turn.ts";
import { ObjectFrame } from "../../../kernel/durable/object-frame.ts";
import type { ObjectPart } from "../../../kernel/durable/object-part.ts";
import { accountEvents, accountOf } from "../../../kernel/durable/objects.ts";
import { Outbox } from "../../../kernel/durable/outbox.ts";
import { egressRules } from "../../../kernel/egress/address.ts";
import { tooMany } from "../../../kernel/http/errors.ts";
import { logError } from "../../../kernel/log.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import type { NewEvent } from "../../../records/events/event.ts";
import { KNOWLEDGE } from "../../stores.ts";
import { heldTexts } from "../../versions/held-texts.ts";
import { MAX_WAITING } from "../limits.ts";
import { originalKey } from "../original.ts";
import { rarest, type WordCounts } from "../rank.ts";
import type { Chunk } from "../text/chunks.ts";
import { Crawling, nextRefresh } from "./crawling.ts";
import { eventOf } from "./document-events.ts";
import { type DocumentState, DocumentStore, type Original, type WantedText } from "./document-store.ts";
import { EMBEDDING_MODEL, type EmbeddingEnv } from "./embedding-service.ts";
import { Embeddings } from "./embeddings.ts";
import { documentsToMask, type MaskedChunks, maskChunks } from "./mask.ts";
import { mostChunks, mostCrawledPages, touchDocument } from "./own-rows.ts";
import { Processing } from "./processing.ts";
import { type Passage, type PromptWish, promptPassages } from "./prompt-passages.ts";
import { readChunks } from "./read-chunks.ts";
import { readPage } from "./read-page.ts";
import { type FoundChunk, rankByWords, withText, wordCounts } from "./search.ts";
import { rankByBoth } from "./search-both.ts";
import { type Address, type ShownPage, type SiteState, SiteStore } from "./site-store.ts";
import { tidying } from "./tidy.ts";

/** A search: the query, its words, and the documents to which the search is limited. */
export interface ChunkSearch {
  query: string;
  words: string[];
  documents: WantedText[];
  limit: number;
}

/** The result of a search, and the values needed to rank other texts among its chunks. */
export interface ChunksFound {
  chunks: FoundChunk[];
  counts: WordCounts;
  /** The best scores by words if `chunks` are ranked by meaning as well; null if they are ranked by words only. */
  wordScores: number[] | null;
}

const NO_COUNTS: WordCounts = { texts: 0, words: 0, having: {} };
/** The delay before a client should retry a search when too many are waiting, ms. */
const AGAIN_MS = SECOND_MS;

/** The recipients of reports: the account's events, and its catalogue, which shows the state of documents. */
type Destination = "events" | "catalogue";

/**
 * The Durable Object `<account>` of an account's knowledge: the chunks of its documents, their index, and their
 * processing.
 */
export class KnowledgeBase extends CopiedObject<Env & EmbeddingEnv> {
  readonly #account = accountOf(this.ctx);
  readonly #documents = new DocumentStore(this.ctx.storage);
  readonly #sites = new SiteStore(this.ctx.storage.sql);
  readonly #own = accountStore(this.env, this.#account, { actor: "system:knowledge", request_id: "" });
  readonly #turns = new InTurn();
  #waiting = 0;
  protected override readonly store = KNOWLEDGE;
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    migrations: KNOWLEDGE.migrations,
    build: (sql) => {
      const outbox = new Outbox<Destination>({
        sql,
        deliver: {
          events: async (rows) => {
            const events = rows.map(({ body }) => JSON.parse(body) as NewEvent);
            await accountEvents(this.env, this.#account).take(events);
          },
          catalogue: async (rows) => {
            for (const { key } of rows) await touchDocument(this.#own, key, this.#documents.hashOf(key));
          },
        },
      });
      const embeddings = new Embeddings({
        storage: this.ctx.storage,
        service: this.env.AI ?? null,
        model: EMBEDDING_MODEL,
        report: (error) => this.#report(error, { part: "embeddings" }),
        now: () => Date.now(),
      });
      const ended = (state: DocumentState) => {
        this.#ended(outbox, state);
        embeddings.wake();
      };
      return {
        outbox,
        embeddings,
        processing: this.#buildProcessing(ended),
        crawling: this.#buildCrawling(ended),
      };
    },
    parts: ({ outbox, embeddings, processing, crawling }) => ({
      outbox,
      embeddings,
      processing,
      deadlines: processing.deadlines,
      crawling,
      refreshes: crawling.refreshes,
      stale: this.#stale,
      tidying: tidying({
        kv: this.ctx.storage.kv,
        store: this.#documents,
        account: this.#own,
        originals: this.env.DOCUMENTS,
      }),
    }),
    report: (error, context) => this.#report(error, context),
  });

  readonly #stale: ObjectPart = {
    dueAt: () => (this.#documents.hasStale ? 0 : null),
    run: async () => this.#documents.deleteStale(),
  };

  #buildProcessing(ended: (state: DocumentState) => void): Processing {
    return new Processing({
      store: this.#documents,
      original: async (id) => (await this.env.DOCUMENTS.get(originalKey(this.#account, id)))?.arrayBuffer() ?? null,
      read: (job, bytes) => readChunks(this.env, job, bytes),
      mostChunks: () => mostChunks(this.#own),
      isHeld: (id) => this.#isHeld(id),
      ended,
      report: (error) => this.#report(error),
    });
  }

  #buildCrawling(ended: (state: DocumentState) => void): Crawling {
    return new Crawling({
      store: this.#documents,
      sites: this.#sites,
      rules: egressRules(this.env),
      fetch: (input, init) => fetch(input, init),
      read: (page) => readPage(this.env, page),
      mostChunks: () => mostChunks(this.#own),
      isHeld: (id) => this.#isHeld(id),
      mostPages: () => mostCrawledPages(this.#own),
      giveWay,
      now: () => Date.now(),
      ended,
    });
  }

  /**
   * Records that processing has ended: queues the event, invalidates cached responses, and schedules the next refresh.
   */
  #ended(outbox: Outbox<Destination>, state: DocumentState): void {
    const now = Date.now();
    outbox.add("events", state.id, eventOf(state, now));
    outbox.add("catalogue", state.id, {});
    const refresh = this.#sites.refreshOf(state.id);
    if (refresh === null) return;
    const failures = state.status === "ready" ? 0 : refresh.failures + 1;
    this.#sites.ended(state.id, failures, nextRefresh(refresh.refresh_hours, failures, now));
  }

  /**
   * Checks whether a published version refers to the searchable text, and drops earlier texts that no version refers
   * to.
   */
  async #isHeld(id: string): Promise<boolean> {
    const hash = this.#documents.hashOf(id);
    if (hash === null) return false;
    const held = await heldTexts(this.#own, [id]);
    this.#documents.dropEarlierTexts([id], held);
    return held.has(hash);
  }

  /** Queues a document for processing. Its current text stays searchable until it is replaced. */
  async process(original: Original): Promise<void> {
    this.frame.open();
    this.#documents.queue(original, Date.now());
    await this.frame.arm();
  }

  /** Returns the states of these documents; unknown ones are omitted. */
  async states(ids: string[]): Promise<DocumentState[]> {
    return this.frame.existing === null ? [] : this.#documents.states(ids);
  }

  /** Erases a document with all its text. Idempotent. */
  async remove(id: string): Promise<void> {
    if (this.frame.existing === null) return;
    this.#documents.remove(id);
    await this.frame.arm();
  }

  /** Returns up to `limit` chunks of a document in order, starting at position `from`. */
  async chunks(id: string, from: number, limit: number): Promise<(Chunk & { place: number })[]> {
    return this.frame.existing === null ? [] : this.#documents.chunksOf(id, { from, limit });
  }

  /** Returns the documents that fit into `most` characters of a prompt, with their passages. */
  async promptPassages(wish: PromptWish, most: number): Promise<{ id: string; passages: Passage[] }[]> {
    return this.frame.existing === null ? [] : promptPassages(this.#documents, wish, most);
  }

  /** Returns the number of chunks of the account's documents, and of pages fetched today. */
  async use(): Promise<{ knowledge_chunks: number; crawl_pages: number }> {
    if (this.frame.existing === null) return { knowledge_chunks: 0, crawl_pages: 0 };
    const crawl_pages = this.#sites.pagesOn(new Date().toISOString().slice(0, 10));
    return { knowledge_chunks: this.#documents.countChunks(), crawl_pages };
  }

  /** Queues a document to be read from its address. Its current text stays searchable until it is replaced. */
  async crawl(address: Address, original: Original): Promise<void> {
    this.frame.open();
    this.ctx.storage.transactionSync(() => {
      this.#sites.set(address);
      this.#documents.queue(original, Date.now());
    });
    await this.frame.arm();
  }

  /** Sets how often a document is refreshed from its address; null means never. */
  async schedule(id: string, refresh_hours: number | null): Promise<void> {
    if (this.frame.existing === null) return;
    const [state] = this.#documents.states([id]);
    const due = state?.status === "processing" ? null : nextRefresh(refresh_hours, 0, Date.now());
    this.#sites.schedule(id, refresh_hours, due);
    await this.frame.arm();
  }

  /** Returns the state of these documents' crawls; documents without an address are omitted. */
  async sites(ids: string[]): Promise<SiteState[]> {
    return this.frame.existing === null ? [] : this.#sites.states(ids);
  }

  /** Returns the pages of a document's last crawl. */
  async pages(id: string): Promise<ShownPage[]> {
    return this.frame.existing === null ? [] : this.#sites.shown(id);
  }

  /**
   * Finds chunks by the rarest words of the query, and by meaning if there are embeddings. @throws ApiError 429 `busy`
   */
  async search({ query, words, documents, limit }: ChunkSearch): Promise<ChunksFound> {
    const opened = this.frame.existing;
    if (opened === null) return { chunks: [], counts: NO_COUNTS, wordScores: null };
    if (this.#waiting >= MAX_WAITING)
      throw tooMany("busy", "too many searches are waiting; try again in a second", AGAIN_MS);
    this.#waiting += 1;
    try {
      const unit = await opened.embeddings.ofQuery(query);
      return await this.#turns.run(async () => {
        await giveWay();
        const { sql } = this.ctx.storage;
        const counts = wordCounts(sql, words);
        const wanted = rarest(words, counts);
        const texts = this.#documents.texts(documents);
        const { ranked, wordScores } =
          unit === null
            ? { ranked: rankByWords(sql, wanted, texts, limit), wordScores: null }
            : rankByBoth(sql, { words: wanted, unit, model: EMBEDDING_MODEL.name, texts, limit });
        return { chunks: withText(sql, ranked), counts, wordScores };
      });
    } finally {
      this.#waiting -= 1;
    }
  }

  /**
   * Masks a number in the chunks after `after`, and deletes the originals of the documents that contained it. Returns
   * null while documents are being processed, because their text is not stored yet.
   */
  async maskNumber(number: string, after: number): Promise<MaskedChunks | null> {
    const opened = this.frame.existing;
    if (opened === null) return { masked: 0, next: null };
    if (this.#documents.next() !== null) return null;
    const { sql } = this.ctx.storage;
    const documents = documentsToMask(sql, number, after);
    // The originals are deleted first: once the chunks are masked, the number no longer leads to them.
    if (documents.length > 0) await this.env.DOCUMENTS.delete(documents.map((id) => originalKey(this.#account, id)));
    // Another document with the number may have been stored during the deletion.
    const isNew = (id: string) => !documents.includes(id);
    if (this.#documents.next() !== null || documentsToMask(sql, number, after).some(isNew)) return null;
    const found = this.ctx.storage.transactionSync(() => maskChunks(sql, number, after));
    opened.embeddings.wake();
    if (documents.length > 0) await this.frame.arm();
    return found;
  }

  #report(error: unknown, context?: { part: string }): void {
    logError("knowledge", error, Object.assign({ account: this.#account }, context));
  }
}
