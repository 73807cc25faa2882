import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { CHUNKS_A_TURN, PROCESSING_MS } from "../limits.ts";
import type { Chunk } from "../text/chunks.ts";

/** The state of a document's last processing. */
export const DOCUMENT_STATUSES = ["processing", "ready", "failed"] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** The state of a document in the account's KnowledgeBase object. */
export interface DocumentState {
  id: string;
  status: DocumentStatus;
  /** Why the last processing failed; null if it did not. */
  reason: string | null;
  /** The detected language of the text; null if it is unknown. */
  language: string | null;
  /**
   * The number of searchable chunks, and their characters including headings. After a failure, those of the previous
   * text.
   */
  chunks: number;
  chars: number;
  /** When the searchable text was read, ms; null if there is none. */
  refreshed_at: number | null;
}

/** The source from which a document is read. */
export interface Original {
  id: string;
  file_name: string;
  content_type: string;
}

/** A document that is being processed. */
export interface Job extends Original {
  tries: number;
  deadline: number | null;
  newest: number;
}

/** A chunk with its index words. */
export interface IndexedChunk extends Chunk {
  words: string;
}

/** A document to search, with the SHA-256 of the wanted text; null means the newest text. */
export interface WantedText {
  id: string;
  text: string | null;
}

/** A text of a document, and its numbers of chunks and characters. */
export type FoundText = { id: string; edition: number; chunks: number; chars: number };

type Count = { n: number };

const JOB = "id, file_name, content_type, tries, deadline, newest";
const STATE = "id, status, reason, language, chunks, chars, refreshed_at";

/** Stores the documents of an account and their chunks. Every change is one transaction. */
export class DocumentStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  get #sql(): SqlStorage {
    return this.#storage.sql;
  }

  transaction<T>(work: () => T): T {
    return this.#storage.transactionSync(work);
  }

  /** Queues a document for processing. Its current text stays searchable until it is replaced. */
  queue({ id, file_name, content_type }: Original, now: number): void {
    this.transaction(() => {
      this.#dropNewest(id);
      this.#sql.exec(
        `INSERT INTO documents (id, file_name, content_type, status, queued_at) VALUES (?, ?, ?, 'processing', ?)
         ON CONFLICT (id) DO UPDATE SET status = 'processing', reason = NULL, tries = 0, deadline = NULL,
           newest = newest + 1, queued_at = excluded.queued_at`,
        id,
        file_name,
        content_type,
        now,
      );
    });
  }

  /** Queues a document again, to be processed from its stored original. */
  requeue(id: string, now: number): void {
    const [original] = this.#sql
      .exec<{ [K in keyof Original]: Original[K] }>(
        "SELECT id, file_name, content_type FROM documents WHERE id = ?",
        id,
      )
      .toArray();
    if (original) this.queue(original, now);
  }

  /** Returns the next document to read, from a file or an address; null if none is waiting. */
  next(of: "files" | "sites" | "all" = "all"): Job | null {
    const which = { files: "AND id NOT IN", sites: "AND id IN", all: "" }[of];
    const [job] = this.#sql
      .exec<{ [K in keyof Job]: Job[K] }>(
        `SELECT ${JOB} FROM documents WHERE status = 'processing'
         ${which && `${which} (SELECT document FROM sites)`} ORDER BY queued_at, id LIMIT 1`,
      )
      .toArray();
    return job ?? null;
  }

  /** Returns when (ms) the earliest processing times out; null if none is in progress. */
  firstDeadline(): number | null {
    return this.#sql
      .exec<{ at: number | null }>("SELECT min(deadline) AS at FROM documents WHERE status = 'processing'")
      .one().at;
  }

  overdue(now: number): string[] {
    return this.#sql
      .exec<{ id: string }>("SELECT id FROM documents WHERE status = 'processing' AND deadline <= ?", now)
      .toArray()
      .map(({ id }) => id);
  }

  /** Begins a try, which stores its chunks as a new edition. */
  begin(id: string, now: number): Job | null {
    return this.transaction(() => {
      this.#dropNewest(id);
      this.#sql.exec(
        `UPDATE documents SET tries = tries + 1, newest = newest + 1, deadline = coalesce(deadline, ?)
         WHERE id = ? AND status = 'processing'`,
        now + PROCESSING_MS,
        id,
      );
      const [job] = this.#sql
        .exec<{ [K in keyof Job]: Job[K] }>(`SELECT ${JOB} FROM documents WHERE id = ? AND status = 'processing'`, id)
        .toArray();
      return job ?? null;
    });
  }

  /** Takes back the count of a try that failed for a reason outside the document. */
  uncount({ id, newest }: Pick<Job, "id" | "newest">): void {
    this.#sql.exec("UPDATE documents SET tries = tries - 1 WHERE id = ? AND newest = ?", id, newest);
  }

  /** Checks whether the try is still the current one. */
  isCurrent({ id, newest }: Pick<Job, "id" | "newest">): boolean {
    const where = "id = ? AND newest = ? AND status = 'processing'";
    return this.#sql.exec(`SELECT 1 FROM documents WHERE ${where}`, id, newest).toArray().length > 0;
  }

  /** Stores chunks of a try, starting at this position. */
  add({ id, newest }: Pick<Job, "id" | "newest">, chunks: readonly IndexedChunk[], first: number): void {
    this.transaction(() => {
      for (const [i, { heading, text, repeated, words }] of chunks.entries())
        this.#sql.exec(
          `INSERT INTO chunks (document, edition, place, heading, text, repeated, words) VALUES (?, ?, ?, ?, ?, ?, ?)`,
          id,
          newest,
          first + i,
          heading,
          text,
          repeated,
          words,
        );
    });
  }

  /** Checks whether a try read the same text as the searchable one. */
  readTheSame({ id, newest }: Pick<Job, "id" | "newest">): boolean {
    return this.hashOf(id) === this.#textHash(id, newest);
  }

  /** Returns the SHA-256 of the searchable text; null if there is none. */
  hashOf(id: string): string | null {
    const rows = this.#sql.exec<{ hash: string | null }>("SELECT hash FROM documents WHERE id = ?", id).toArray();
    return rows[0]?.hash ?? null;
  }

  #textHash(id: string, edition: number): string {
    const hash = sha256.create();
    const rows = this.#sql.exec<{ heading: string; text: string }>(
      "SELECT heading, text FROM chunks WHERE document = ? AND edition = ? ORDER BY place",
      id,
      edition,
    );
    for (const { heading, text } of rows) hash.update(utf8ToBytes(JSON.stringify([heading, text])));
    return bytesToHex(hash.digest());
  }

  /**
   * Replaces the document's searchable chunks with those of this try. If a published version holds the earlier chunks,
   * they are kept.
   */
  finish(
    { id, newest }: Pick<Job, "id" | "newest">,
    language: string | null,
    { now, isHeld }: { now: number; isHeld: boolean },
  ): DocumentState {
    if (isHeld) this.#keepShown(id);
    else this.#dropShown(id);
    const hash = this.#textHash(id, newest);
    const { chunks, chars, words } = this.#sql
      .exec<{ chunks: number; chars: number; words: number }>(
        `SELECT count(*) AS chunks, coalesce(sum(length(heading) + length(text) - repeated), 0) AS chars,
           coalesce(sum(length(words) - length(replace(words, ' ', '')) + 1), 0) AS words
         FROM chunks WHERE document = ? AND edition = ?`,
        id,
        newest,
      )
      .one();
    this.#sql.exec(
      `UPDATE documents SET status = 'ready', reason = NULL, deadline = NULL, edition = newest, language = ?,
         chunks = ?, chars = ?, words = ?, hash = ?, refreshed_at = ? WHERE id = ?`,
      language,
      chunks,
      chars,
      words,
      hash,
      now,
      id,
    );
    return this.#stateOf(id);
  }

  /** Ends a processing whose text is unchanged. */
  confirm(id: string, now: number): DocumentState {
    this.#dropNewest(id);
    this.#sql.exec(
      "UPDATE documents SET status = 'ready', reason = NULL, deadline = NULL, refreshed_at = ? WHERE id = ?",
      now,
      id,
    );
    return this.#stateOf(id);
  }

  /** Ends a processing without a result. The previous text stays. */
  fail(id: string, reason: string): DocumentState {
    this.#dropNewest(id);
    this.#sql.exec("UPDATE documents SET status = 'failed', reason = ?, deadline = NULL WHERE id = ?", reason, id);
    return this.#stateOf(id);
  }

  remove(id: string): void {
    this.transaction(() => {
      this.#dropNewest(id);
      this.#dropShown(id);
      this.#sql.exec("INSERT OR IGNORE INTO stale SELECT document, edition FROM kept WHERE document = ?", id);
      for (const table of ["sites", "pages", "kept"]) this.#sql.exec(`DELETE FROM ${table} WHERE document = ?`, id);
      this.#sql.exec("DELETE FROM documents WHERE id = ?", id);
    });
  }

  #dropNewest(id: string): void {
    this.#sql.exec(
      "INSERT OR IGNORE INTO stale SELECT id, newest FROM documents WHERE id = ? AND newest > edition",
      id,
    );
  }

  #dropShown(id: string): void {
    this.#sql.exec("INSERT OR IGNORE INTO stale SELECT id, edition FROM documents WHERE id = ? AND edition > 0", id);
  }

  #keepShown(id: string): void {
    this.#sql.exec(
      `INSERT OR IGNORE INTO kept (document, edition, hash, chunks, chars)
       SELECT id, edition, hash, chunks, chars FROM documents WHERE id = ? AND edition > 0 AND hash IS NOT NULL`,
      id,
    );
  }

  withEarlierTexts(): string[] {
    return this.#sql
      .exec<{ document: string }>("SELECT DISTINCT document FROM kept")
      .toArray()
      .map(({ document }) => document);
  }

  /** Deletes the documents' earlier texts, except the held ones. */
  dropEarlierTexts(documents: readonly string[], held: ReadonlySet<string>): void {
    const [ids, hashes] = [JSON.stringify(documents), JSON.stringify([...held])];
    const where = `document IN (SELECT value FROM json_each(?)) AND hash NOT IN (SELECT value FROM json_each(?))`;
    this.transaction(() => {
      this.#sql.exec(`INSERT OR IGNORE INTO stale SELECT document, edition FROM kept WHERE ${where}`, ids, hashes);
      this.#sql.exec(`DELETE FROM kept WHERE ${where}`, ids, hashes);
    });
  }

  /**
   * Returns the wanted text of each document, or its newest text if the wanted one is not stored. Documents without a
   * text are omitted.
   */
  texts(wanted: readonly WantedText[]): FoundText[] {
    return this.#sql
      .exec<FoundText>(
        `SELECT d.id, coalesce(k.edition, d.edition) AS edition, coalesce(k.chunks, d.chunks) AS chunks,
           coalesce(k.chars, d.chars) AS chars
         FROM json_each(?) AS w CROSS JOIN documents AS d ON d.id = w.value ->> 'id'
         LEFT JOIN kept AS k ON k.document = d.id AND k.hash = w.value ->> 'text' AND k.hash IS NOT d.hash
         WHERE d.edition > 0 ORDER BY w.key`,
        JSON.stringify(wanted),
      )
      .toArray();
  }

  #stateOf(id: string): DocumentState {
    return this.#sql
      .exec<{ [K in keyof DocumentState]: DocumentState[K] }>(`SELECT ${STATE} FROM documents WHERE id = ?`, id)
      .one();
  }

  /** Returns the states of these documents; unknown ones are omitted. */
  states(ids: readonly string[]): DocumentState[] {
    return this.#sql
      .exec<{ [K in keyof DocumentState]: DocumentState[K] }>(
        `SELECT ${STATE} FROM documents WHERE id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(ids),
      )
      .toArray();
  }

  /** Counts the searchable chunks of all documents except one, and the chunks of all earlier texts. */
  countChunks(except = ""): number {
    const query = `SELECT coalesce(sum(chunks), 0) AS n FROM
      (SELECT chunks FROM documents WHERE id <> ? UNION ALL SELECT chunks FROM kept)`;
    return this.#sql.exec<Count>(query, except).one().n;
  }

  /** Returns chunks of a text in order; by default of the newest text. */
  chunksOf(
    id: string,
    { from, limit, edition }: { from: number; limit: number; edition?: number },
  ): (Chunk & { place: number })[] {
    return this.#sql
      .exec<{ place: number; heading: string; text: string; repeated: number }>(
        `SELECT place, heading, text, repeated FROM chunks
         WHERE document = ?1 AND edition = coalesce(?4, (SELECT edition FROM documents WHERE id = ?1)) AND place >= ?2
         ORDER BY place LIMIT ?3`,
        id,
        from,
        limit,
        edition ?? null,
      )
      .toArray();
  }

  get hasStale(): boolean {
    return this.#sql.exec("SELECT 1 FROM stale LIMIT 1").toArray().length > 0;
  }

  /** Deletes some of the chunks that are no longer searchable. */
  deleteStale(): void {
    this.transaction(() => {
      const [first] = this.#sql.exec<{ document: string; edition: number }>("SELECT * FROM stale LIMIT 1").toArray();
      if (!first) return;
      const { rowsWritten } = this.#sql.exec(
        `DELETE FROM chunks WHERE n IN (SELECT n FROM chunks WHERE document = ? AND edition = ? LIMIT ${CHUNKS_A_TURN})`,
        first.document,
        first.edition,
      );
      this.#sql.exec("DELETE FROM embeddings WHERE document = ? AND edition = ?", first.document, first.edition);
      if (rowsWritten > 0) return;
      this.#sql.exec("DELETE FROM stale WHERE document = ? AND edition = ?", first.document, first.edition);
    });
  }

  idsAfter(id: string, limit: number): string[] {
    return this.#sql
      .exec<{ id: string }>("SELECT id FROM documents WHERE id > ? ORDER BY id LIMIT ?", id, limit)
      .toArray()
      .map((row) => row.id);
  }

  /** Marks the chunks that belong to no edition of a document for deletion. */
  findStale(): void {
    this.#sql.exec(
      `INSERT OR IGNORE INTO stale SELECT DISTINCT document, edition FROM chunks AS c
       WHERE NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.id = c.document AND c.edition IN (d.edition, d.newest))
       AND NOT EXISTS (SELECT 1 FROM kept AS k WHERE k.document = c.document AND k.edition = c.edition)`,
    );
  }
}
