import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { findKnowledge, type Searched } from "../../../src/agent/knowledge/find-knowledge.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { apiKey, type Tenant, tenant } from "../../support/client.ts";
import { serveSite } from "./site.ts";
import { type DocumentBody, newAgent, readyText, search, settled } from "./support.ts";

/** Returns what the account finds at `now` (ms) according to its objects. */
const foundBy = (
  { account }: Pick<Tenant, "account">,
  query: string,
  now: number,
  { KNOWLEDGE_BASE = env.KNOWLEDGE_BASE, searched = "account" as Searched, limit = 5 } = {},
) =>
  findKnowledge(
    { env: { KNOWLEDGE_BASE }, store: accountStore(env, account, { actor: "test", request_id: "" }), now },
    { query, searched, limit },
  );

describe("a search", () => {
  it("finds a document until the last second of its last day in the account's time zone", async () => {
    const who = await tenant();
    await who.user.patch("/api/v1/account", { timezone: "Asia/Tokyo" });
    await readyText(who.server, "Spring sale", "Tulips are half price.", {
      effective_from: "2026-03-03",
      effective_until: "2026-03-04",
    });
    const countAt = async (time: string) => (await foundBy(who, "tulips", Date.parse(`${time}+09:00`))).length;
    expect(await countAt("2026-03-02T23:59:59.999")).toBe(0);
    expect(await countAt("2026-03-03T00:00:00.000")).toBe(1);
    expect(await countAt("2026-03-04T23:59:59.999")).toBe(1);
    expect(await countAt("2026-03-05T00:00:00.000")).toBe(0);
  });

  it("does not find a document that is deleted during the search", async () => {
    const who = await tenant();
    const { id } = await readyText(who.server, "Spring sale", "Tulips are half price.");
    const other = await readyText(who.server, "Autumn sale", "Tulips and asters are cheap.");
    const real = env.KNOWLEDGE_BASE;
    const whileDeleting = Object.assign(Object.create(real), {
      getByName: (name: string) => {
        const stub = real.getByName(name);
        const deleted = async (...given: Parameters<typeof stub.search>) => {
          expect((await who.server.delete(`/api/v1/knowledge/${id}`)).status).toBe(204);
          return stub.search(...given);
        };
        return Object.assign(Object.create(stub), { search: deleted });
      },
    });
    const found = await foundBy(who, "tulips", Date.now(), { KNOWLEDGE_BASE: whileDeleting });
    expect(found.map(({ document_id }) => document_id)).toEqual([other.id]);
    expect((await search(who.server, "tulips")).map(({ document_id }) => document_id)).toEqual([other.id]);
  });
});

describe("an agent's search", () => {
  it("ends with visible documents if better matches have expired or were deleted", async () => {
    const who = await tenant();
    const over = await readyText(who.server, "Last year", "Tulips, tulips, tulips.", { effective_until: "2001-01-01" });
    const deleted = await readyText(who.server, "Gone", "Tulips and tulips.");
    const visible = await readyText(who.server, "This year", "Roses, asters, and one of the tulips.");
    await who.server.delete(`/api/v1/knowledge/${deleted.id}`);
    const body = { title: "", sha256: "", text_sha256: null };
    const documents = [over, deleted, visible].map(({ id }) => ({ id, body, text: null, mode: "search" as const }));
    const searched = { documents, faqs: [], playbooks: [] };
    const found = await foundBy(who, "tulips", Date.now(), { searched, limit: 1 });
    expect(found.map(({ document_id }) => document_id)).toEqual([visible.id]);
  });
});

describe("an API key that is limited to agents", () => {
  it("sees only addresses of its agents, with their pages, and reads and refreshes none", async () => {
    const { user, server } = await tenant();
    const urls = ["https://site.example/mine", "https://site.example/other"];
    serveSite(Object.fromEntries(urls.map((url) => [url, "<p>We open at nine.</p>"])));
    const agents = [await newAgent(server), await newAgent(server)];
    const ids: string[] = [];
    for (const [n, url] of urls.entries()) {
      const { id } = (await server.post<DocumentBody>("/api/v1/knowledge", { url })).body;
      await settled(server, id);
      await server.post(`/api/v1/agents/${agents[n]}/knowledge`, { document_id: id });
      ids.push(id);
    }
    const [mine = "", other = ""] = ids;
    const key = (await apiKey(user, { agent_ids: agents.slice(0, 1), scopes: ["read", "build"] })).server;
    const { body } = await key.get<{ documents: DocumentBody[]; total: number }>("/api/v1/knowledge");
    expect([body.total, body.documents.map(({ id }) => id)]).toEqual([1, [mine]]);
    expect((await key.get(`/api/v1/knowledge/${mine}/pages`)).status).toBe(200);
    expect((await key.get(`/api/v1/knowledge/${other}/pages`)).status).toBe(404);
    expect((await key.post("/api/v1/knowledge", { url: "https://site.example/new" })).status).toBe(403);
    expect((await key.patch(`/api/v1/knowledge/${mine}`, { refresh_hours: 24 })).status).toBe(403);
    expect((await key.post(`/api/v1/knowledge/${mine}/refresh`, {})).status).toBe(403);
  });
});
