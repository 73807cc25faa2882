import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import { seedAccount } from "../../../src/agent/marketplace/seed-catalog.ts";
import worker from "../../../src/index.ts";
import { tenant } from "../../support/client.ts";

describe("seeding", () => {
  it("finds nothing to change in a new account", async () => {
    const { account } = await tenant();
    const rowsOf = (table: string) => env.DB.prepare(`SELECT * FROM ${table} WHERE account = ?`).bind(account).all();
    const rows = async () => (await Promise.all(["tools", "playbooks", "faqs"].map(rowsOf))).map((one) => one.results);
    const before = await rows();
    expect(before.map(({ length }) => length)).toEqual([
      CATALOG.tools.length,
      CATALOG.playbooks.length,
      CATALOG.faqs.length,
    ]);
    await seedAccount(env, account, Date.now());
    expect(await rows()).toEqual(before);
  });

  it("changes nothing the second time, and keeps the account's changes", async () => {
    const { server, account } = await tenant();
    const [first, second] = CATALOG.tools;
    await server.put(`/api/v1/tools/${first?.name}`, { description: "ours" });
    await env.DB.prepare("UPDATE tools SET description = 'stale' WHERE account = ? AND name = ?")
      .bind(account, second?.name)
      .run();
    await env.DB.prepare("DELETE FROM playbooks WHERE account = ? AND name = ?")
      .bind(account, CATALOG.playbooks[0]?.name)
      .run();
    await seedAccount(env, account, Date.now());
    const get = async (name?: string) =>
      (await server.get<{ description: string }>(`/api/v1/tools/${name}`)).body.description;
    expect(await get(first?.name)).toBe("ours");
    expect(await get(second?.name)).toBe(second?.description);
    expect((await server.get<{ total: number }>("/api/v1/playbooks")).body.total).toBe(CATALOG.playbooks.length);
    expect((await server.get<{ total: number }>("/api/v1/tools")).body.total).toBe(CATALOG.tools.length);
  });

  it("does not touch the account's own tool with the name of a default", async () => {
    const { server, account } = await tenant();
    const name = CATALOG.tools[0]?.name ?? "";
    await env.DB.prepare("UPDATE tools SET is_default = 0, description = 'own' WHERE account = ? AND name = ?")
      .bind(account, name)
      .run();
    await seedAccount(env, account, Date.now());
    expect((await server.get(`/api/v1/tools/${name}`)).body).toMatchObject({ is_default: false, description: "own" });
  });

  it("removes defaults that are no longer shipped, also from agents, except those that the account modified", async () => {
    const { server, account } = await tenant();
    const [retired = "", changed = ""] = CATALOG.retired_tools;
    const [first, second] = CATALOG.tools;
    const become = (name: string, was: string | undefined, isChanged: number) =>
      env.DB.prepare("UPDATE tools SET name = ?, modified_from_default = ? WHERE account = ? AND name = ?")
        .bind(name, isChanged, account, was)
        .run();
    await become(retired, first?.name, 0);
    await become(changed, second?.name, 1);
    const agent = (await server.post<{ id: string }>("/api/v1/agents", { name: "Ann" })).body.id;
    for (const tool_name of [retired, changed]) await server.post(`/api/v1/agents/${agent}/tools`, { tool_name });
    await seedAccount(env, account, Date.now());
    expect((await server.get(`/api/v1/tools/${retired}`)).status).toBe(404);
    expect((await server.get(`/api/v1/tools/${changed}`)).status).toBe(200);
    const { body } = await server.get<{ tools: { tool_name: string }[] }>(`/api/v1/agents/${agent}/tools`);
    expect(body.tools.map(({ tool_name }) => tool_name)).toEqual([changed]);
  });

  it("updates outdated accounts in the scheduled run", async () => {
    const { server, account } = await tenant();
    const tool = CATALOG.tools[0];
    await env.DB.prepare("DELETE FROM tools WHERE account = ? AND name = ?").bind(account, tool?.name).run();
    await env.DB.prepare("UPDATE accounts SET catalog_version = 0 WHERE name = ?").bind(account).run();
    await worker.scheduled(createScheduledController(), env);
    expect((await server.get(`/api/v1/tools/${tool?.name}`)).status).toBe(200);
    const row = await env.DB.prepare("SELECT catalog_version v FROM accounts WHERE name = ?")
      .bind(account)
      .first<{ v: number }>();
    expect(row?.v).toBe(CATALOG.version);
  });

  it("skips any number of failing accounts, and retries them in the next run", async () => {
    const { account } = await tenant();
    const bad = Array.from({ length: 45 }, (_, i) => `bad-${i + 100}`);
    await env.DB.prepare(
      `INSERT INTO accounts (name, display_name, plan, catalog_version, created_at, updated_at)
       SELECT value, value, 'starter', 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM json_each(?)`,
    )
      .bind(JSON.stringify(bad))
      .run();
    await env.DB.prepare("UPDATE accounts SET catalog_version = 0 WHERE name = ?").bind(account).run();
    await env.DB.prepare(
      "CREATE TRIGGER broken BEFORE INSERT ON tools WHEN NEW.account LIKE 'bad-%' BEGIN SELECT RAISE(ABORT, 'broken'); END",
    ).run();
    const outdated = async () =>
      (
        await env.DB.prepare(
          "SELECT count(*) n FROM accounts WHERE catalog_version = 0 AND name <> 'service-admin'",
        ).first<{ n: number }>()
      )?.n;
    await worker.scheduled(createScheduledController(), env);
    expect(await outdated()).toBe(bad.length);
    await env.DB.prepare("DROP TRIGGER broken").run();
    await worker.scheduled(createScheduledController(), env);
    expect(await outdated()).toBe(0);
  });
});
