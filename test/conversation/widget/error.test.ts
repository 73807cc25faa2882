import { describe, expect, it } from "vitest";
import { call, tenant } from "../../support/client.ts";
import { page, SHOP, visitorToken, widgetTenant } from "../../support/widget.ts";

const outcome = ({ status, code }: { status: number; code: string | null }) => [status, code];

describe("invalid requests about widget keys", () => {
  it("a widget key's id answers 400 if it is no uuid or 404 if it is unknown", async () => {
    const { server } = await tenant();
    const unknown = crypto.randomUUID();
    expect((await server.patch("/api/v1/widget-keys/x", { name: "n" })).status).toBe(400);
    expect((await server.delete("/api/v1/widget-keys/x")).status).toBe(400);
    expect((await server.patch(`/api/v1/widget-keys/${unknown}`, { name: "n" })).status).toBe(404);
    expect((await server.patch(`/api/v1/widget-keys/${unknown}`, {})).status).toBe(404);
    expect((await server.delete(`/api/v1/widget-keys/${unknown}`)).status).toBe(404);
  });

  it.each([
    [{}, /name is required/],
    [{ name: "" }, /name/],
    [{ name: "n", agent_id: "00000000-0000-4000-8000-000000000000" }, /no such agent/],
    [{ name: "n", agent_id: "ada" }, /agent_id/],
    [{ name: "n", domain_allowlist: "https://shop.example" }, /domain_allowlist/],
    [{ name: "n", domain_allowlist: ["shop.example"] }, /use https:\/\/shop\.example$/],
    [{ name: "n", domain_allowlist: ["https://shop.example/cart"] }, /use https:\/\/shop\.example$/],
    [{ name: "n", domain_allowlist: ["https://*.com"] }, /too broad/],
    [{ name: "n", domain_allowlist: ["https://*.co.uk"] }, /too broad/],
    [{ name: "n", domain_allowlist: ["https://*.vercel.app"] }, /too broad/],
  ])("creating a widget key refuses %j", async (body, message) => {
    const { server } = await tenant();
    const answer = await server.post<string>("/api/v1/widget-keys", body);
    expect([answer.status, answer.body]).toEqual([400, expect.stringMatching(message)]);
  });

  it("an invalid change leaves the widget key unchanged", async () => {
    const { server, widgetKey } = await widgetTenant();
    const path = `/api/v1/widget-keys/${widgetKey.id}`;
    const before = await server.get("/api/v1/widget-keys");
    for (const body of [{ domain_allowlist: ["*"] }, { agent_id: crypto.randomUUID() }, { disabled: "yes" }]) {
      expect((await server.patch(path, body)).status).toBe(400);
    }
    expect((await server.get("/api/v1/widget-keys")).body).toEqual(before.body);
  });
});

describe("invalid widget settings", () => {
  it.each([
    { primary_color: "red" },
    { accent_color: "#12" },
    { primary_color: "#fff;}*{display:none" },
    { launcher_position: "middle" },
    { launcher_label: " " },
    { logo_url: "http://shop.example/logo.svg" },
    { logo_url: "javascript:alert(1)" },
    { privacy_notice: 7 },
  ])("widget settings refuse %j", async (body) => {
    const { server } = await tenant();
    expect((await server.patch("/api/v1/widget-settings", body)).status).toBe(400);
  });

  it("the policy of an unknown agent answers 404", async () => {
    const { server, agentId } = await widgetTenant();
    for (const id of ["x", crypto.randomUUID()]) {
      expect((await server.get(`/api/v1/agents/${id}/widget-settings`)).status).toBe(404);
      expect((await server.patch(`/api/v1/agents/${id}/widget-settings`, {})).status).toBe(404);
    }
    const path = `/api/v1/agents/${agentId}/widget-settings`;
    for (const body of [{ auth_mode: "anyone" }, { widget_enabled: 1 }, { agent_id: crypto.randomUUID() }]) {
      expect((await server.patch(path, body)).status).toBe(400);
    }
  });
});

describe("invalid requests of visitors", () => {
  it("a visitor's request reports missing fields", async () => {
    const { server } = await tenant();
    for (const path of ["auth/guest", "auth/exchange", "auth/refresh"]) {
      const empty = await page().post<string>(path, {});
      expect([empty.status, empty.body]).toEqual([400, expect.stringMatching(/ is required$/)]);
      expect((await call("POST", `/api/v1/widget/${path}`, { raw: "{", headers: { origin: SHOP } })).status).toBe(400);
    }
    expect((await page().guest("")).status).toBe(400);
    expect((await call("GET", "/api/v1/widget/config", { headers: { origin: SHOP } })).status).toBe(400);
    const body = await server.post<string>("/api/v1/widget/auth/user-token", { client_key: "x" });
    expect([body.status, body.body]).toEqual([400, "user_id is required"]);
    const blank = await server.post<string>("/api/v1/widget/auth/user-token", { client_key: "x", user_id: " " });
    expect([blank.status, blank.body]).toEqual([400, "user_id is required"]);
    expect((await server.post("/api/v1/widget/auth/user-token", { user_id: "x" })).status).toBe(400);
    expect((await server.post("/api/v1/widget/auth/introspect", {})).status).toBe(400);
  });

  it("a visitor gets no token for a key that is unknown, disabled or another account's", async () => {
    const [mine, theirs] = [await widgetTenant(), await widgetTenant()];
    const ask = (client_key: string) =>
      mine.server.post("/api/v1/widget/auth/user-token", { client_key, user_id: "user-7" });
    expect((await ask("pk_live_nonsense")).status).toBe(400);
    expect((await ask(theirs.widgetKey.key)).status).toBe(400);
    await mine.server.patch(`/api/v1/widget-keys/${mine.widgetKey.id}`, { disabled: true });
    expect((await ask(mine.widgetKey.key)).status).toBe(400);
  });

  it("a key without an agent returns the configuration but no session", async () => {
    const created = await widgetTenant();
    const token = await visitorToken(created);
    await created.server.patch(`/api/v1/widget-keys/${created.widgetKey.id}`, { agent_id: null });
    expect(outcome(await page().guest(created.widgetKey.key))).toEqual([400, "no_agent"]);
    expect(outcome(await page().exchange(token))).toEqual([400, "no_agent"]);
    const config = await page().config(created.widgetKey.key);
    expect([config.status, config.body.agent]).toEqual([200, null]);
  });

  it("a session whose agent was deleted is not renewed", async () => {
    const created = await widgetTenant();
    const session = await page().guest(created.widgetKey.key);
    await created.server.delete(`/api/v1/agents/${created.agentId}`);
    expect(outcome(await page().refresh(session.body.refresh_token))).toEqual([400, "no_agent"]);
  });

  it("a visitor endpoint answers 405 to a wrong method, and a plain OPTIONS with the allowed methods", async () => {
    expect((await call("GET", "/api/v1/widget/auth/guest")).status).toBe(405);
    const options = await call("OPTIONS", "/api/v1/widget/config");
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  });
});
