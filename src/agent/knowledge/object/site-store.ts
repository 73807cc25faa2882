import type { Job } from "./document-store.ts";

/**
 * The kind of address that a crawl's step fetches: robots.txt first, then the address itself, sitemaps, and further
 * pages.
 */
export type StepKind = "robots" | "start" | "sitemap" | "page";
export const PAGE_STATES = ["waiting", "read", "unchanged", "failed"] as const;
export type PageState = (typeof PAGE_STATES)[number];

export interface Address {
  id: string;
  url: string;
  /** The maximum number of pages to read; 1 reads only the address itself. */
  pages: number;
  refresh_hours: number | null;
}

/** The crawl of an address. Its origin may change once, by a redirect of the address. */
export interface Site {
  document: string;
  url: string;
  most_pages: number;
  began_at: number;
  origin: string;
  /** The text of robots.txt; null until it is read. */
  robots: string | null;
  /** When the next page may be fetched, ms. */
  not_before: number;
  bytes: number;
}

/** A step of a crawl with the page that it read. */
export interface Step {
  n: number;
  kind: StepKind;
  url: string;
  /** The number of links between the address and this page. */
  depth: number;
  state: PageState;
  reason: string | null;
  tries: number;
  etag: string | null;
  modified: string | null;
  /** SHA-256 of the page's text, hexadecimal. */
  hash: string | null;
  title: string;
  language: string | null;
  bytes: number;
  /** The position of its first chunk, and its number of chunks. */
  first: number;
  chunks: number;
  read_at: number | null;
}

/** The state of an address's last crawl. */
export interface SiteState {
  document: string;
  pages_read: number;
  pages_failed: number;
  pages_waiting: number;
  bytes: number;
  next_refresh_at: number | null;
}

/** A page as users see it. */
export type ShownPage = Pick<Step, "url" | "title" | "state" | "reason" | "chunks" | "read_at">;

type Edition = Pick<Job, "id" | "newest">;
const ORDER: Record<StepKind, number> = { robots: 0, start: 1, sitemap: 2, page: 3 };
const STEP =
  "n, kind, url, depth, state, reason, tries, etag, modified, hash, title, language, bytes, first, chunks, read_at";
const IS_PAGE = "kind IN ('start', 'page')";

/** Stores the addresses of an account's documents and the steps of their crawls. */
export class SiteStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  set({ id, url, pages, refresh_hours }: Address): void {
    this.#sql.exec(
      `INSERT INTO sites (document, url, most_pages, refresh_hours) VALUES (?, ?, ?, ?)
       ON CONFLICT (document) DO UPDATE SET url = excluded.url, most_pages = excluded.most_pages,
         refresh_hours = excluded.refresh_hours, due_at = NULL`,
      id,
      url,
      pages,
      refresh_hours,
    );
  }

  /** Sets how often a document is refreshed; null means never. */
  schedule(id: string, refresh_hours: number | null, due_at: number | null): void {
    this.#sql.exec("UPDATE sites SET refresh_hours = ?, due_at = ? WHERE document = ?", refresh_hours, due_at, id);
  }

  firstDue(): { id: string; due_at: number } | null {
    const [row] = this.#sql
      .exec<{ id: string; due_at: number }>(
        "SELECT document AS id, due_at FROM sites WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1",
      )
      .toArray();
    return row ?? null;
  }

  /**
   * Returns a document's refresh interval in hours and how many refreshes have failed in a row; null if it has no
   * address.
   */
  refreshOf(id: string): { refresh_hours: number | null; failures: number } | null {
    const [row] = this.#sql
      .exec<{ refresh_hours: number | null; failures: number }>(
        "SELECT refresh_hours, failures FROM sites WHERE document = ?",
        id,
      )
      .toArray();
    return row ?? null;
  }

  ended(id: string, failures: number, due_at: number | null): void {
    this.#sql.exec("UPDATE sites SET failures = ?, due_at = ? WHERE document = ?", failures, due_at, id);
  }

  siteOf(id: string): Site | null {
    const [site] = this.#sql
      .exec<{ [K in keyof Site]: Site[K] }>(
        `SELECT document, url, most_pages, began_at, origin, robots, not_before, bytes FROM sites WHERE document = ?`,
        id,
      )
      .toArray();
    return site ?? null;
  }

  hasBegun({ id, newest }: Edition): boolean {
    return (
      this.#sql.exec("SELECT 1 FROM pages WHERE document = ? AND edition = ? LIMIT 1", id, newest).toArray().length > 0
    );
  }

  /** Begins a crawl. The pages of the searchable edition stay. */
  begin(job: Edition, url: string, now: number): void {
    this.#sql.exec(
      `DELETE FROM pages WHERE document = ?1 AND edition <> coalesce((SELECT edition FROM documents WHERE id = ?1), 0)`,
      job.id,
    );
    this.#sql.exec(
      "UPDATE sites SET began_at = ?, origin = ?, robots = NULL, not_before = 0, bytes = 0, due_at = NULL WHERE document = ?",
      now,
      new URL(url).origin,
      job.id,
    );
    this.add(job, "robots", new URL("/robots.txt", url).href, 0);
    this.add(job, "start", url, 0);
  }

  /** Continues the crawl at another origin, to which the address redirected. */
  move(job: Edition, start: Step, url: string): void {
    this.#sql.exec("UPDATE sites SET origin = ?, robots = NULL WHERE document = ?", new URL(url).origin, job.id);
    this.add(job, "robots", new URL("/robots.txt", url).href, 0);
    this.#sql.exec(
      "UPDATE pages SET url = ?, tries = 0 WHERE document = ? AND edition = ? AND n = ?",
      url,
      job.id,
      job.newest,
      start.n,
    );
  }

  setRobots(id: string, robots: string): void {
    this.#sql.exec("UPDATE sites SET robots = ? WHERE document = ?", robots, id);
  }

  /** Delays the next page, and adds to the crawl's received bytes. */
  pause(id: string, not_before: number, bytes: number): void {
    this.#sql.exec("UPDATE sites SET not_before = ?, bytes = bytes + ? WHERE document = ?", not_before, bytes, id);
  }

  /** Adds a step unless the crawl already has it. */
  add({ id, newest }: Edition, kind: StepKind, url: string, depth: number): void {
    this.#sql.exec(
      `INSERT OR IGNORE INTO pages (document, edition, n, kind, url, depth, rank)
       SELECT ?1, ?2, coalesce(max(n), 0) + 1, ?3, ?4, ?5, ?6 FROM pages WHERE document = ?1 AND edition = ?2`,
      id,
      newest,
      kind,
      url,
      depth,
      ORDER[kind] + depth,
    );
  }

  /** Returns the next step and counts a try of it; null if none is left. */
  take({ id, newest }: Edition): Step | null {
    const [step] = this.#sql
      .exec<{ [K in keyof Step]: Step[K] }>(
        `UPDATE pages SET tries = tries + 1 WHERE document = ?1 AND edition = ?2 AND n = (
           SELECT n FROM pages WHERE document = ?1 AND edition = ?2 AND state = 'waiting' ORDER BY rank, n LIMIT 1
         ) RETURNING ${STEP}`,
        id,
        newest,
      )
      .toArray();
    return step ?? null;
  }

  /** Returns a page of the searchable edition; null if it has none. */
  earlier(id: string, url: string): Step | null {
    const [step] = this.#sql
      .exec<{ [K in keyof Step]: Step[K] }>(
        `SELECT ${STEP} FROM pages WHERE document = ?1 AND url = ?2 AND ${IS_PAGE} AND chunks > 0
           AND edition = (SELECT edition FROM documents WHERE id = ?1)`,
        id,
        url,
      )
      .toArray();
    return step ?? null;
  }

  put({ id, newest }: Edition, step: Step): void {
    const { n, state, reason, etag, modified, hash, title, language, bytes, first, chunks, read_at } = step;
    this.#sql.exec(
      `UPDATE pages SET state = ?, reason = ?, etag = ?, modified = ?, hash = ?, title = ?, language = ?, bytes = ?,
         first = ?, chunks = ?, read_at = ? WHERE document = ? AND edition = ? AND n = ?`,
      state,
      reason,
      etag,
      modified,
      hash,
      title,
      language,
      bytes,
      first,
      chunks,
      read_at,
      id,
      newest,
      n,
    );
  }

  /** Returns the crawl's counts: tried pages, waiting pages, sitemaps, and the position after the last chunk. */
  counts({ id, newest }: Edition): { tried: number; waiting: number; sitemaps: number; next: number } {
    return this.#sql
      .exec<{ tried: number; waiting: number; sitemaps: number; next: number }>(
        `SELECT count(*) FILTER (WHERE ${IS_PAGE} AND state <> 'waiting') AS tried,
           count(*) FILTER (WHERE kind = 'page' AND state = 'waiting') AS waiting,
           count(*) FILTER (WHERE kind = 'sitemap') AS sitemaps, coalesce(max(first + chunks), 0) AS next
         FROM pages WHERE document = ? AND edition = ?`,
        id,
        newest,
      )
      .one();
  }

  /** Drops the waiting pages, because the crawl has reached its maximum. */
  dropWaiting({ id, newest }: Edition): void {
    this.#sql.exec("DELETE FROM pages WHERE document = ? AND edition = ? AND state = 'waiting'", id, newest);
  }

  /** Returns the pages of a crawl in the order of their steps. */
  pagesOf({ id, newest }: Edition): Step[] {
    return this.#sql
      .exec<{ [K in keyof Step]: Step[K] }>(
        `SELECT ${STEP} FROM pages WHERE document = ? AND edition = ? AND ${IS_PAGE} ORDER BY rank, n`,
        id,
        newest,
      )
      .toArray();
  }

  /** Deletes the chunks that an interrupted step stored from this position on. */
  dropChunks({ id, newest }: Edition, from: number): void {
    this.#sql.exec("DELETE FROM chunks WHERE document = ? AND edition = ? AND place >= ?", id, newest, from);
  }

  /** Moves a page's chunks from the searchable edition into the new one. */
  keepChunks({ id, newest }: Edition, earlier: Step, first: number): void {
    this.#sql.exec(
      `UPDATE chunks SET place = place + ?1, edition = ?2 WHERE document = ?3
         AND edition = (SELECT edition FROM documents WHERE id = ?3) AND place >= ?4 AND place < ?5`,
      first - earlier.first,
      newest,
      id,
      earlier.first,
      earlier.first + earlier.chunks,
    );
  }

  /** Copies some of a page's chunks from the searchable edition. Idempotent. */
  copyChunks(
    { id, newest }: Edition,
    earlier: Step,
    first: number,
    { from, limit }: { from: number; limit: number },
  ): void {
    this.#sql.exec(
      `INSERT OR IGNORE INTO chunks (document, edition, place, heading, text, repeated, words)
       SELECT document, ?1, place + ?2, heading, text, repeated, words FROM chunks
       WHERE document = ?3 AND edition = (SELECT edition FROM documents WHERE id = ?3) AND place >= ?4 AND place < ?5`,
      newest,
      first - earlier.first,
      id,
      earlier.first + from,
      earlier.first + Math.min(from + limit, earlier.chunks),
    );
  }

  /** Checks whether the crawl found exactly the searchable text, in the same positions. */
  foundTheSame({ id, newest }: Edition): boolean {
    const of = `SELECT url, first, chunks, hash FROM pages WHERE ${IS_PAGE} AND chunks > 0 AND document = ?1 AND edition`;
    const shown = "(SELECT edition FROM documents WHERE id = ?1)";
    return this.#sql
      .exec<{ same: number }>(
        `SELECT NOT EXISTS (${of} = ?2 EXCEPT ${of} = ${shown}) AND NOT EXISTS (${of} = ${shown} EXCEPT ${of} = ?2) AS same`,
        id,
        newest,
      )
      .toArray()
      .some(({ same }) => same === 1);
  }

  /** Replaces the stored pages of the searchable edition. */
  takeOver({ id, newest }: Edition): void {
    this.dropEarlier({ id, newest });
    this.#sql.exec("UPDATE pages SET edition = (SELECT edition FROM documents WHERE id = ?1) WHERE document = ?1", id);
  }

  /** Deletes the pages of earlier editions. */
  dropEarlier({ id, newest }: Edition): void {
    this.#sql.exec("DELETE FROM pages WHERE document = ? AND edition <> ?", id, newest);
  }

  states(ids: readonly string[]): SiteState[] {
    return this.#sql
      .exec<{ [K in keyof SiteState]: SiteState[K] }>(
        `SELECT s.document, s.due_at AS next_refresh_at, coalesce(sum(p.bytes), 0) AS bytes,
           count(*) FILTER (WHERE p.state IN ('read', 'unchanged')) AS pages_read,
           count(*) FILTER (WHERE p.state = 'failed') AS pages_failed,
           count(*) FILTER (WHERE p.state = 'waiting') AS pages_waiting
         FROM sites AS s LEFT JOIN pages AS p ON p.document = s.document AND p.${IS_PAGE}
           AND p.edition = (SELECT max(edition) FROM pages WHERE document = s.document)
         WHERE s.document IN (SELECT value FROM json_each(?)) GROUP BY s.document`,
        JSON.stringify(ids),
      )
      .toArray();
  }

  /** Returns the pages of the last crawl. */
  shown(id: string): ShownPage[] {
    return this.#sql
      .exec<{ [K in keyof ShownPage]: ShownPage[K] }>(
        `SELECT url, title, state, reason, chunks, read_at FROM pages WHERE document = ?1 AND ${IS_PAGE}
           AND edition = (SELECT max(edition) FROM pages WHERE document = ?1) ORDER BY rank, n`,
        id,
      )
      .toArray();
  }

  pagesOn(day: string): number {
    const [row] = this.#sql.exec<{ pages: number }>("SELECT pages FROM crawl_days WHERE day = ?", day).toArray();
    return row?.pages ?? 0;
  }

  countPage(day: string): void {
    this.#sql.exec("DELETE FROM crawl_days WHERE day < ?", day);
    this.#sql.exec(
      "INSERT INTO crawl_days (day, pages) VALUES (?, 1) ON CONFLICT (day) DO UPDATE SET pages = pages + 1",
      day,
    );
  }
}
