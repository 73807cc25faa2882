import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { knowledgeBase } from "../../../src/kernel/durable/objects.ts";
import { tenant } from "../../support/client.ts";
import { serveSite } from "./site.ts";
import { type DocumentBody, newAgent, search, settled } from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

const URL_ = "https://site.example/help";
const PAGE = "<title>Help</title><h1>Hours</h1><p>We open at nine on Saturdays.</p>";

describe("a document from an address", () => {
  it("a document from an address is read, found and shown with its pages", async () => {
    const { server } = await tenant();
    serveSite({ [URL_]: PAGE });
    const { status, body } = await server.post<DocumentBody>("/api/v1/knowledge", { url: URL_, refresh_hours: 24 });
    expect([status, body]).toMatchObject([202, { source: "url", url: URL_, title: "site.example/help", pages: 1 }]);
    expect(await settled(server, body.id)).toMatchObject({
      status: "ready",
      crawl: { pages_read: 1, pages_failed: 0, pages_waiting: 0, next_refresh_at: expect.any(String) },
    });
    expect((await search(server, "Saturdays"))[0]?.document_id).toBe(body.id);
    const pages = await server.get<object>(`/api/v1/knowledge/${body.id}/pages`);
    expect(pages.body).toMatchObject({ pages: [{ url: URL_, title: "Help", state: "read", reason: null }] });
    const again = await server.post<DocumentBody>("/api/v1/knowledge", { url: URL_ });
    expect(again.body.id).toBe(body.id);
    const { quotas } = (await server.get<{ quotas: Record<string, object> }>("/api/v1/quotas")).body;
    expect(quotas.crawl_pages).toMatchObject({ used: 1 });
  });

  it("a document from an address keeps its text if reading it again fails", async () => {
    const { server } = await tenant();
    serveSite({ [URL_]: PAGE });
    const { body } = await server.post<DocumentBody>("/api/v1/knowledge", { url: URL_ });
    await settled(server, body.id);
    serveSite({});
    expect((await server.post(`/api/v1/knowledge/${body.id}/refresh`, {})).status).toBe(202);
    expect(await settled(server, body.id)).toMatchObject({ status: "failed", reason: "http_404", chunks: 1 });
    expect(await search(server, "Saturdays")).toHaveLength(1);
  });

  it("a document from an address is refreshed as often as is set, or never", async () => {
    const { server } = await tenant();
    serveSite({ [URL_]: PAGE });
    const { body } = await server.post<DocumentBody>("/api/v1/knowledge", { url: URL_ });
    await settled(server, body.id);
    const set = (refresh_hours: number | null) => server.patch(`/api/v1/knowledge/${body.id}`, { refresh_hours });
    expect((await set(48)).body).toMatchObject({ refresh_hours: 48, crawl: { next_refresh_at: expect.any(String) } });
    expect((await set(null)).body).toMatchObject({ refresh_hours: null, crawl: { next_refresh_at: null } });
    expect((await set(23)).status).toBe(400);
  });

  it.each([
    "http://site.example/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://169.254.169.254/",
    "https://localhost/",
    "https://intranet/",
    "https://site.example:8443/",
    "https://user:pass@site.example/",
    "file:///etc/passwd",
    "no address",
  ])("a document from an address is refused at %s", async (url) => {
    const { server } = await tenant();
    const { status, code } = await server.post("/api/v1/knowledge", { url });
    expect([status, code]).toEqual([400, "refused_address"]);
  });

  it("a document from an address is not visible to another account", async () => {
    const [mine, other] = [await tenant(), await tenant()];
    serveSite({ [URL_]: PAGE });
    const { body } = await mine.server.post<DocumentBody>("/api/v1/knowledge", { url: URL_ });
    await settled(mine.server, body.id);
    const agent = await newAgent(mine.server);
    const path = `/api/v1/knowledge/${body.id}/pages`;
    expect((await other.server.get(path)).status).toBe(404);
    expect(await search(other.server, "Saturdays")).toEqual([]);
    expect((await knowledgeBase(env, other.account).pages(body.id)).length).toBe(0);
    expect(agent).toEqual(expect.any(String));
  });
});
