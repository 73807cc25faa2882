import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import {
  agentDocuments,
  agentFaqs,
  agentPrompts,
  agents,
  agentTests,
  campaigns,
  documents,
  faqs,
  playbooks,
  tools,
} from "../../../src/kernel/db/schema/index.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { contactsCsv, upload } from "../../campaign/support.ts";
import { apiKey, type Tenant, tenant } from "../../support/client.ts";
import { readInPieces } from "../../support/read-in-pieces.ts";

const MB = 1024 * 1024;
/** The longest text of a field. */
const LONGEST = 256 * 1024;
/** The text of this many bytes is read at once at most, and one agent more than that is sent at once. */
const MOST_READ = 8 * MB;
const MOST_OF_AN_AGENT = 4 * MB + LONGEST;

const at = "2026-11-01T00:00:00.000Z";
const id = () => crypto.randomUUID();
const number = (n: number) => String(n).padStart(3, "0");
const storeOf = (account: string) => accountStore(env, account, { actor: "test", request_id: "" });
const item = (n: number) => ({
  id: id(),
  name: `long_${number(n)}`,
  category: "long",
  tags: [],
  is_default: false,
  modified_from_default: false,
  created_at: at,
  updated_at: at,
});

interface Agent {
  id: string;
  faqs: { name: string; content: string }[];
}

/** Creates agents, each with so many FAQs of the longest text, beginning with the one that `first` returns for it. */
async function withLongFaqs(
  { account, server }: Tenant,
  { users, each, first }: { users: number; each: number; first: (agent: number) => number },
) {
  const store = storeOf(account);
  const created = (await server.post<{ id: string }>("/api/v1/agents", { name: "first" })).body.id;
  const [row] = await store.read(store.first(agents));
  const { account: _, ...plain } = row ?? expect.fail("no agent");
  const rows = Array.from({ length: Math.max(...Array.from({ length: users }, (_, n) => first(n))) + each }, (_, n) =>
    Object.assign(item(n), { title: "", summary: "", content: String(n % 10).repeat(LONGEST) }),
  );
  for (const one of rows) await store.record(store.insert(faqs, one));
  const ids = [created, ...Array.from({ length: users - 1 }, id)];
  const links = ids.flatMap((agent_id, n) =>
    rows.slice(first(n), first(n) + each).map((faq) => ({ agent_id, faq_id: faq.id, created_at: faq.name })),
  );
  await store.record(
    ...ids
      .slice(1)
      .map((one, n) => store.insert(agents, { ...plain, id: one, created_at: `2030-01-01T00:00:00.${number(n)}Z` })),
    store.upsertMany(agentFaqs, links, {
      target: [agentFaqs.account, agentFaqs.agent_id, agentFaqs.faq_id],
      columns: ["created_at"],
    }),
  );
  return { newestFirst: [...ids.slice(1).reverse(), created], rows };
}

/** Creates documents that all these agents have. */
async function withDocuments(account: string, agentIds: string[], most: number) {
  const store = storeOf(account);
  const rows = Array.from({ length: most }, (_, n) => ({
    id: id(),
    title: `Document ${n}`,
    source: "text" as const,
    file_name: "text.md",
    content_type: "text/markdown",
    bytes: 1,
    sha256: String(n),
    created_by: "test",
    created_at: at,
    updated_at: at,
  }));
  const links = agentIds.flatMap((agent_id) =>
    rows.map(({ id }) => ({ agent_id, document_id: id, mode: "search" as const, created_at: at })),
  );
  await store.record(
    ...rows.map((row) => store.insert(documents, row)),
    store.upsertMany(agentDocuments, links, {
      target: [agentDocuments.account, agentDocuments.agent_id, agentDocuments.document_id],
      columns: ["mode"],
    }),
  );
}

describe("GET /agents with long texts", () => {
  it("agents that share FAQs are sent one after the other, and their FAQs are read once", async () => {
    const who = await tenant();
    const { newestFirst, rows } = await withLongFaqs(who, { users: 20, each: 12, first: () => 0 });
    const { body, bytes, longestText, largestRead, reads } = await readInPieces<Agent[]>("/api/v1/agents", who.server);
    expect(bytes).toBeGreaterThan(20 * 12 * LONGEST);
    expect(longestText).toBeLessThan(4 * MB + MOST_OF_AN_AGENT);
    expect(largestRead).toBeLessThan(MOST_READ);
    expect(reads).toBe(1);
    expect(body.map((agent) => agent.id)).toEqual(newestFirst);
    const contents = rows.map(({ content }) => content);
    expect(body.every((agent) => agent.faqs.every(({ content }, n) => content === contents[n]))).toBe(true);
    expect(body.every((agent) => agent.faqs.length === 12)).toBe(true);
  });

  it("agents whose texts exceed what is read at once are read in pieces and look as they do alone", async () => {
    const who = await tenant();
    const { newestFirst } = await withLongFaqs(who, { users: 6, each: 12, first: (n) => n * 8 });
    const { body, largestRead, reads } = await readInPieces<Agent[]>("/api/v1/agents", who.server);
    expect(largestRead).toBeLessThan(MOST_READ + MB);
    expect(reads).toBe(2 + 3);
    expect(body.map((agent) => agent.id)).toEqual(newestFirst);
    for (const agent of body) expect(agent).toEqual((await who.server.get(`/api/v1/agents/${agent.id}`)).body);
  });

  it("agents with very many attachments are read in pieces", async () => {
    const who = await tenant();
    const { newestFirst } = await withLongFaqs(who, { users: 600, each: 0, first: () => 0 });
    await withDocuments(who.account, newestFirst, 35);
    const { body, reads } = await readInPieces<(Agent & { knowledge: object[] })[]>("/api/v1/agents", who.server);
    expect(reads).toBe(2 + 2);
    expect(body.map((agent) => agent.id)).toEqual(newestFirst);
    expect(body.every(({ knowledge }) => knowledge.length === 35)).toBe(true);
  });

  it("a short list has an ETag even if it has many agents", async () => {
    const who = await tenant();
    await withLongFaqs(who, { users: 150, each: 0, first: () => 0 });
    const { headers, reads } = await readInPieces<Agent[]>("/api/v1/agents", who.server);
    expect(reads).toBe(1);
    const etag = headers.get("etag") ?? expect.fail("no ETag");
    expect((await who.server.get("/api/v1/agents", { "if-none-match": etag })).status).toBe(304);
  });
});

describe("other lists of long texts are read and sent in pieces", () => {
  it("the FAQs of an account", async () => {
    const who = await tenant();
    const { rows } = await withLongFaqs(who, { users: 1, each: 40, first: () => 0 });
    const list = await readInPieces<{ faqs: { name: string }[]; total: number }>("/api/v1/faqs", who.server);
    expect(list.largestRead).toBeLessThan(MOST_READ + MB);
    expect(list.longestText).toBeLessThan(MB);
    expect(list.body.total).toBe(list.body.faqs.length);
    const names = list.body.faqs.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(expect.arrayContaining(rows.map(({ name }) => name)));
    const alone = (await who.server.get("/api/v1/faqs/long_017")).body;
    expect(list.body.faqs.find(({ name }) => name === "long_017")).toEqual(alone);
  });

  it("a page of playbooks", async () => {
    const who = await tenant();
    const store = storeOf(who.account);
    for (let n = 0; n < 60; n++) {
      const fields = { display_name: "", description: "", tool_names: [], triggers: [], content: "x".repeat(LONGEST) };
      await store.record(store.insert(playbooks, Object.assign(item(n), fields)));
    }
    const path = "/api/v1/playbooks?category=long&limit=50&offset=5";
    const list = await readInPieces<{ playbooks: { name: string; content: string }[] }>(path, who.server);
    expect(list.largestRead).toBeLessThan(MOST_READ + MB);
    expect(list.longestText).toBeLessThan(MB);
    const names = Array.from({ length: 50 }, (_, n) => `long_${number(n + 5)}`);
    expect(list.body).toMatchObject({ total: 60, limit: 50, offset: 5 });
    expect(list.body.playbooks.map(({ name }) => name)).toEqual(names);
    expect(list.body.playbooks.every(({ content }) => content.length === LONGEST)).toBe(true);
  });

  it("a page of tools, which is whole if the page alone is short enough", async () => {
    const who = await tenant();
    const store = storeOf(who.account);
    for (let n = 0; n < 60; n++) {
      const fields = { display_name: "", description: "", implementation_type: "python", effect: null } as const;
      const own = { implementation_code: "x".repeat(LONGEST), implementation_config: {}, schema: {}, bind: null };
      await store.record(store.insert(tools, Object.assign(item(n), fields, own, { max_runs: null })));
    }
    const read = (query: string) =>
      readInPieces<{ tools: { name: string }[]; categories: object }>(`/api/v1/tools?${query}`, who.server);
    const list = await read("category=long&limit=100");
    expect(list.largestRead).toBeLessThan(MOST_READ + MB);
    expect(list.longestText).toBeLessThan(MB);
    expect(list.body.tools).toHaveLength(60);
    expect(list.body.categories).toMatchObject({ long: 60 });
    const page = await read("category=long&limit=5&offset=55");
    expect(page.headers.get("etag")).not.toBeNull();
    expect(page.body.tools.map(({ name }) => name)).toEqual([55, 56, 57, 58, 59].map((n) => `long_${number(n)}`));
    expect((await read("category=long&offset=60")).body.tools).toEqual([]);
  });

  it("the versions of an agent's system prompt", async () => {
    const who = await tenant();
    const { body } = await who.server.post<{ id: string }>("/api/v1/agents", { name: "a" });
    const store = storeOf(who.account);
    for (let version = 2; version <= 50; version++) {
      const prompt = { id: id(), agent_id: body.id, version, system_prompt: "x".repeat(LONGEST) };
      await store.record(store.insert(agentPrompts, { ...prompt, created_by: "test", created_at: at }));
    }
    const path = `/api/v1/agents/${body.id}/prompts`;
    const list = await readInPieces<{ prompts: { version: number; active: boolean }[] }>(path, who.server);
    expect(list.largestRead).toBeLessThan(MOST_READ + MB);
    expect(list.longestText).toBeLessThan(MB);
    expect(list.body.prompts.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, n) => 50 - n));
    expect(list.body.prompts.filter(({ active }) => active).map(({ version }) => version)).toEqual([1]);
  });

  it("a page of documents that very many agents have", async () => {
    const who = await tenant();
    const { newestFirst } = await withLongFaqs(who, { users: 250, each: 0, first: () => 0 });
    await withDocuments(who.account, newestFirst, 60);
    type Document = { id: string; title: string; used_by: { agent_id: string }[] };
    const list = await readInPieces<{ documents: Document[] }>("/api/v1/knowledge?limit=50&offset=5", who.server);
    expect(list.longestText).toBeLessThan(MB);
    expect(list.reads).toBe(1 + 2);
    expect(list.body).toMatchObject({ total: 60, limit: 50, offset: 5 });
    expect(list.body.documents).toHaveLength(50);
    const users = new Set(newestFirst);
    for (const { used_by } of list.body.documents)
      expect(new Set(used_by.map(({ agent_id }) => agent_id))).toEqual(users);
    const [first] = list.body.documents;
    expect((await who.server.get(`/api/v1/knowledge/${first?.id}`)).body).toEqual(first);
    const small = await readInPieces<{ documents: Document[] }>("/api/v1/knowledge?limit=5", who.server);
    expect(small.reads).toBe(1);
    expect(small.body.documents).toHaveLength(5);
  });

  it("the tests of an agent", async () => {
    const who = await tenant();
    const { body } = await who.server.post<{ id: string }>("/api/v1/agents", { name: "a" });
    const path = `/api/v1/agents/${body.id}/tests`;
    await who.server.post(path, { name: "one", steps: [{ says: "Hello" }], expect: [{ ended: true }] });
    const store = storeOf(who.account);
    const [row] = await store.read(store.first(agentTests));
    const { account: _, ...plain } = row ?? expect.fail("no test");
    const steps = Array.from({ length: 15 }, () => ({ says: "x".repeat(4_000) }));
    const tool_mocks = Array.from({ length: 15 }, () => ({ tool: "t", when: null, result: "x".repeat(4_000) }));
    for (let n = 1; n < 90; n++) {
      const created_at = `2030-01-01T00:00:00.${number(n)}Z`;
      await store.record(store.insert(agentTests, { ...plain, id: id(), name: `${n}`, steps, tool_mocks, created_at }));
    }
    const list = await readInPieces<{ tests: { name: string }[] }>(path, who.server);
    expect(list.largestRead).toBeLessThan(MOST_READ + MB);
    expect(list.longestText).toBeLessThan(MB);
    expect(list.body).toMatchObject({ total: 90 });
    expect(list.body.tests.map(({ name }) => name)).toEqual([
      "one",
      ...Array.from({ length: 89 }, (_, n) => `${n + 1}`),
    ]);
  });

  it("the campaigns of an account, in which numbers stay masked", async () => {
    const who = await tenant();
    const { server } = who;
    const { body } = await upload(server, contactsCsv(1), {});
    const store = storeOf(who.account);
    const { account: _, ...plain } = await vi.waitFor(
      async () => (await store.read(store.first(campaigns)))[0] ?? expect.fail("no campaign"),
    );
    const examples = [{ written: "2025550100", phone_number: "+12025550100", could_be: null }];
    const assumed = [{ country: "US", count: 1, also_valid: 0, examples }];
    const record = Object.assign({}, plain.record, { import: Object.assign({}, body.import, { assumed }) });
    const voicemail_message = "x".repeat(5_000);
    const rows = Array.from({ length: 2_000 }, () => {
      const own = { id: id(), voicemail_message, created_at: at };
      return { ...plain, id: own.id, created_at: at, record: Object.assign({}, record, own) };
    });
    await store.record(
      store.upsertMany(campaigns, rows, { target: [campaigns.account, campaigns.id], columns: ["status"] }),
    );
    const viewer = await apiKey(who.user, { scopes: ["read"] });
    const list = await readInPieces<{ campaigns: { id: string }[] }>("/api/v1/campaigns", viewer.server);
    expect(list.largestRead).toBeLessThan(MOST_READ + MB);
    expect(list.longestText).toBeLessThan(MB);
    expect(list.body).toMatchObject({ total: 2_001 });
    expect(list.body.campaigns).toHaveLength(2_001);
    expect(list.body.campaigns[0]?.id).toBe(body.id);
    expect(JSON.stringify(list.body)).not.toContain("2025550100");
  });
});
