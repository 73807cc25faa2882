import { describe, expect, it } from "vitest";
import { apiKey, tenant } from "../../support/client.ts";
import { addText, type DocumentBody, newAgent, readyText, search } from "./support.ts";

const TEXT = "We are open on Mondays.";

describe("a search", () => {
  it("finds nothing of another account", async () => {
    const [one, other] = [await tenant(), await tenant()];
    await readyText(one.server, "Hours", TEXT);
    await readyText(other.server, "Else", "We are closed.");
    expect(await search(other.server, "open mondays closed")).toMatchObject([{ title: "Else" }]);
  });

  it.each(['"', "mondays OR", "NEAR(open mondays)", "words:open", "open*", "-open ^mondays", "') --", "{open} : a"])(
    "a search treats %j as words",
    async (query) => {
      const { server } = await tenant();
      await readyText(server, "Hours", TEXT);
      const { status } = await server.post("/api/v1/knowledge/search", { query });
      expect(status).toBe(200);
    },
  );
});

describe("an API key that is limited to agents", () => {
  async function limited() {
    const { user, server } = await tenant();
    const [mine, other] = [await newAgent(server), await newAgent(server)];
    const [shown, hidden] = [await readyText(server, "Shown", TEXT), await readyText(server, "Hidden", TEXT)];
    const attach = (agent: string, { id }: DocumentBody) =>
      server.post(`/api/v1/agents/${agent}/knowledge`, { document_id: id });
    await attach(mine, shown);
    await attach(other, shown);
    await attach(other, hidden);
    const key = await apiKey(user, { agent_ids: [mine], scopes: ["read", "build"] });
    return { key: key.server, mine, other, shown, hidden };
  }

  it("sees only documents that are attached to its agents, and only those agents", async () => {
    const { key, mine, shown, hidden } = await limited();
    const { body } = await key.get<{ documents: DocumentBody[]; total: number }>("/api/v1/knowledge");
    expect([body.total, body.documents.map(({ id }) => id)]).toEqual([1, [shown.id]]);
    expect(body.documents[0]?.used_by.map(({ agent_id }) => agent_id)).toEqual([mine]);
    for (const path of ["", "/content", "/chunks", "/original"])
      expect((await key.get(`/api/v1/knowledge/${hidden.id}${path}`)).status).toBe(404);
  });

  it("must name one of its agents in a search", async () => {
    const { key, mine, other, shown } = await limited();
    expect((await key.post("/api/v1/knowledge/search", { query: "open" })).status).toBe(400);
    expect((await key.post("/api/v1/knowledge/search", { query: "open", agent_id: other })).status).toBe(403);
    expect((await search(key, "open", { agent_id: mine })).map(({ document_id }) => document_id)).toEqual([shown.id]);
  });

  it("neither changes documents nor attaches any that its agents lack", async () => {
    const { key, mine, shown, hidden } = await limited();
    expect((await key.post("/api/v1/knowledge", { title: "Mine", text: "Text." })).status).toBe(403);
    expect((await key.patch(`/api/v1/knowledge/${shown.id}`, { title: "Mine" })).status).toBe(403);
    expect((await key.delete(`/api/v1/knowledge/${shown.id}`)).status).toBe(403);
    expect((await key.post(`/api/v1/knowledge/${shown.id}/refresh`)).status).toBe(403);
    const attached = await key.post(`/api/v1/agents/${mine}/knowledge`, { document_id: hidden.id });
    expect(attached.status).toBe(404);
  });
});

describe("a key without `build`", () => {
  it("can search, but change nothing", async () => {
    const { user, server } = await tenant();
    const { id } = await addText(server, "Hours", TEXT);
    const { server: reader } = await apiKey(user, { scopes: ["read"] });
    expect((await reader.post("/api/v1/knowledge/search", { query: "open" })).status).toBe(200);
    expect((await reader.post("/api/v1/knowledge", { title: "Mine", text: "Text." })).status).toBe(403);
    expect((await reader.delete(`/api/v1/knowledge/${id}`)).status).toBe(403);
  });
});

describe("an original", () => {
  it("a browser never shows an original as a page of the service", async () => {
    const { server } = await tenant();
    const form = new FormData();
    form.set("file", new File(["<script>alert(1)</script>"], 'a";x=".html'));
    const { body } = await server.send<DocumentBody>("POST", "/api/v1/knowledge", form);
    const { headers } = await server.get(`/api/v1/knowledge/${body.id}/original`);
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename\*=UTF-8''[\w%.-]+$/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
});
