import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { rekey } from "../../../src/account/operators/rekey.ts";
import { app } from "../../../src/app.ts";
import { Vault } from "../../../src/kernel/secrets/vault.ts";
import { BASE, operator, tenant } from "../../support/client.ts";

interface Integration {
  id: string;
  name: string;
  category: string;
  status: string;
  installed_at: string | null;
  ready: boolean;
  missing: string[];
  reason: string | null;
  params: Record<string, unknown>;
  secret_names: string[];
}
interface List {
  integrations: Integration[];
  total: number;
  categories: Record<string, number>;
}

describe("the list of integrations", () => {
  it("shows the catalogue, with nothing installed at first", async () => {
    const { server } = await tenant();
    const all = (await server.get<List>("/api/v1/integrations")).body;
    expect(all.total).toBeGreaterThanOrEqual(24);
    expect(Object.keys(all.categories).length).toBeGreaterThanOrEqual(8);
    expect(all.integrations.every(({ status }) => status === "available")).toBe(true);
  });

  it("can be filtered by installed and by category, with the number of matches", async () => {
    const { server } = await tenant();
    const all = (await server.get<List>("/api/v1/integrations")).body;
    const [one] = all.integrations;
    await server.post(`/api/v1/integrations/${one?.name}/install`);
    const installed = (await server.get<List>("/api/v1/integrations?status=installed")).body;
    expect(installed.integrations.map(({ name }) => name)).toEqual([one?.name]);
    expect(installed.categories).toEqual({ [one?.category ?? ""]: 1 });
    expect((await server.get<List>(`/api/v1/integrations?category=${one?.category}`)).body.total).toBe(
      all.categories[one?.category ?? ""],
    );
  });

  const configured = { params: { channel: "C1" }, secrets: { bot_token: "hunter2-very-secret" } };
  const path = "/api/v1/integrations/slack";

  it("shows params and secrets after an uninstall and reinstall", async () => {
    const { server } = await tenant();
    const kept = { status: "installed", params: { channel: "C1" }, secret_names: ["bot_token"], ready: true };
    expect((await server.post<Integration>(`${path}/install`, configured)).body).toMatchObject(kept);
    const gone = await server.post<Integration>(`${path}/uninstall`);
    expect(gone.body).toMatchObject({ status: "available", installed_at: null, params: { channel: "C1" } });
    expect(gone.body).toMatchObject({ ready: false, missing: [], reason: "the integration slack is not installed" });
    expect((await server.post<Integration>(`${path}/install`, {})).body).toMatchObject(kept);
  });

  it("never shows secrets, which are stored sealed", async () => {
    const { server, account } = await tenant();
    const { id } = (await server.get<Integration>(path)).body;
    const answers = [
      await server.post(`${path}/install`, configured),
      await server.post(`${path}/uninstall`),
      await server.post(`${path}/install`, {}),
      await server.get(path),
      await server.get("/api/v1/audit-log"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(JSON.stringify(answers)).not.toContain("hunter2");
    const stored = await env.DB.prepare("SELECT secrets FROM integration_installs WHERE account = ? AND id = ?")
      .bind(account, id)
      .all<{ secrets: unknown }>();
    expect(stored.results).toEqual([{ secrets: expect.any(String) }]);
    expect(JSON.stringify(stored.results)).not.toContain("hunter2");
  });

  it("includes the two stubs", async () => {
    const { server } = await tenant();
    expect((await server.get("/api/v1/mcp-connections")).body).toEqual([]);
    expect((await server.get("/api/v1/native-tools")).body).toEqual([]);
  });

  it("stays readable when secrets are sealed again under a newer key", async () => {
    const { server, account } = await tenant();
    const { id } = (await server.get<Integration>(path)).body;
    await server.post(`${path}/install`, { secrets: { bot_token: "s3cret" } });
    const fresh = `k2:${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
    const rotated = new Vault(`${fresh},${env.ENCRYPTION_KEYS}`);
    const result = await rekey(env, rotated);
    expect(result).toMatchObject({ failed: 0, left: 0 });
    expect(result.resealed).toBeGreaterThanOrEqual(1);
    const row = await env.DB.prepare("SELECT secrets FROM integration_installs WHERE account = ?")
      .bind(account)
      .first<{ secrets: string }>();
    const context = { account, table: "integrations", id };
    expect(await new Vault(fresh).open(row?.secrets ?? "", context)).toEqual({ bot_token: "s3cret" });
    expect(await rekey(env, rotated)).toEqual({ resealed: 0, failed: 0, left: 0 });
    // Returns to the first key, so that secrets stored by other tests stay readable.
    await rekey(env, new Vault(`${env.ENCRYPTION_KEYS},${fresh}`));
    expect((await (await operator()).post("/api/admin/v1/rekey")).body).toEqual({ resealed: 0, failed: 0, left: 0 });
  });
});

describe("the endpoint of integrations", () => {
  it("refuses unknown ids, filters and bodies", async () => {
    const { server } = await tenant();
    const [one] = (await server.get<List>("/api/v1/integrations")).body.integrations;
    expect((await server.get("/api/v1/integrations/nothing")).status).toBe(404);
    expect((await server.post("/api/v1/integrations/nothing/install")).status).toBe(404);
    expect((await server.post("/api/v1/integrations/nothing/uninstall")).status).toBe(404);
    expect((await server.get("/api/v1/integrations?status=broken")).status).toBe(400);
    expect((await server.post(`/api/v1/integrations/${one?.name}/install`, { secrets: { a: 1 } })).status).toBe(400);
    expect((await server.post(`/api/v1/integrations/${one?.name}/install`, { params: [] })).status).toBe(400);
  });

  it("answers 503 if secrets cannot be sealed, and stores nothing", async () => {
    const { server } = await tenant();
    const request = new Request(`${BASE}/api/v1/integrations/slack/install`, {
      method: "POST",
      headers: { ...server.headers, "content-type": "application/json" },
      body: JSON.stringify({ secrets: { bot_token: "x" } }),
    });
    const answer = await app.fetch(request, { ...env, ENCRYPTION_KEYS: "" }, createExecutionContext());
    expect([answer.status, answer.headers.get("x-error-code")]).toEqual([503, "encryption_unavailable"]);
    expect((await server.get<Integration>("/api/v1/integrations/slack")).body.status).toBe("available");
  });
});
