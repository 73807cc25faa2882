import type { ObjectPart } from "../../../kernel/durable/object-part.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kernel/time.ts";
import { type Fetched, type Fetcher, fetchPage } from "../crawl/fetch-page.ts";
import { linksOf, pageAddress, readSitemap } from "../crawl/links.ts";
import { MAX_ROBOTS_CHARS, type Robots, readRobots } from "../crawl/robots.ts";
import { sitemapText } from "../crawl/sitemap-text.ts";
import { CHUNKS_A_TURN } from "../limits.ts";
import type { DocumentState, DocumentStore, Job } from "./document-store.ts";
import { type PageText, pageTypeOf } from "./read-page.ts";
import type { Site, SiteStore, Step } from "./site-store.ts";

/** The delay between two pages of a site, ms, unless the site asks for a longer one. */
const DELAY_MS = SECOND_MS;
/** The delay before a failed page is tried again, ms. */
const AGAIN_MS = 5 * SECOND_MS;
const MOST_TRIES = 2;
/** Limits of time and bytes, after which a crawl reads no more pages. */
const CRAWL_MS = 5 * MINUTE_MS;
const CRAWL_BYTES = 20_000_000;
const MAX_SITEMAPS = 5;
const MAX_SITEMAP_BYTES = 5_000_000;
const MAX_DEPTH = 3;
/** The maximum number of queued pages: enough even if many of them fail. */
const MAX_WAITING = 200;
const LONGEST_WAIT_MS = 7 * 24 * HOUR_MS;

interface Dependencies extends Fetcher {
  store: DocumentStore;
  sites: SiteStore;
  read(page: { content_type: string; bytes: Uint8Array; charset?: string }): Promise<PageText | { failed: string }>;
  mostChunks(): Promise<number>;
  /** Returns how many pages the account may fetch a day. */
  mostPages(): Promise<number>;
  /** Checks whether a published version refers to the document's current text. */
  isHeld(id: string): Promise<boolean>;
  giveWay(): Promise<void>;
  /** Returns the current time, ms. */
  now(): number;
  /** Records the end of a crawl, in the same transaction. */
  ended(state: DocumentState): void;
}

type Page = Extract<Fetched, { bytes: Uint8Array }>;

/** Returns when (ms) to refresh an address next; null for never. Each failure doubles the wait, up to 7 days. */
export function nextRefresh(refresh_hours: number | null, failures: number, now: number): number | null {
  if (refresh_hours === null) return null;
  const usual = refresh_hours * HOUR_MS;
  return now + Math.max(usual, Math.min(LONGEST_WAIT_MS, usual * 2 ** Math.min(failures, 10)));
}

const stepWith = (step: Step, changes: Partial<Step>): Step => Object.assign({}, step, changes);
const dayOf = (now: number) => new Date(now).toISOString().slice(0, 10);

/**
 * Crawls the addresses of the account's documents, one at a time and with one request at a time. Each run does one step
 * and stores its result, so that a restarted object continues there. Searches find the new text at once after the last
 * step.
 */
export class Crawling implements ObjectPart {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  dueAt(): number | null {
    const job = this.#deps.store.next("sites");
    return job === null ? null : (this.#deps.sites.siteOf(job.id)?.not_before ?? 0);
  }

  async run(now: number): Promise<void> {
    const { store, sites } = this.#deps;
    const job = this.#job(now);
    const site = job && sites.siteOf(job.id);
    if (!job || !site || site.not_before > now) return;
    const { tried } = sites.counts(job);
    if (tried >= site.most_pages) sites.dropWaiting(job);
    const step = sites.take(job);
    if (step === null) return this.#finish(job);
    const ended = await this.#whyOver(site, step, now);
    if (!store.isCurrent(job)) return;
    if (ended !== null) return this.#failStep(job, step, ended);
    if (step.kind === "robots") return this.#readRobots(job, step);
    const robots = readRobots(site.robots ?? "");
    return step.kind === "sitemap"
      ? this.#readSitemap(job, site, step, robots)
      : this.#readPage(job, site, step, robots);
  }

  /** Returns the next crawl, and begins it if necessary. */
  #job(now: number): Job | null {
    const { store, sites } = this.#deps;
    const next = store.next("sites");
    if (next === null || sites.hasBegun(next)) return next;
    return store.transaction(() => {
      const job = store.begin(next.id, now);
      const url = sites.siteOf(next.id)?.url;
      if (job !== null && url !== undefined) sites.begin(job, url, now);
      return job;
    });
  }

  /** Returns the reason why no more pages may be fetched; null if another may be. */
  async #whyOver({ began_at, bytes }: Site, { kind, tries }: Step, now: number): Promise<string | null> {
    if (tries > MOST_TRIES + 1) return "reading_failed";
    if (now - began_at >= CRAWL_MS || bytes >= CRAWL_BYTES) return "not_reached";
    const isPage = kind === "start" || kind === "page";
    return isPage && this.#deps.sites.pagesOn(dayOf(now)) >= (await this.#deps.mostPages()) ? "crawl_pages" : null;
  }

  async #readRobots(job: Job, step: Step): Promise<void> {
    const { store, sites } = this.#deps;
    const { origin } = new URL(step.url);
    const max_bytes = MAX_ROBOTS_CHARS * 4;
    const at = (url: string, origin: string) =>
      fetchPage(this.#deps, { url, origin, etag: null, modified: null, max_bytes, allows: () => true });
    const first = await at(step.url, origin);
    // A site that redirects to another host redirects its robots.txt there too.
    const found = "elsewhere" in first ? await at(first.elsewhere, new URL(first.elsewhere).origin) : first;
    if (!store.isCurrent(job)) return;
    // A site without rules allows everything; an unreachable one allows nothing (RFC 9309).
    const isAbsent = "failed" in found && /^http_4(?!29)/.test(found.failed);
    if (!("bytes" in found) && !isAbsent)
      return this.#failStep(job, step, "robots_unreachable", "failed" in found && found.again);
    const text = "bytes" in found ? new TextDecoder().decode(found.bytes).slice(0, MAX_ROBOTS_CHARS) : "";
    store.transaction(() => {
      sites.setRobots(job.id, text);
      sites.put(job, stepWith(step, { state: "read" }));
    });
  }

  async #readSitemap(job: Job, site: Site, step: Step, robots: Robots): Promise<void> {
    const { store, sites } = this.#deps;
    const { origin } = site;
    const found = await fetchPage(this.#deps, {
      url: step.url,
      origin,
      etag: null,
      modified: null,
      max_bytes: MAX_SITEMAP_BYTES,
      allows: robots.allows,
    });
    const map = "bytes" in found ? readSitemap(await sitemapText(found.bytes, MAX_SITEMAP_BYTES)) : null;
    if (!store.isCurrent(job)) return;
    store.transaction(() => {
      const listed = map?.addresses ?? [];
      if (map?.isIndex === true) this.#addSitemaps(job, site, robots, listed);
      else this.#addPages(job, site, robots, listed, { base: step.url, depth: 0 });
      sites.put(job, stepWith(step, { state: "read" }));
      this.#pause(job, robots, "bytes" in found ? found.bytes.length : 0);
    });
  }

  #addSitemaps(job: Job, { origin }: Site, robots: Robots, addresses: readonly string[]): void {
    const { sites } = this.#deps;
    for (const address of addresses) {
      if (sites.counts(job).sitemaps >= MAX_SITEMAPS) return;
      const url = URL.canParse(address) ? new URL(address) : null;
      if (url?.origin === origin && robots.allows(url)) sites.add(job, "sitemap", url.href, 0);
    }
  }

  #addPages(
    job: Job,
    { origin }: Site,
    robots: Robots,
    addresses: readonly string[],
    { base, depth }: { base: string; depth: number },
  ): void {
    const { sites } = this.#deps;
    let room = MAX_WAITING - sites.counts(job).waiting;
    for (const address of addresses) {
      if (room <= 0) return;
      const url = pageAddress(address, base, origin);
      if (url === null || !robots.allows(new URL(url))) continue;
      sites.add(job, "page", url, depth);
      room -= 1;
    }
  }

  async #readPage(job: Job, site: Site, step: Step, robots: Robots): Promise<void> {
    const { store, sites } = this.#deps;
    if (!robots.allows(new URL(step.url))) return this.#failStep(job, step, "robots_forbid");
    const earlier = sites.earlier(job.id, step.url);
    const { origin } = site;
    const max_bytes = CRAWL_BYTES - site.bytes;
    sites.countPage(dayOf(this.#deps.now()));
    const found = await fetchPage(this.#deps, {
      url: step.url,
      origin,
      etag: earlier?.etag ?? null,
      modified: earlier?.modified ?? null,
      max_bytes,
      allows: robots.allows,
    });
    if (!store.isCurrent(job)) return;
    this.#pause(job, robots, "bytes" in found ? found.bytes.length : 0);
    if ("elsewhere" in found) return this.#follow(job, site, step, found.elsewhere);
    if ("failed" in found) return this.#failStep(job, step, found.failed, found.again);
    if ("unchanged" in found) return earlier ? this.#keep(job, step, earlier) : this.#failStep(job, step, "http_304");
    await this.#store({ job, site, step, robots, earlier }, found);
  }

  /** Follows a redirect from the document's own address to another host, once. */
  #follow(job: Job, site: Site, step: Step, to: string): void {
    const { store, sites } = this.#deps;
    const hasMoved = site.origin !== new URL(site.url).origin;
    if (step.kind !== "start" || hasMoved) this.#failStep(job, step, "redirect_refused");
    else store.transaction(() => sites.move(job, step, to));
  }

  async #store(
    { job, site, step, robots, earlier }: { job: Job; site: Site; step: Step; robots: Robots; earlier: Step | null },
    page: Page,
  ): Promise<void> {
    const { store, sites, giveWay } = this.#deps;
    const content_type = pageTypeOf(page.content_type, page.url);
    if (content_type === null) return this.#failStep(job, step, "unsupported_type");
    const { bytes, charset, etag, modified } = page;
    const text = await this.#deps.read(
      charset === undefined ? { content_type, bytes } : { content_type, bytes, charset },
    );
    if (!store.isCurrent(job)) return;
    if ("failed" in text) return this.#failStep(job, step, text.failed);
    const { title, language, hash } = text;
    const read = { title, language, hash, etag, modified, bytes: bytes.length, read_at: this.#deps.now() };
    const links = () => {
      if (site.most_pages === 1 || content_type !== "text/html") return;
      if (step.kind === "start")
        this.#addSitemaps(job, site, robots, [...robots.sitemaps, `${site.origin}/sitemap.xml`]);
      if (step.depth < MAX_DEPTH)
        this.#addPages(job, site, robots, linksOf(text.page), { base: page.url.href, depth: step.depth + 1 });
    };
    const first = sites.counts(job).next;
    if (earlier?.hash === hash) {
      const { chunks } = earlier;
      return store.transaction(() => {
        links();
        sites.put(job, stepWith(step, Object.assign(read, { state: "unchanged", first, chunks } as const)));
      });
    }
    const chunks = text.chunks(site.most_pages > 1);
    if (first + chunks.length + store.countChunks(job.id) > (await this.#deps.mostChunks()))
      return this.#fail(job, "too_many_chunks");
    sites.dropChunks(job, first);
    for (let at = 0; at < chunks.length; at += CHUNKS_A_TURN) {
      if (!store.isCurrent(job)) return;
      store.add(job, chunks.slice(at, at + CHUNKS_A_TURN), first + at);
      await giveWay();
    }
    if (!store.isCurrent(job)) return;
    store.transaction(() => {
      links();
      sites.put(job, stepWith(step, Object.assign(read, { state: "read", first, chunks: chunks.length } as const)));
    });
  }

  #keep(job: Job, step: Step, earlier: Step): void {
    const { store, sites, now } = this.#deps;
    const { etag, modified, hash, title, language, bytes, chunks } = earlier;
    const first = sites.counts(job).next;
    const kept = { etag, modified, hash, title, language, bytes, chunks, first, read_at: now() };
    store.transaction(() => sites.put(job, stepWith(step, Object.assign(kept, { state: "unchanged" } as const))));
  }

  #pause({ id }: Job, { delay_ms }: Robots, bytes: number): void {
    this.#deps.sites.pause(id, this.#deps.now() + Math.max(DELAY_MS, delay_ms), bytes);
  }

  /**
   * Fails a step. A failed page keeps its previous text unless the page is gone; a failed robots.txt or address fails
   * the crawl.
   */
  #failStep(job: Job, step: Step, reason: string, again = false): void {
    const { store, sites, now } = this.#deps;
    if (again && step.tries < MOST_TRIES) {
      sites.pause(job.id, now() + AGAIN_MS, 0);
      return;
    }
    if (step.kind === "robots" || step.kind === "start") {
      store.transaction(() => {
        sites.put(job, stepWith(step, { state: "failed", reason }));
        this.#fail(job, reason);
      });
      return;
    }
    const isGone = /^http_4(?:04|10)$/.test(reason) || reason === "robots_forbid";
    const earlier = isGone ? null : sites.earlier(job.id, step.url);
    const { etag = null, modified = null, hash = null, title = "", language = null, bytes = 0 } = earlier ?? {};
    const { chunks = 0, read_at = null } = earlier ?? {};
    const first = sites.counts(job).next;
    const kept = { etag, modified, hash, title, language, bytes, chunks, read_at, first };
    store.transaction(() => sites.put(job, stepWith(step, Object.assign(kept, { state: "failed", reason } as const))));
  }

  async #finish(job: Job): Promise<void> {
    const { store, sites, now, ended } = this.#deps;
    const pages = sites.pagesOf(job);
    const isHeld = await this.#deps.isHeld(job.id);
    if (isHeld && !sites.foundTheSame(job)) await this.#copyUnchanged(job, pages);
    if (!store.isCurrent(job)) return;
    store.transaction(() => {
      const start = pages.find(({ kind }) => kind === "start");
      if (start === undefined || start.chunks === 0) return ended(store.fail(job.id, start?.reason ?? "no_text"));
      if (sites.foundTheSame(job)) {
        sites.takeOver(job);
        return ended(store.confirm(job.id, now()));
      }
      if (!isHeld)
        for (const [page, earlier] of this.#unchanged(job, pages)) sites.keepChunks(job, earlier, page.first);
      ended(store.finish(job, start.language, { now: now(), isHeld }));
      sites.dropEarlier(job);
    });
  }

  /** Returns the pages whose text is unchanged, each with its step in the previous crawl. */
  #unchanged({ id }: Job, pages: readonly Step[]): [page: Step, earlier: Step][] {
    return pages.flatMap((page): [Step, Step][] => {
      const earlier = page.state === "read" || page.chunks === 0 ? null : this.#deps.sites.earlier(id, page.url);
      return earlier === null ? [] : [[page, earlier]];
    });
  }

  /**
   * Copies the text of unchanged pages, some chunks at a time. Used if a published version still needs the earlier
   * text.
   */
  async #copyUnchanged(job: Job, pages: readonly Step[]): Promise<void> {
    const { store, sites, giveWay } = this.#deps;
    for (const [page, earlier] of this.#unchanged(job, pages))
      for (let at = 0; at < page.chunks; at += CHUNKS_A_TURN) {
        if (!store.isCurrent(job)) return;
        sites.copyChunks(job, earlier, page.first, { from: at, limit: CHUNKS_A_TURN });
        await giveWay();
      }
  }

  #fail({ id }: Job, reason: string): void {
    const { store, ended } = this.#deps;
    store.transaction(() => ended(store.fail(id, reason)));
  }

  /** Queues the addresses that are due for a refresh. */
  get refreshes(): ObjectPart {
    const { store, sites } = this.#deps;
    return {
      dueAt: () => sites.firstDue()?.due_at ?? null,
      run: async (now) => {
        const due = sites.firstDue();
        if (due === null || due.due_at > now) return;
        store.transaction(() => {
          sites.ended(due.id, sites.refreshOf(due.id)?.failures ?? 0, null);
          store.requeue(due.id, now);
        });
      },
    };
  }
}
