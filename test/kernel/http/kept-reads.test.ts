import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import { KeptReads } from "../../../src/kernel/http/kept-reads.ts";
import { operator, type Tenant, tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";

const AGENTS = "/api/v1/agents";
const [TEMPLATE] = CATALOG.templates;

/** Returns the paths of all reads of an account's configuration. */
const READS = (agent: string) => [
  AGENTS,
  `${AGENTS}/${agent}`,
  `${AGENTS}/${agent}/prompts`,
  `${AGENTS}/${agent}/tools`,
  `${AGENTS}/${agent}/widget-settings`,
  "/api/v1/tools",
  "/api/v1/tools?search=call",
  "/api/v1/tools/send_sms",
  "/api/v1/playbooks",
  "/api/v1/playbooks/qualify_lead",
  "/api/v1/faqs",
  "/api/v1/faqs/opening_hours",
  "/api/v1/marketplace/agents",
  `/api/v1/marketplace/agents/${TEMPLATE?.id}`,
  "/api/v1/marketplace/categories",
  "/api/v1/integrations",
  "/api/v1/integrations/slack",
  "/api/v1/telephony/numbers",
  "/api/v1/telephony/providers",
  "/api/v1/widget-settings",
];

async function withAgent() {
  const who = await tenant();
  const { id } = (await who.server.post<{ id: string }>(AGENTS, { name: "Ada" })).body;
  return { ...who, id };
}

/** Checks that a repeated read does not query the database. */
async function isKept(path: string, { server }: Pick<Tenant, "server">): Promise<boolean> {
  await server.get(path);
  const trips = await countRoundTrips(path, server.headers);
  expect(trips, path).toMatchObject({ status: 200, objects: 1 });
  return trips.d1 === 0;
}

describe("an account's configuration", () => {
  it("an account's configuration is read in one hop if nothing changed", async () => {
    const who = await withAgent();
    for (const path of READS(who.id)) expect(await isKept(path, who), path).toBe(true);
  });

  it("an account's configuration is read again after any write of it", async () => {
    const { server, user, id } = await withAgent();
    const { body: faq } = await server.post<{ id: string }>("/api/v1/faqs", { name: "mine", title: "t", content: "c" });
    const writes: [
      method: "POST" | "PUT" | "PATCH" | "DELETE",
      path: string,
      body: object | undefined,
      read: string,
    ][] = [
      ["PATCH", `${AGENTS}/${id}`, { name: "Bo" }, `${AGENTS}/${id}`],
      ["PATCH", `${AGENTS}/${id}`, { system_prompt: "x" }, `${AGENTS}/${id}/prompts`],
      ["POST", `${AGENTS}/${id}/faqs`, { faq_id: faq.id }, AGENTS],
      ["PUT", "/api/v1/faqs/mine", { content: "changed" }, `${AGENTS}/${id}`],
      ["DELETE", `${AGENTS}/${id}/faqs/${faq.id}`, undefined, `${AGENTS}/${id}`],
      ["POST", `${AGENTS}/${id}/tools`, { tool_name: "send_sms" }, `${AGENTS}/${id}/tools`],
      ["PATCH", `${AGENTS}/${id}/widget-settings`, { auth_mode: "public" }, `${AGENTS}/${id}/widget-settings`],
      ["POST", "/api/v1/tools", { name: "mine" }, "/api/v1/tools?search=mine"],
      ["DELETE", "/api/v1/tools/mine", undefined, "/api/v1/tools?search=mine"],
      ["POST", `/api/v1/marketplace/agents/${TEMPLATE?.id}/install`, {}, AGENTS],
      ["POST", "/api/v1/integrations/slack/install", { params: {} }, "/api/v1/integrations/slack"],
      ["POST", "/api/v1/telephony/numbers", { e164: "+12025550100", provider: "sandbox" }, "/api/v1/telephony/numbers"],
      ["PATCH", "/api/v1/widget-settings", { primary_color: "#102030" }, "/api/v1/widget-settings"],
      ["DELETE", `${AGENTS}/${id}`, undefined, AGENTS],
    ];
    for (const [method, path, body, read] of writes) {
      const before = await user.get(read);
      const raw = body === undefined ? undefined : JSON.stringify(body);
      const written = await server.send(method, path, raw, { "content-type": "application/json" });
      expect(written.status, `${method} ${path}`).toBeLessThan(300);
      const after = await user.get(read);
      expect(after.body, `${method} ${path}`).not.toEqual(before.body);
      expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    }
  });

  it("an account's configuration is cached separately from others'", async () => {
    const [one, two] = [await withAgent(), await withAgent()];
    await one.server.get(AGENTS);
    expect((await two.server.get<{ id: string }[]>(AGENTS)).body.map(({ id }) => id)).toEqual([two.id]);
    expect((await two.server.get(`${AGENTS}/${one.id}`)).status).toBe(404);
  });

  it("a cached configuration is refused to callers who lost access", async () => {
    const who = await withAgent();
    await isKept(AGENTS, who);
    await (await operator()).patch(`/api/admin/v1/accounts/${who.account}`, { disabled: true });
    for (const client of [who.server, who.user]) expect((await client.get(AGENTS)).code).toBe("account_closed");
  });

  it("a cached read is validated like any request", async () => {
    const { server } = await withAgent();
    for (let i = 0; i < 2; i++) {
      expect((await server.get(`${AGENTS}/${crypto.randomUUID()}`)).status).toBe(404);
      expect((await server.get("/api/v1/tools?limit=1000")).status).toBe(400);
    }
  });
});

describe("the ETag of a cached read", () => {
  it("an unchanged cached read keeps its ETag, and clients that have it get a 304", async () => {
    const { server, user, id } = await withAgent();
    for (const path of [AGENTS, `${AGENTS}/${id}`, "/api/v1/tools?search=call"]) {
      const first = await server.get(path);
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"(1\.)?[\w+/]{24}"$/);
      expect(first.headers.get("cache-control")).toBe("private, no-cache");
      for (const named of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await user.get(path, { "if-none-match": named });
        expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, "", etag]);
        expect(again.headers.get("x-request-id")).toBeTruthy();
      }
      expect((await user.get(path, { "if-none-match": '"other"' })).status).toBe(200);
    }
    await server.patch(`${AGENTS}/${id}`, { name: "Bo" });
    const { headers } = await server.get("/api/v1/tools?search=call");
    expect((await user.get("/api/v1/tools?search=call", { "if-none-match": headers.get("etag") ?? "" })).status).toBe(
      304,
    );
  });

  it("a refused caller gets no ETag of a cached read", async () => {
    const { server, user } = await withAgent();
    const { headers } = await server.get(AGENTS);
    const refused = await user.get(AGENTS, { "if-none-match": headers.get("etag") ?? "", "x-account-id": "another" });
    expect([refused.status, refused.headers.get("etag")]).toEqual([403, null]);
  });
});

describe("an isolate's cache of reads", () => {
  const answer = (bytes: number) => ({ body: new Uint8Array(bytes), etag: '"x"' });

  it("an isolate's cache of reads is limited in bytes and evicts the least recently used first", () => {
    const kept = new KeptReads(13_000);
    for (let i = 0; i < 4; i++) kept.put("acme", "v", `/${i}`, answer(2_000), 0);
    expect(kept.get("acme", "v", "/0", 0)).toBeDefined();
    kept.put("acme", "v", "/4", answer(2_000), 0);
    expect([0, 1, 2, 3, 4].filter((i) => kept.get("acme", "v", `/${i}`, 0))).toEqual([0, 2, 3, 4]);
  });

  it("keeps one response per request and version for a minute, and none that is too large", () => {
    const kept = new KeptReads();
    kept.put("acme", "1", "/a", answer(10), 0);
    expect(kept.get("acme", "2", "/a", 0)).toBeUndefined();
    kept.put("acme", "2", "/a", answer(10), 0);
    expect([kept.get("acme", "1", "/a", 0), kept.get("other", "2", "/a", 0)]).toEqual([undefined, undefined]);
    expect(kept.get("acme", "2", "/a", 0)).toBeDefined();
    expect([59_999, 60_000].map((now) => kept.get("acme", "2", "/a", now) !== undefined)).toEqual([true, false]);
    kept.put("acme", "2", "/large", answer(2 * 1024 * 1024), 0);
    expect(kept.get("acme", "2", "/large", 0)).toBeUndefined();
  });

  it("keeps no response to a request with an overlong address, which would be kept with it", () => {
    const kept = new KeptReads();
    const requestOf = (chars: number) => `/api/v1/tools?search=${"x".repeat(chars)}`.slice(0, chars);
    for (const chars of [512, 513]) kept.put("acme", "1", requestOf(chars), answer(10), 0);
    expect([512, 513].map((chars) => kept.get("acme", "1", requestOf(chars), 0) !== undefined)).toEqual([true, false]);
  });
});
