import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { erased } from "../../account-data/erasures/support.ts";
import { greetedSession } from "../../conversation/runtime/conversing.ts";
import type { Client, Tenant } from "../../support/client.ts";
import { serveSite } from "./site.ts";
import { type DocumentBody, search, settled } from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

const URL_ = "https://site.example/prices";
const NUMBER = "+13035550177";
const page = (price: string) => `<title>Prices</title><h1>Room</h1><p>A room costs ${price} a night.</p>`;
const [OLD, NEW] = ["80 euros", "95 euros"];

/** Waits until the account's configuration has a text other than this one, and returns its hash. */
const textOtherThan = ({ account }: Pick<Tenant, "account">, id: string, hash: string | null = null) =>
  vi.waitFor(async () => {
    const query = "SELECT text_sha256 FROM documents WHERE account = ? AND id = ?";
    const row = await env.DB.prepare(query).bind(account, id).first<{ text_sha256: string | null }>();
    if (!row?.text_sha256 || row.text_sha256 === hash) throw new Error("the text is not known yet");
    return row.text_sha256;
  });

/**
 * Places a call with an agent that has a document from an address. With the versioning `manual`, the agent is
 * published.
 */
async function answering(versioning: "auto" | "manual", { mode = "search", price = OLD } = {}) {
  const call = await greetedSession();
  const { server, agent_id } = call;
  serveSite({ [URL_]: page(price) });
  const { id } = (await server.post<DocumentBody>("/api/v1/knowledge", { url: URL_ })).body;
  await settled(server, id);
  const hash = await textOtherThan(call, id);
  await server.post(`/api/v1/agents/${agent_id}/knowledge`, { document_id: id, mode });
  await server.patch(`/api/v1/agents/${agent_id}`, { versioning });
  const version = versioning === "manual" ? await published(server, agent_id) : null;
  return { call, server, agent_id, id, hash, version };
}

/** Publishes the draft, and returns the version's number. */
async function published(server: Client, agent_id: string): Promise<number> {
  const { status, body } = await server.post<{ number: number }>(`/api/v1/agents/${agent_id}/publish`, {});
  expect(status).toBe(200);
  return body.number;
}

/** Refreshes the address, which now has another price. Resolves when the new text is known everywhere. */
async function refreshed({ call, server, id, hash }: Awaited<ReturnType<typeof answering>>, price = NEW) {
  serveSite({ [URL_]: page(price) });
  await server.post(`/api/v1/knowledge/${id}/refresh`, {});
  expect(await settled(server, id)).toMatchObject({ status: "ready" });
  return textOtherThan(call, id, hash);
}

const found = async ({ server, agent_id }: { server: Client; agent_id: string }) =>
  (await search(server, "room night", { agent_id })).map(({ text }) => text).join();

describe("a refreshed document under manual versioning", () => {
  it("a refreshed document under manual versioning is found with its earlier text until another version is published", async () => {
    const agent = await answering("manual");
    const hash = await refreshed(agent);
    expect(await found(agent)).toContain(OLD);
    expect((await search(agent.server, "room night"))[0]?.text).toContain(NEW);
    const path = `/api/v1/agents/${agent.agent_id}/versions/${agent.version}/diff/draft`;
    const { changes } = (await agent.server.get<{ changes: object[] }>(path)).body;
    expect(changes).toEqual([{ field: "knowledge.site.example/prices.text_sha256", old: agent.hash, new: hash }]);
    await published(agent.server, agent.agent_id);
    expect(await found(agent)).toContain(NEW);
  });

  it("a refreshed document under manual versioning is in the prompt with its earlier text until another version is published", async () => {
    const agent = await answering("manual", { mode: "prompt" });
    await refreshed(agent);
    const { documents } = (await agent.call.client.get<{ documents: object[] }>("/api/runtime/v1/session")).body;
    expect(JSON.stringify(documents)).toContain(OLD);
    expect(JSON.stringify(documents)).not.toContain(NEW);
  });

  it("keeps the published text through a second refresh, and drops texts of replaced versions", async () => {
    const agent = await answering("manual");
    const hash = await refreshed(agent);
    const second = await refreshed(Object.assign({}, agent, { hash }), "99 euros");
    expect(await found(agent)).toContain(OLD);
    await published(agent.server, agent.agent_id);
    await refreshed(Object.assign({}, agent, { hash: second }), "101 euros");
    expect(await found(agent)).toContain("99 euros");
    const { chunks } = await settled(agent.server, agent.id);
    const { quotas } = (await agent.server.get<{ quotas: Record<string, object> }>("/api/v1/quotas")).body;
    expect([chunks, quotas.knowledge_chunks]).toMatchObject([1, { used: 2 }]);
  });

  it("an erased number is masked in the earlier text", async () => {
    const agent = await answering("manual", { price: `80 euros, call ${NUMBER},` });
    await refreshed(agent);
    expect(await found(agent)).toContain(NUMBER);
    await erased(agent.call, { phone_number: NUMBER });
    expect(await found(agent)).toContain(OLD);
    expect(await found(agent)).not.toMatch(/3035550177/);
  });

  it("a refreshed document under manual versioning is not found with any text once it is deleted", async () => {
    const agent = await answering("manual");
    await refreshed(agent);
    await agent.server.delete(`/api/v1/knowledge/${agent.id}`);
    expect(await found(agent)).toBe("");
  });
});

describe("a refreshed document under automatic versioning", () => {
  it("a refreshed document under automatic versioning is found with its new text at once", async () => {
    const agent = await answering("auto");
    await refreshed(agent);
    expect(await found(agent)).toContain(NEW);
  });
});
