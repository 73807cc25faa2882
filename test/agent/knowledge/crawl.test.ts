import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Crawling, nextRefresh } from "../../../src/agent/knowledge/object/crawling.ts";
import { DocumentStore } from "../../../src/agent/knowledge/object/document-store.ts";
import type { KnowledgeBase } from "../../../src/agent/knowledge/object/knowledge-base.ts";
import { readPage } from "../../../src/agent/knowledge/object/read-page.ts";
import { SiteStore } from "../../../src/agent/knowledge/object/site-store.ts";
import { KNOWLEDGE } from "../../../src/agent/stores.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import { html, redirect, type Served, serveSite } from "./site.ts";

afterEach(() => vi.unstubAllGlobals());

const NOW = 1_800_000_000_000;
const SITE = "https://site.example";
const page = (title: string, text: string) => `<html><title>${title}</title><body><p>${text}</p></body></html>`;

interface Crawl {
  store: DocumentStore;
  sites: SiteStore;
  /** Runs the crawl to its end, or for a number of steps, and returns the requested addresses. */
  crawl(pages: Record<string, Served>, steps?: number): Promise<string[]>;
  begin(url: string, pages?: number): void;
  texts(): string[];
  state(): { status: string; reason: string | null };
  clock: { now: number };
}

/** Runs `work` with the tables of an object that belongs to no account. */
function withCrawl(
  work: (crawl: Crawl) => Promise<void>,
  limits: { chunks: number; pages: number; isHeld?: boolean } = { chunks: 1_000, pages: 500 },
): Promise<void> {
  const stub = env.KNOWLEDGE_BASE.getByName(`no-account-${crypto.randomUUID()}`);
  return runInDurableObject(stub as DurableObjectStub<KnowledgeBase>, async (_, { storage }) => {
    migrate(storage, KNOWLEDGE.migrations, NOW);
    const [store, sites] = [new DocumentStore(storage), new SiteStore(storage.sql)];
    const clock = { now: NOW };
    await work({
      store,
      sites,
      clock,
      begin: (url, pages = 1) => {
        sites.set({ id: "a", url, pages, refresh_hours: 24 });
        store.queue({ id: "a", file_name: "page.html", content_type: "text/html" }, clock.now);
      },
      crawl: async (pages, steps = 500) => {
        const requested = serveSite(pages);
        // A new one each time, as in a restarted object.
        const crawling = new Crawling({
          store,
          sites,
          rules: { allowed: [], own: [] },
          fetch: (input, init) => fetch(input, init),
          read: (one) => readPage(env, one),
          mostChunks: async () => limits.chunks,
          mostPages: async () => limits.pages,
          isHeld: async () => limits.isHeld ?? false,
          giveWay: async () => {},
          now: () => clock.now,
          ended: () => {},
        });
        for (let step = 0; step < steps; step++) {
          const due = crawling.dueAt();
          if (due === null) break;
          clock.now = Math.max(clock.now, due);
          await crawling.run(clock.now);
        }
        while (store.hasStale) store.deleteStale();
        return requested;
      },
      texts: () => store.chunksOf("a", { from: 0, limit: 1_000 }).map(({ text }) => text),
      state: () => store.states(["a"])[0] ?? { status: "gone", reason: null },
    });
  });
}

/** Returns a site of fifty pages. Those with these numbers are broken. */
function fifty(broken: number[] = []): Record<string, Served> {
  const address = (n: number) => (n === 0 ? `${SITE}/` : `${SITE}/p${n}`);
  const numbers = Array.from({ length: 50 }, (_, n) => n);
  const sitemap = numbers.map((n) => `<url><loc>${address(n)}</loc></url>`).join("");
  return Object.fromEntries<Served>([
    [`${SITE}/sitemap.xml`, `<urlset>${sitemap}</urlset>`],
    ...numbers.map((n): [string, Served] => [
      address(n),
      broken.includes(n) ? () => new Response("broken", { status: 500 }) : page(`Page ${n}`, `word${n}`),
    ]),
  ]);
}

describe("the crawl of an address", () => {
  it("reads only one page", async () => {
    await withCrawl(async ({ begin, crawl, texts, state }) => {
      begin(`${SITE}/`);
      const requested = await crawl(fifty());
      expect([texts(), state()]).toMatchObject([["word0"], { status: "ready" }]);
      expect(requested).toEqual([`${SITE}/robots.txt`, `${SITE}/`]);
    });
  });

  it("reads fifty pages of a site, and names the three that are broken", async () => {
    await withCrawl(async ({ begin, crawl, texts, state, sites }) => {
      begin(`${SITE}/`, 50);
      await crawl(fifty([7, 8, 9]));
      expect([texts().length, state().status]).toEqual([47, "ready"]);
      const failed = sites.shown("a").filter((one) => one.state === "failed");
      expect(failed.map(({ url, reason }) => [url, reason])).toEqual(
        [7, 8, 9].map((n) => [`${SITE}/p${n}`, "http_500"]),
      );
    });
  });

  it("waits between two pages as long as robots.txt asks", async () => {
    await withCrawl(async ({ begin, crawl, clock }) => {
      begin(`${SITE}/`, 3);
      await crawl({ ...fifty(), [`${SITE}/robots.txt`]: () => new Response("User-agent: *\nCrawl-delay: 5") });
      expect(clock.now - NOW).toBe(4 * 5_000);
    });
  });

  it("a crawl that a restarted object continues reads each page once and is never half found", async () => {
    for (let steps = 1; steps < 9; steps++)
      await withCrawl(async ({ begin, crawl, texts, state }) => {
        begin(`${SITE}/`, 5);
        const first = await crawl(fifty(), steps);
        expect(texts().length).toBe(state().status === "ready" ? 5 : 0);
        const second = await crawl(fifty());
        expect([texts().length, state().status]).toEqual([5, "ready"]);
        expect(first.filter((url) => second.includes(url))).toEqual([]);
      });
  });

  it("starts a page again if its chunks were stored only in part", async () => {
    await withCrawl(async ({ begin, crawl, texts, store }) => {
      begin(`${SITE}/`);
      await crawl(fifty(), 1);
      const job = store.next("sites");
      if (job === null) throw new Error("the crawl has not begun");
      store.add(job, [{ heading: "", text: "half", repeated: 0, words: "half" }], 0);
      await crawl(fifty());
      expect(texts()).toEqual(["word0"]);
    });
  });

  it("fails if robots.txt forbids the address", async () => {
    await withCrawl(async ({ begin, crawl, state }) => {
      begin(`${SITE}/private/x`);
      const robots = () => new Response("User-agent: *\nAllow: /private/y\nDisallow: /private");
      const requested = await crawl({ [`${SITE}/robots.txt`]: robots, [`${SITE}/private/x`]: page("x", "secret") });
      expect(state()).toMatchObject({ status: "failed", reason: "robots_forbid" });
      expect(requested).toEqual([`${SITE}/robots.txt`]);
    });
  });

  it("fails if robots.txt cannot be requested", async () => {
    await withCrawl(async ({ begin, crawl, state }) => {
      begin(`${SITE}/`);
      await crawl({ ...fifty(), [`${SITE}/robots.txt`]: () => new Response("", { status: 503 }) });
      expect(state()).toMatchObject({ status: "failed", reason: "robots_unreachable" });
    });
  });

  it.each([
    "http://127.0.0.1/",
    "https://10.0.0.1/",
    "https://[::1]/",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/",
    "https://10-0-0-1.nip.io/",
  ])("the crawl of an address never follows a redirect to %s", async (target) => {
    await withCrawl(async ({ begin, crawl, state }) => {
      begin(`${SITE}/`);
      const requested = await crawl({ [`${SITE}/`]: () => redirect(target), [target]: page("x", "secret") });
      expect(state()).toMatchObject({ status: "failed", reason: "redirect_refused" });
      expect(requested).not.toContain(target);
    });
  });

  it("follows the address to another host once, and obeys the robots.txt there", async () => {
    await withCrawl(async ({ begin, crawl, state, texts }) => {
      begin(`${SITE}/`);
      const moved = {
        [`${SITE}/`]: () => redirect("https://www.site.example/"),
        "https://www.site.example/": page("x", "moved"),
      };
      await crawl(moved);
      expect([texts(), state().status]).toEqual([["moved"], "ready"]);
      begin(`${SITE}/`);
      await crawl({ ...moved, "https://www.site.example/": () => redirect("https://third.example/") });
      expect(state()).toMatchObject({ status: "failed", reason: "redirect_refused" });
      begin(`${SITE}/`);
      await crawl({
        ...moved,
        "https://www.site.example/robots.txt": () => new Response("User-agent: *\nDisallow: /"),
      });
      expect(state()).toMatchObject({ status: "failed", reason: "robots_forbid" });
    });
  });

  it("stays on its host even if its sitemap and links name others", async () => {
    await withCrawl(async ({ begin, crawl }) => {
      begin(`${SITE}/`, 50);
      const elsewhere = [
        "https://other.example/a",
        "http://site.example/b",
        "https://10.0.0.1/",
        "https://site.example:8443/",
      ];
      const requested = await crawl({
        [`${SITE}/robots.txt`]: () => new Response("Sitemap: https://other.example/sitemap.xml"),
        [`${SITE}/sitemap.xml`]: elsewhere.map((url) => `<loc>${url}</loc>`).join(""),
        [`${SITE}/`]: elsewhere.map((url) => `<a href="${url}">x</a>`).join(""),
      });
      expect(requested.every((url) => url.startsWith(`${SITE}/`))).toBe(true);
    });
  });

  it("reads a compressed sitemap", async () => {
    await withCrawl(async ({ begin, crawl, texts }) => {
      begin(`${SITE}/`, 2);
      const zipped = new Blob([`<urlset><loc>${SITE}/p5</loc></urlset>`])
        .stream()
        .pipeThrough(new CompressionStream("gzip"));
      await crawl({ ...fifty(), [`${SITE}/sitemap.xml`]: () => new Response(zipped) });
      expect(texts()).toEqual(["word0", "word5"]);
    });
  });

  it("follows links, at most three deep", async () => {
    await withCrawl(async ({ begin, crawl, texts }) => {
      begin(`${SITE}/`, 50);
      const link = (n: number) => `<p>word${n}</p><a href="/l${n + 1}">next</a>`;
      const linked = Array.from({ length: 6 }, (_, n): [string, Served] => [
        `${SITE}/${n === 0 ? "" : `l${n}`}`,
        link(n),
      ]);
      await crawl(Object.fromEntries(linked));
      expect(texts().map((text) => text.match(/word\d/)?.[0])).toEqual(["word0", "word1", "word2", "word3"]);
    });
  });

  it("ends an endless page at the limit of a crawl", async () => {
    await withCrawl(async ({ begin, crawl, state }) => {
      begin(`${SITE}/`);
      const endless = () =>
        new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1_000_000).fill(97)) }), {
          headers: { "content-type": "text/html" },
        });
      await crawl({ [`${SITE}/`]: endless });
      expect(state()).toMatchObject({ status: "failed", reason: "page_too_large" });
    });
  });

  it("ends after five minutes with the pages that it has, and names the rest", async () => {
    await withCrawl(async ({ begin, crawl, clock, sites, texts, state }) => {
      begin(`${SITE}/`, 50);
      const site = fifty();
      const slow = Object.entries(site).map(([url, served]): [string, Served] => [
        url,
        () => {
          clock.now += 19_000;
          return html(typeof served === "string" ? served : "");
        },
      ]);
      await crawl(Object.fromEntries(slow));
      expect([state().status, texts().length]).toEqual(["ready", 14]);
      expect(sites.shown("a").filter(({ reason }) => reason === "not_reached").length).toBeGreaterThan(0);
    });
  });

  it("reads no further page once the account's pages of the day are used up", async () => {
    await withCrawl(
      async ({ begin, crawl, sites, texts }) => {
        begin(`${SITE}/`, 5);
        await crawl(fifty());
        expect(texts().length).toBe(2);
        expect(sites.shown("a").map(({ reason }) => reason)).toContain("crawl_pages");
      },
      { chunks: 1_000, pages: 2 },
    );
  });

  it("fails beyond the account's passages", async () => {
    await withCrawl(
      async ({ begin, crawl, state, texts }) => {
        begin(`${SITE}/`, 5);
        await crawl(fifty());
        expect([texts(), state()]).toMatchObject([[], { status: "failed", reason: "too_many_chunks" }]);
      },
      { chunks: 2, pages: 500 },
    );
  });

  it("a crawl that a deletion ends leaves nothing behind", async () => {
    await withCrawl(async ({ begin, crawl, store, sites, texts }) => {
      begin(`${SITE}/`, 5);
      await crawl({
        ...fifty(),
        [`${SITE}/p2`]: () => {
          store.remove("a");
          return html(page("x", "late"));
        },
      });
      store.findStale();
      while (store.hasStale) store.deleteStale();
      expect([texts(), store.states(["a"]), sites.siteOf("a"), sites.shown("a")]).toEqual([[], [], null, []]);
    });
  });
});

describe("the charset of a page", () => {
  const bytes = (...codes: number[]) => new Uint8Array(codes);
  const utf16 = (text: string) =>
    Uint8Array.from([0xff, 0xfe, ...[...text].flatMap((one) => [one.charCodeAt(0) & 255, one.charCodeAt(0) >> 8])]);
  it.each<[string, Uint8Array, string, string]>([
    ["windows-1252 by its header", bytes(0x63, 0x61, 0x66, 0xe9), "text/html; charset=windows-1252", "café"],
    ["UTF-16 by its mark", utf16("<p>Öffnungszeiten</p>"), "text/html", "Öffnungszeiten"],
    ["right-to-left", new TextEncoder().encode("<p>שעות פתיחה</p>"), "text/html; charset=utf-8", "שעות פתיחה"],
    ["CJK", new TextEncoder().encode("<p>営業時間は九時から</p>"), "text/html; charset=utf-8", "営業時間は九時から"],
    ["Thai", new TextEncoder().encode("<p>เวลาเปิดทำการ</p>"), "text/html; charset=utf-8", "เวลาเปิดทำการ"],
  ])("a page in %s is read", async (_, body, type, text) => {
    await withCrawl(async ({ begin, crawl, texts }) => {
      begin(`${SITE}/`);
      await crawl({ [`${SITE}/`]: () => new Response(body, { headers: { "content-type": type } }) });
      expect(texts()).toEqual([text]);
    });
  });
});

describe("the refresh of an address", () => {
  const PAGE = `${SITE}/`;
  it("replaces the text of a page that changed", async () => {
    await withCrawl(async ({ begin, crawl, texts }) => {
      begin(PAGE);
      await crawl({ [PAGE]: page("x", "old") });
      begin(PAGE);
      await crawl({ [PAGE]: page("x", "new") });
      expect(texts()).toEqual(["new"]);
    });
  });

  it("sends the page's ETag, and stores nothing again if the page is unchanged", async () => {
    await withCrawl(async ({ begin, crawl, texts, store, clock }) => {
      const served: Served = (request) =>
        request.headers.get("if-none-match") === '"1"'
          ? new Response(null, { status: 304 })
          : html(page("x", "same"), { etag: '"1"' });
      begin(PAGE);
      await crawl({ [PAGE]: served });
      const before = store.states(["a"])[0];
      clock.now += 86_400_000;
      begin(PAGE);
      await crawl({ [PAGE]: served });
      expect([texts(), store.states(["a"])]).toMatchObject([["same"], [{ status: "ready", chunks: before?.chunks }]]);
      expect(store.states(["a"])[0]?.refreshed_at).toBeGreaterThan(before?.refreshed_at ?? 0);
    });
  });

  it("a failed refresh keeps the text and reports the failure", async () => {
    await withCrawl(async ({ begin, crawl, texts, state, store }) => {
      begin(PAGE);
      await crawl({ [PAGE]: page("x", "old") });
      const refreshed_at = store.states(["a"])[0]?.refreshed_at;
      begin(PAGE);
      await crawl({});
      expect([texts(), state()]).toMatchObject([["old"], { status: "failed", reason: "http_404", refreshed_at }]);
    });
  });

  it("keeps a broken page of a site and drops a deleted one", async () => {
    await withCrawl(async ({ begin, crawl, texts, sites }) => {
      begin(PAGE, 4);
      await crawl(fifty());
      begin(PAGE, 4);
      await crawl({
        ...fifty([1]),
        [`${SITE}/p2`]: () => new Response("", { status: 410 }),
        [`${SITE}/p3`]: page("x", "new"),
      });
      expect(texts()).toEqual(["word0", "word1", "new"]);
      expect(sites.shown("a").map(({ state, reason }) => reason ?? state)).toEqual([
        "unchanged",
        "http_500",
        "http_410",
        "read",
      ]);
      begin(PAGE, 4);
      await crawl({ ...fifty(), [`${SITE}/p3`]: page("x", "new") });
      expect(texts().toSorted()).toEqual(["new", "word0", "word1", "word2"]);
    });
  });

  it("a refresh is due again after its interval, later after each failure, at most after seven days", () => {
    const hours = (failures: number) => ((nextRefresh(24, failures, NOW) ?? 0) - NOW) / 3_600_000;
    expect([0, 1, 2, 3, 50].map(hours)).toEqual([24, 48, 96, 168, 168]);
    expect(nextRefresh(null, 0, NOW)).toBeNull();
  });

  it("copies the text of unchanged pages if a published version refers to the earlier text", async () => {
    await withCrawl(
      async ({ begin, crawl, texts, store }) => {
        begin(`${SITE}/`, 4);
        await crawl(fifty());
        const text = store.hashOf("a");
        const before = texts();
        begin(`${SITE}/`, 4);
        await crawl(Object.assign(fifty(), { [`${SITE}/p1`]: page("Page 1", "changed") }));
        expect(texts()).toEqual(before.map((one) => (one === "word1" ? "changed" : one)));
        const kept = () => {
          const [one] = store.texts([{ id: "a", text }]);
          return store.chunksOf("a", { from: 0, limit: 10, edition: one?.edition ?? 0 }).map((chunk) => chunk.text);
        };
        expect(kept()).toEqual(before);
        store.dropEarlierTexts(["a"], new Set());
        while (store.hasStale) store.deleteStale();
        expect(kept()).toEqual(texts());
      },
      { chunks: 1_000, pages: 500, isHeld: true },
    );
  });
});
