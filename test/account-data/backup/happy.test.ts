import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { secondFactorContext } from "../../../src/kernel/db/seal-contexts.ts";
import { Vault } from "../../../src/kernel/secrets/vault.ts";
import { readyText, search, settled } from "../../agent/knowledge/support.ts";
import { type Campaign, contactsCsv, ready, started, until, upload } from "../../campaign/support.ts";
import { analyzedCall, analyzedOnce, tell } from "../../conversation/analysis/support.ts";
import { GOODBYE, ran, tested, withTest } from "../../conversation/test-runs/support.ts";
import { consoleUser, operator, type Tenant, tenant } from "../../support/client.ts";
import { adminPath, give, restored, take } from "./support.ts";

const fresh = () => `r-${crypto.randomUUID().slice(0, 12)}`;

/** Creates an account with rows of every kind, and a campaign that has completed. */
async function furnished(): Promise<Tenant & { campaign: string }> {
  const who = await tenant();
  const { server, user } = who;
  const line = await ready(who);
  const { id } = (await upload(server, contactsCsv(5), { ...line, name: "Autumn" })).body;
  await server.post(`/api/v1/campaigns/${id}/start`);
  await until(
    async () => (await server.get<Campaign>(`/api/v1/campaigns/${id}`)).body,
    ({ status }) => status === "completed",
  );
  const credentials = { account_sid: "AC1", auth_token: "a-token" };
  await server.post("/api/v1/telephony/providers", { provider: "twilio", credentials });
  await user.post("/api/v1/webhooks", { url: "https://example.com/hook", types: ["call.*"] });
  await server.post("/api/v1/do-not-call", { phone_number: "+13032009999", reason: "asked" });
  return Object.assign(who, { campaign: id });
}

describe("a backup", () => {
  it("a backup is restored as another account with the same rows and campaign, granting no access", async () => {
    const { account, server, campaign } = await furnished();
    await until(
      async () => (await server.get<{ total: number }>("/api/v1/calls")).body,
      ({ total }) => total === 5,
    );
    const taken = await take(account);
    const as = fresh();
    expect(new Set(await restored(taken, as))).toEqual(new Set([200, 204]));
    const there = await consoleUser(as);
    const [before, after] = [server, there];
    for (const path of ["/api/v1/agents", "/api/v1/do-not-call", "/api/v1/faqs", "/api/v1/telephony/numbers"])
      expect((await after.get(path)).body, path).toEqual((await before.get(path)).body);
    const path = `/api/v1/campaigns/${campaign}`;
    expect((await after.get<Campaign>(path)).body).toMatchObject({ status: "completed", total_contacts: 5 });
    expect((await after.get(`${path}/contacts`)).body).toEqual((await before.get(`${path}/contacts`)).body);
    expect((await after.get(`${path}/history`)).body).toEqual((await before.get(`${path}/history`)).body);
    const calls = await after.get<{ total: number; calls: unknown[] }>("/api/v1/calls");
    expect(calls.body).toEqual((await before.get("/api/v1/calls")).body);
    const events = await after.get<{ events: { id: string }[] }>("/api/v1/events");
    expect(events.body.events.length).toBeGreaterThan(0);
    const keys = env.DB.prepare("SELECT count(*) AS n, count(disabled_at) AS disabled FROM api_keys WHERE account = ?");
    expect(await keys.bind(as).first()).toEqual({ n: 1, disabled: 1 });
    const hooks = await after.get<{ webhooks: { enabled: boolean; status: string }[] }>("/api/v1/webhooks");
    expect(hooks.body.webhooks).toMatchObject([{ status: "disabled" }]);
  });

  it("restores analyses of conversations, which can be found again", async () => {
    const who = await analyzedCall();
    await tell(who);
    const { id, analysis } = await analyzedOnce(who);
    expect(analysis.status).toBe("done");
    const as = fresh();
    expect(new Set(await restored(await take(who.account), as))).toEqual(new Set([200, 204]));
    const there = await consoleUser(as);
    expect((await there.get<{ analysis: object }>(`/api/v1/conversations/${id}`)).body.analysis).toEqual(analysis);
    const { body } = await there.get<{ conversations: { id: string }[] }>("/api/v1/conversations?data.part=evening");
    expect(body.conversations.map((found) => found.id)).toEqual([id]);
  });

  it("restores documents with their index and their originals", async () => {
    const who = await tenant();
    const { id } = await readyText(who.server, "Towing", "Who parks in the fire lane is towed to the depot.");
    const as = fresh();
    expect(new Set(await restored(await take(who.account), as))).toEqual(new Set([200, 204]));
    const there = await consoleUser(as);
    expect(await search(there, "depot")).toMatchObject([{ document_id: id, title: "Towing" }]);
    const path = `/api/v1/knowledge/${id}`;
    for (const part of ["", "/content", "/original"])
      expect((await there.get(path + part)).body).toEqual((await who.server.get(path + part)).body);
    expect((await there.post(`${path}/refresh`, {})).status).toBe(202);
    expect(await settled(there, id)).toMatchObject({ status: "ready", chunks: 1 });
    await there.delete(path);
    expect(await search(there, "depot")).toEqual([]);
    expect(await search(who.server, "depot")).toHaveLength(1);
  });

  it("restored documents stay if their daily cleanup runs before the rows that list them are restored", async () => {
    const who = await tenant();
    const { id } = await readyText(who.server, "Towing", "Who parks in the fire lane is towed to the depot.");
    const taken = await take(who.account);
    const [as, backup] = [fresh(), crypto.randomUUID()];
    const pages = taken.pages.slice(0, taken.pages.findLastIndex(({ store }) => store === "knowledge") + 1);
    expect(pages.map(({ store }) => store)).not.toContain("d1");
    await give(await operator(), { ...taken, pages, files: [] }, as, backup);
    const stub = env.KNOWLEDGE_BASE.getByName(as);
    await vi.waitFor(async () => {
      const tidiedAt = await runInDurableObject(stub, (_, { storage }) => storage.kv.get("tidied at"));
      expect(tidiedAt).toBeDefined();
    });
    expect(new Set(await restored(taken, as, backup))).toEqual(new Set([200, 204]));
    expect(await search(await consoleUser(as), "depot")).toMatchObject([{ document_id: id }]);
  });

  it("restores versions with their content, and tests with their results", async () => {
    const who = await tested({ versioning: "manual" });
    const { server, path } = who;
    await server.post("/api/v1/faqs", { name: "hours", content: "9 to 5" });
    await server.post(`${path}/faqs`, { faq_id: "hours" });
    const test = await withTest(who, { ...GOODBYE, required: true });
    const run = await ran(who);
    expect((await server.post(`${path}/publish`, { note: "one" })).status).toBe(200);
    await server.put("/api/v1/faqs/hours", { content: "10 to 6" });
    await server.patch(path, { greeting_message: "Good evening!" });
    expect((await server.post(`${path}/publish`, { note: "two", force: true })).status).toBe(200);
    // Restoring version 1 makes this agent, and no other, use the FAQ's earlier text.
    expect((await server.post(`${path}/versions/1/restore`)).status).toBe(200);
    const pinned = await upload(server, contactsCsv(1), { agent_id: who.agent_id, agent_version: "1" });
    expect(pinned.status).toBe(201);

    const as = fresh();
    expect(new Set(await restored(await take(who.account), as))).toEqual(new Set([200, 204]));
    const there = await consoleUser(as);
    for (const read of [
      path,
      `${path}/versions`,
      `${path}/versions/1`,
      `${path}/versions/2`,
      `${path}/versions/1/diff/2`,
      `${path}/versions/1/diff/draft`,
      `${path}/tests`,
      `${path}/tests/${test}`,
      `${path}/test-runs`,
      `/api/v1/test-runs/${run.id}`,
    ]) {
      const [before, after] = [await who.user.get(read), await there.get(read)];
      expect([read, after.status, after.body]).toEqual([read, 200, before.body]);
    }
    const { body } = await there.get<{ campaigns: object[] }>("/api/v1/campaigns");
    expect(body.campaigns).toMatchObject([{ agent_id: who.agent_id, agent_version: 1 }]);
    // The test run still counts for its version, and the version numbers continue.
    expect((await there.post(`${path}/publish`)).body).toMatchObject({ number: 1, live: true });
    await there.patch(path, { greeting_message: "Hello again!" });
    expect((await there.post(`${path}/publish`)).code).toBe("tests_not_run");
    expect((await there.post(`${path}/publish`, { force: true })).body).toMatchObject({ number: 3 });
  });

  it("pauses a running campaign, and restores it as of one moment", async () => {
    const who = await tenant({ caps: { concurrent_calls: 2 } });
    const path = await started(Object.assign(who, await ready(who)), contactsCsv(40));
    const taken = await take(who.account);
    const as = fresh();
    expect(new Set(await restored(taken, as))).toEqual(new Set([200, 204]));
    const there = await consoleUser(as);
    const record = (await there.get<Campaign & { counts: Record<string, number> }>(path)).body;
    expect(["paused", "completed"]).toContain(record.status);
    const sum = Object.values(record.counts).reduce((a, b) => a + b, 0);
    expect(sum).toBe(40);
  });

  it("restores present members, with their credentials and at most their former role", async () => {
    const { account } = await tenant();
    const add = (id: string, role: string) =>
      env.DB.prepare(
        "INSERT INTO users (account, id, email, name, password_hash, source, role, created_at) VALUES (?, ?, ?, '', 'of-a-member', 'password', ?, '2026-11-01T00:00:00.000Z')",
      ).bind(account, id, `${id}@example.com`, role);
    await env.DB.batch([
      add("stays", "builder"),
      add("rises", "viewer"),
      add("falls", "admin"),
      add("leaves", "owner"),
    ]);
    const sealed = await new Vault(env.ENCRYPTION_KEYS).seal("JBSWY3DP", secondFactorContext(account, "stays"));
    await env.DB.prepare(
      "INSERT INTO second_factors (account, id, secret, created_at) VALUES (?, 'stays', ?, '2026-11-01T00:00:00.000Z')",
    )
      .bind(account, sealed)
      .run();
    const taken = await take(account);
    expect(JSON.stringify(taken)).not.toContain("of-a-member");
    await env.DB.batch([
      env.DB.prepare("UPDATE users SET role = 'owner' WHERE account = ? AND id = 'rises'").bind(account),
      env.DB.prepare("UPDATE users SET role = 'viewer' WHERE account = ? AND id = 'falls'").bind(account),
      env.DB.prepare("DELETE FROM users WHERE account = ? AND id = 'leaves'").bind(account),
      add("comes", "owner"),
    ]);
    const as = fresh();
    expect(new Set(await restored(taken, as))).toEqual(new Set([200, 204]));
    const people = (of: string) =>
      env.DB.prepare("SELECT id, role FROM users WHERE account = ? AND password_hash = 'of-a-member' ORDER BY id")
        .bind(of)
        .all();
    expect((await people(as)).results).toEqual([
      { id: "falls", role: "viewer" },
      { id: "rises", role: "viewer" },
      { id: "stays", role: "builder" },
    ]);
    const factor = await env.DB.prepare("SELECT secret FROM second_factors WHERE account = ? AND id = 'stays'")
      .bind(as)
      .first<{ secret: string }>();
    const opened = await new Vault(env.ENCRYPTION_KEYS).open(factor?.secret ?? "", secondFactorContext(as, "stays"));
    expect(opened).toBe("JBSWY3DP");
    // Members of an account with the same name in another deployment are not restored.
    const foreign = Object.assign({}, taken, {
      head: Object.assign({}, taken.head, { created_at: "2020-01-01T00:00:00.000Z" }),
      pages: taken.pages.filter(({ store }) => !store.startsWith("ledger/")),
    });
    const other = fresh();
    expect(new Set(await restored(foreign, other))).toEqual(new Set([200, 204]));
    expect((await people(other)).results).toEqual([]);
  });

  it("can be restored again from the middle, and changes nothing once the restore is finished", async () => {
    const { account } = await furnished();
    const taken = await take(account);
    const [as, backup, who] = [fresh(), crypto.randomUUID(), await operator()];
    await give(who, Object.assign({}, taken, { pages: taken.pages.slice(0, 20) }), as, backup);
    const opened = await who.patch(adminPath(as), { disabled: false });
    expect(opened.status).toBe(409);
    expect(new Set(await restored(taken, as, backup))).toEqual(new Set([200, 204]));
    const count = () => env.DB.prepare("SELECT count(*) AS n FROM tools WHERE account = ?").bind(as).first("n");
    const n = await count();
    expect(new Set(await restored(taken, as, backup))).toEqual(new Set([200, 204]));
    expect(await count()).toBe(n);
  });
});
