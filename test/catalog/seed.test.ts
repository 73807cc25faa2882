import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { CATALOG } from "../../src/catalog/index.ts";
import { seedAccount } from "../../src/catalog/seed.ts";
import worker from "../../src/index.ts";
import { tenant } from "../support/client.ts";

describe("seeding", () => {
  it("changes nothing when done twice, and keeps what the account changed", async () => {
    const { server, account } = await tenant();
    const [first, second] = CATALOG.tools;
    await server.put(`/api/v1/tools/${first?.name}`, { description: "ours" });
    await env.DB.prepare("UPDATE tools SET description = 'stale' WHERE account = ? AND name = ?")
      .bind(account, second?.name)
      .run();
    await env.DB.prepare("DELETE FROM playbooks WHERE account = ? AND name = ?")
      .bind(account, CATALOG.playbooks[0]?.name)
      .run();
    await seedAccount(env.DB, account, Date.now());
    const get = async (name?: string) =>
      (await server.get<{ description: string }>(`/api/v1/tools/${name}`)).body.description;
    expect(await get(first?.name)).toBe("ours");
    expect(await get(second?.name)).toBe(second?.description);
    expect((await server.get<{ total: number }>("/api/v1/playbooks")).body.total).toBe(CATALOG.playbooks.length);
    expect((await server.get<{ total: number }>("/api/v1/tools")).body.total).toBe(CATALOG.tools.length);
  });

  it("leaves a tool of the account's own alone that is called like a default", async () => {
    const { server, account } = await tenant();
    const name = CATALOG.tools[0]?.name ?? "";
    await env.DB.prepare("UPDATE tools SET is_default = 0, description = 'own' WHERE account = ? AND name = ?")
      .bind(account, name)
      .run();
    await seedAccount(env.DB, account, Date.now());
    expect((await server.get(`/api/v1/tools/${name}`)).body).toMatchObject({ is_default: false, description: "own" });
  });

  it("reaches outdated accounts by the scheduled run", async () => {
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
});
