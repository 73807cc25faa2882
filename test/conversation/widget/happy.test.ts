import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { noteUse } from "../../../src/conversation/widget/key-use.ts";
import { widgetKeys } from "../../../src/kernel/db/schema/index.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { call, tenant } from "../../support/client.ts";
import { type CreatedKey, claimsOf, introspect, page, SHOP, visitorToken, widgetTenant } from "../../support/widget.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe("widget keys", () => {
  it("a new widget key is shown once, then listed with enough to tell keys apart", async () => {
    const { user, server, account } = await tenant();
    const created = await user.post<CreatedKey>("/api/v1/widget-keys", {
      name: "shop",
      domain_allowlist: ["HTTPS://Shop.Example:443", "https://shop.example", "https://*.shop.example"],
    });
    expect(created.status).toBe(201);
    expect(created.body.key).toMatch(new RegExp(`^pk_live_${account}_[0-9A-Za-z]{38}$`));
    expect(created.body).toMatchObject({
      name: "shop",
      agent_id: null,
      expires_at: null,
      last8: created.body.key.slice(-8),
      domain_allowlist: ["https://shop.example", "https://*.shop.example"],
    });
    const listed = await server.get<unknown[]>("/api/v1/widget-keys");
    const { key, ...metadata } = created.body;
    const limits = { turns_per_conversation: 60, conversations_per_visitor_day: 20, tokens_per_day: 5_000_000 };
    expect(listed.body).toEqual([{ ...metadata, limits, last_used_at: null, disabled_at: null }]);
    expect(JSON.stringify(listed.body)).not.toContain(key);
  });

  it("a changed widget key keeps the time it was first disabled", async () => {
    const { server, agentId, widgetKey } = await widgetTenant();
    const path = `/api/v1/widget-keys/${widgetKey.id}`;
    const change = { name: "new", agent_id: "", domain_allowlist: ["http://localhost:3000"], disabled: true };
    expect((await server.patch(path, change)).status).toBe(204);
    const [first] = (await server.get<Record<string, unknown>[]>("/api/v1/widget-keys")).body;
    expect(first).toMatchObject({ name: "new", agent_id: null, domain_allowlist: ["http://localhost:3000"] });
    expect((await server.patch(path, { disabled: true, agent_id: agentId })).status).toBe(204);
    const [second] = (await server.get<Record<string, unknown>[]>("/api/v1/widget-keys")).body;
    expect(second).toMatchObject({ disabled_at: first?.disabled_at, agent_id: agentId });
    expect((await server.patch(path, { disabled: false })).status).toBe(204);
    expect((await server.get("/api/v1/widget-keys")).body).toMatchObject([{ disabled_at: null }]);
    expect((await server.patch(path, {})).status).toBe(204);
  });

  it("deleting a widget key removes an unused one and disables a used one", async () => {
    const { server, widgetKey } = await widgetTenant();
    const unused = await server.post<CreatedKey>("/api/v1/widget-keys", { name: "unused" });
    expect((await page().guest(widgetKey.key)).status).toBe(200);
    expect((await server.delete(`/api/v1/widget-keys/${unused.body.id}`)).status).toBe(204);
    expect((await server.delete(`/api/v1/widget-keys/${widgetKey.id}`)).status).toBe(204);
    const listed = await server.get<{ id: string; disabled_at: string; last_used_at: string }[]>("/api/v1/widget-keys");
    expect(listed.body).toMatchObject([{ id: widgetKey.id }]);
    expect(listed.body[0]?.disabled_at).not.toBeNull();
    expect(listed.body[0]?.last_used_at).not.toBeNull();
  });

  it("a widget key disabled or deleted since it was read admits no visitor", async () => {
    const { server, account, agentId } = await widgetTenant();
    const store = accountStore(env, account, { actor: "test", request_id: "" });
    for (const end of ["disable", "delete"]) {
      const body = { name: end, agent_id: agentId, domain_allowlist: [SHOP] };
      const { id } = (await server.post<CreatedKey>("/api/v1/widget-keys", body)).body;
      const isKey = eq(widgetKeys.id, id);
      const [key] = await store.read(store.first(widgetKeys, { where: isKey }));
      if (!key) return expect.fail("no key");
      const path = `/api/v1/widget-keys/${id}`;
      await (end === "disable" ? server.patch(path, { disabled: true }) : server.delete(path));
      expect(await noteUse(store, key, Date.now()), end).toBe(false);
      const [after] = await store.read(store.first(widgetKeys, { where: isKey }));
      expect(after?.last_used_at ?? null, end).toBeNull();
    }
  });

  it("a widget key that is used while it is deleted is kept, or admits no visitor", async () => {
    const { server, agentId } = await widgetTenant();
    for (let round = 0; round < 5; round++) {
      const body = { name: `race ${round}`, agent_id: agentId, domain_allowlist: [SHOP] };
      const { id, key } = (await server.post<CreatedKey>("/api/v1/widget-keys", body)).body;
      const [guest] = await Promise.all([page().guest(key), server.delete(`/api/v1/widget-keys/${id}`)]);
      const kept = (await server.get<{ id: string }[]>("/api/v1/widget-keys")).body.some((row) => row.id === id);
      expect(guest.status).toBe(kept ? 200 : 403);
    }
  });

  it("deleting an agent unpins its widget keys", async () => {
    const { server, agentId, widgetKey } = await widgetTenant();
    expect((await server.delete(`/api/v1/agents/${agentId}`)).status).toBe(204);
    expect((await server.get("/api/v1/widget-keys")).body).toMatchObject([{ id: widgetKey.id, agent_id: null }]);
  });
});

describe("widget settings", () => {
  it("widget settings have defaults and keep fields that are not sent", async () => {
    const { server } = await tenant();
    const before = await server.get<Record<string, string>>("/api/v1/widget-settings");
    expect(before.body).toMatchObject({ launcher_position: "bottom-right", logo_url: "", privacy_notice: "" });
    expect((await server.patch("/api/v1/widget-settings", { primary_color: "#ABC" })).status).toBe(204);
    const change = { launcher_position: "top", logo_url: "https://shop.example/logo.svg" };
    expect((await server.patch("/api/v1/widget-settings", change)).status).toBe(204);
    expect((await server.get("/api/v1/widget-settings")).body).toEqual({
      ...before.body,
      ...change,
      primary_color: "#ABC",
    });
  });

  it("an agent's widget policy is `both` by default and changes field by field", async () => {
    const { server, agentId } = await widgetTenant();
    const path = `/api/v1/agents/${agentId}/widget-settings`;
    const open = { agent_id: agentId, who: "anyone", auth_mode: "both", widget_enabled: true };
    expect((await server.get(path)).body).toEqual(open);
    const changed = { agent_id: agentId, who: "signed_in", auth_mode: "authenticated", widget_enabled: true };
    const answer = await server.patch(path, { agent_id: agentId, auth_mode: "authenticated" });
    expect([answer.status, answer.body]).toEqual([200, changed]);
    expect((await server.patch(path, { widget_enabled: false })).body).toEqual({ ...changed, widget_enabled: false });
    expect((await server.get(path)).body).toEqual({ ...changed, widget_enabled: false });
  });
});

describe("visitors", () => {
  it("a guest is admitted from an allowed page with CORS headers and without caching", async () => {
    const owner = await widgetTenant();
    const answer = await page().guest(owner.widgetKey.key);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe(SHOP);
    expect(answer.headers.get("vary")).toBe("Origin");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { access_token, refresh_token, visitor, ...rest } = answer.body;
    expect([access_token, refresh_token]).toEqual([expect.any(String), expect.any(String)]);
    expect(rest).toMatchObject({ token_type: "Bearer", expires_in: 900, agent_id: owner.agentId });
    expect(visitor).toEqual({ id: expect.stringMatching(UUID), type: "guest" });
  });

  it("a guest's token lasts 15 minutes and contains their id and origin", async () => {
    const owner = await widgetTenant();
    const { access_token, visitor } = (await page().guest(owner.widgetKey.key)).body;
    const claims = claimsOf(access_token);
    expect(claims).toEqual({
      iss: "switchboard",
      aud: "visitor",
      sub: visitor.id,
      account: owner.account,
      agent_id: owner.agentId,
      visitor_type: "guest",
      key_id: owner.widgetKey.id,
      iat: expect.any(Number),
      iat_ms: expect.any(Number),
      exp: expect.any(Number),
      fam: expect.stringMatching(UUID),
      auth_time: claims.iat,
      origin: SHOP,
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
  });

  it("a media runtime learns of a guest and how long the session lasts", async () => {
    const owner = await widgetTenant();
    const { access_token, visitor } = (await page().guest(owner.widgetKey.key)).body;
    const { exp } = claimsOf(access_token);
    expect(await introspect(owner, access_token)).toEqual({
      active: true,
      sub: visitor.id,
      visitor_type: "guest",
      agent_id: owner.agentId,
      expires_at: new Date(Number(exp) * 1000).toISOString(),
    });
  });

  it("a user identified by the backend's token keeps the identity across refreshes", async () => {
    const owner = await widgetTenant();
    await owner.server.patch(`/api/v1/agents/${owner.agentId}`, { auth_mode: "authenticated" });
    const first = await page().exchange(await visitorToken(owner, "user-7"));
    expect(first.body.visitor).toEqual({ id: "user-7", type: "user" });
    const second = await page().refresh(first.body.refresh_token);
    const third = await page(null).refresh(second.body.refresh_token);
    expect([second.status, third.status]).toEqual([200, 200]);
    expect(third.body.visitor).toEqual(first.body.visitor);
    const identity = ({ iat, iat_ms, exp, ...claims }: Record<string, unknown>) => claims;
    expect(identity(claimsOf(third.body.access_token))).toEqual(identity(claimsOf(first.body.access_token)));
    expect(await introspect(owner, third.body.access_token)).toMatchObject({ active: true, sub: "user-7" });
  });

  it("spent tokens are pruned once they have expired", async () => {
    const owner = await widgetTenant();
    const insert = env.DB.prepare("INSERT INTO spent_tokens (account, id, expires_at) VALUES (?, ?, ?)");
    const past = new Date(Date.now() - 1000).toISOString();
    const rows = Array.from({ length: 3 }, (_, i) => insert.bind(owner.account, `old-${i}`, past));
    await env.DB.batch(rows);
    expect((await page().exchange(await visitorToken(owner))).status).toBe(200);
    const left = env.DB.prepare("SELECT id FROM spent_tokens WHERE account = ?").bind(owner.account);
    const { results } = await left.all<{ id: string }>();
    expect(results.map(({ id }) => id)).toEqual([expect.stringMatching(UUID)]);
  });

  it("a preflight of any origin is answered without allowing an Authorization header", async () => {
    const headers = { origin: "https://anywhere.example", "access-control-request-method": "POST" };
    for (const path of ["auth/guest", "auth/exchange", "auth/refresh", "config"]) {
      const answer = await call("OPTIONS", `/v1/widget/${path}`, { headers });
      expect(answer.status).toBe(204);
      expect(answer.headers.get("access-control-allow-origin")).toBe("https://anywhere.example");
      expect(answer.headers.get("access-control-allow-headers")).toBe("content-type");
      expect(answer.headers.get("vary")).toBe("Origin");
    }
  });

  it("an allowed page gets the widget's description", async () => {
    const owner = await widgetTenant([SHOP, "https://*.shop.example"]);
    await owner.server.patch("/api/v1/widget-settings", { launcher_label: "Ask Ada" });
    const answer = await page("https://pay.shop.example").config(owner.widgetKey.key);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=60");
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://pay.shop.example");
    expect(answer.body).toEqual({
      agent: { id: owner.agentId, name: "Ada", greeting_message: "Hello there.", language: "en-US" },
      settings: (await owner.server.get("/api/v1/widget-settings")).body,
      auth_mode: "both",
      enabled: true,
      guests: true,
      runtime_url: "wss://switchboard.test/runtime",
    });
  });

  it("the greeting is rendered for a visitor without variables", async () => {
    const owner = await widgetTenant();
    const greeting_message =
      "{{agent_name}} of {{account_name}}, hello {{first_name|there}}{{last_name}}. {{weekday}}{";
    await owner.server.patch(`/api/v1/agents/${owner.agentId}`, { greeting_message });
    const shown = (await page().config(owner.widgetKey.key)).body.agent?.greeting_message;
    expect(shown).toMatch(new RegExp(`^Ada of ${owner.account}, hello there\\. [A-Z][a-z]+day\\{$`));
  });

  it("a changed widget setting shows at once in the isolate that changed it", async () => {
    const owner = await widgetTenant();
    await page().config(owner.widgetKey.key);
    await owner.server.patch("/api/v1/widget-settings", { launcher_label: "Ask Ada" });
    expect((await page().config(owner.widgetKey.key)).body.settings.launcher_label).toBe("Ask Ada");
    await owner.server.patch(`/api/v1/agents/${owner.agentId}/widget-settings`, { widget_enabled: false });
    const disabled = await page().config(owner.widgetKey.key);
    expect([disabled.status, disabled.body.enabled]).toEqual([200, false]);
    await owner.server.patch(`/api/v1/widget-keys/${owner.widgetKey.id}`, { agent_id: null });
    expect((await page().config(owner.widgetKey.key)).body).toMatchObject({
      agent: null,
      enabled: true,
      guests: false,
    });
  });
});
