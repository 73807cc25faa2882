import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ApiClient } from "../../../src/dev/client.ts";
import { LONG_PASSWORD } from "../../../src/dev/demo-data.ts";
import { createAccount } from "../campaigns/account.ts";
import { WAIT } from "../campaigns/crash-support.ts";
import { freshFetch, Service } from "../campaigns/service.ts";

/** How often the service is killed while it reads a document, and while it crawls. */
const KILLS = 4;
/** The pages of the site. The service is killed during the request of each. */
const PAGES = 4;
/** Enough passages for several steps of processing. */
const PARAGRAPHS = 700;

interface Document {
  id: string;
  status: string;
  reason: string | null;
  chunks: number;
}

let service: Service;
let owner: ApiClient;
let site: Server;
/** Called with the path of each request to the site. */
let visited: (path: string) => void = () => undefined;

beforeAll(async () => {
  site = createServer((request, response) => {
    const path = request.url ?? "";
    visited(path);
    const page = /^\/p(\d)$/.exec(path)?.[1];
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" });
    const links = Array.from({ length: PAGES }, (_, n) => `<a href="/p${n}">next</a>`).join(" ");
    response.end(page === undefined ? "" : `<title>Page ${page}</title><p>word${page} of the site.</p>${links}`);
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  service = await Service.prepare({ TOOL_HOSTS: siteHost() });
  await service.start();
  const who = await createAccount(service.url);
  owner = await new ApiClient(service.url, freshFetch).signIn(who, LONG_PASSWORD);
}, 120_000);

afterAll(async () => {
  await service?.remove();
  site?.close();
}, 60_000);

const siteHost = () => `127.0.0.1:${(site.address() as AddressInfo).port}`;
const found = async (query: string) =>
  (await owner.post<{ results: object[] }>("/api/v1/knowledge/search", { query, limit: 20 })).results.length;
const documentOf = (id: string) => owner.get<Document>(`/api/v1/knowledge/${id}`);

/** Kills the service and starts it again. */
async function restart(): Promise<void> {
  service.kill();
  await service.gone();
  await service.start();
}

/** Waits until a document is no longer being read. */
const settled = (id: string) =>
  vi.waitFor(async () => {
    const document = await documentOf(id);
    expect(document.status).not.toBe("processing");
    return document;
  }, WAIT);

describe("a service that is killed", () => {
  it("a service killed while it reads a document never shows half of it, and finishes afterwards", async () => {
    const text = Array.from({ length: PARAGRAPHS }, (_, n) => `# Part ${n}\nzebra ${"words of it ".repeat(20)}`).join(
      "\n",
    );
    const { id } = await owner.post<Document>("/api/v1/knowledge", { title: "Long", text });
    for (let kill = 0; kill < KILLS && (await documentOf(id)).status === "processing"; kill++) {
      expect(await found("zebra")).toBe(0);
      await sleep(10 * kill);
      await restart();
    }
    const document = await settled(id);
    // A document whose reading was cut off by three kills is given up with this error.
    expect(["ready null", "failed reading_failed"]).toContain(`${document.status} ${document.reason}`);
    expect([await found("zebra"), document.chunks]).toEqual(document.status === "ready" ? [20, PARAGRAPHS] : [0, 0]);
    await owner.post(`/api/v1/knowledge/${id}/refresh`, {});
    expect(await settled(id)).toMatchObject({ status: "ready", chunks: PARAGRAPHS });
  }, 300_000);

  it("a service killed at each page of a crawl continues at that page and never finds half of the site", async () => {
    const url = `http://${siteHost()}/p0`;
    const { promise: first, resolve: reach } = Promise.withResolvers<void>();
    let reached = { path: "/p0", resolve: reach };
    const visits: string[] = [];
    visited = (path) => {
      visits.push(path);
      if (path === reached.path) reached.resolve();
    };
    const { id } = await owner.post<Document>("/api/v1/knowledge", { url, pages: PAGES });
    let next = first;
    for (let page = 1; page <= PAGES; page++) {
      await next;
      const { promise, resolve } = Promise.withResolvers<void>();
      reached = { path: `/p${page}`, resolve };
      next = promise;
      await restart();
      if ((await documentOf(id)).status === "processing") expect(await found("word0 word1 word2 word3")).toBe(0);
    }
    expect(await settled(id)).toMatchObject({ status: "ready", reason: null, chunks: PAGES });
    expect(await found("word0 word1 word2 word3")).toBe(PAGES);
    // A page is requested again only if the service was killed before the page was stored.
    for (let page = 0; page < PAGES; page++)
      expect(visits.filter((path) => path === `/p${page}`).length).toBeLessThanOrEqual(2);
  }, 300_000);
});
