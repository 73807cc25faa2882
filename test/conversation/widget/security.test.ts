import { describe, expect, it } from "vitest";
import { mintSecret } from "../../../src/kernel/secrets/api-key.ts";
import { call, operator, tenant } from "../../support/client.ts";
import { introspect, page, SHOP, visitorToken, widgetTenant } from "../../support/widget.ts";

const outcome = ({ status, code }: { status: number; code: string | null }) => [status, code];
const EVIL = "https://evil.example";

describe("the security of widget keys", () => {
  it("widget keys of another account cannot be seen or changed", async () => {
    const [mine, theirs] = [await widgetTenant(), await widgetTenant()];
    expect((await mine.server.patch(`/api/v1/widget-keys/${theirs.widgetKey.id}`, { name: "x" })).status).toBe(404);
    expect((await mine.server.delete(`/api/v1/widget-keys/${theirs.widgetKey.id}`)).status).toBe(404);
    const foreign = { name: "x", agent_id: theirs.agentId };
    expect((await mine.server.post("/api/v1/widget-keys", foreign)).status).toBe(400);
    const pin = { agent_id: theirs.agentId };
    expect((await mine.server.patch(`/api/v1/widget-keys/${mine.widgetKey.id}`, pin)).status).toBe(400);
    expect((await mine.server.get(`/api/v1/agents/${theirs.agentId}/widget-settings`)).status).toBe(404);
    expect((await mine.server.patch(`/api/v1/agents/${theirs.agentId}/widget-settings`, {})).status).toBe(404);
    const session = await page().guest(theirs.widgetKey.key);
    expect(await introspect(mine, session.body.access_token)).toEqual({ active: false, reason: "invalid" });
  });

  it("a widget key is no credential", async () => {
    const { widgetKey } = await widgetTenant();
    const headers = { authorization: `Bearer ${widgetKey.key}` };
    expect(outcome(await call("GET", "/api/v1/agents", { headers }))).toEqual([400, "malformed_token"]);
  });

  it("only authenticated users can manage widget keys", async () => {
    for (const [method, path] of [
      ["GET", "/api/v1/widget-keys"],
      ["POST", "/api/v1/widget-keys"],
      ["GET", "/api/v1/widget-settings"],
      ["PATCH", "/api/v1/widget-settings"],
    ] as const) {
      expect((await call(method, path)).status).toBe(401);
    }
  });
});

describe("the admission of visitors", () => {
  it.each([
    [null, "missing"],
    ["null", "opaque"],
    [EVIL, "another site"],
    ["http://shop.example", "another scheme"],
    ["https://shop.example:8443", "another port"],
    ["https://evilshop.example", "a name that ends alike"],
    ["https://shop.example.evil.example", "a name that begins alike"],
    ["https://a.shop.example", "a subdomain"],
    ["https://shop.example/", "not an origin"],
  ])("a visitor from the origin %s is refused (%s)", async (origin, _why) => {
    const { widgetKey } = await widgetTenant();
    for (const answer of [await page(origin).guest(widgetKey.key), await page(origin).config(widgetKey.key)]) {
      expect(outcome(answer)).toEqual([403, "origin_not_allowed"]);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      expect(answer.headers.get("vary")).toBe("Origin");
    }
  });

  it.each(["HTTPS://SHOP.EXAMPLE", "https://shop.example:443"])(
    "a visitor from %s is admitted with its exact origin",
    async (origin) => {
      const { widgetKey } = await widgetTenant();
      for (const answer of [await page(origin).guest(widgetKey.key), await page(origin).config(widgetKey.key)]) {
        expect(answer.status).toBe(200);
        expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
      }
    },
  );

  it("an empty list of origins admits no visitor", async () => {
    const { widgetKey } = await widgetTenant([]);
    expect(outcome(await page().guest(widgetKey.key))).toEqual([403, "origin_not_allowed"]);
    expect(outcome(await page().config(widgetKey.key))).toEqual([403, "origin_not_allowed"]);
  });

  it("a visitor's key is refused if it is malformed, fails its checksum, or does not exist", async () => {
    const { widgetKey, account } = await widgetTenant();
    const unknown = [
      "pk_live_x",
      "x".repeat(200),
      widgetKey.key.replace("pk_live", "sk_live"),
      `${widgetKey.key}0`,
      mintSecret(`pk_live_${account}`),
      mintSecret("pk_live_no-such-account"),
    ];
    for (const key of unknown) {
      const guest = await page().guest(key);
      expect(guest.status).toBe(403);
      expect((await page().config(key)).status).toBe(403);
    }
  });

  it("a disabled widget key is refused at once everywhere", async () => {
    const created = await widgetTenant();
    const session = await page().guest(created.widgetKey.key);
    const token = await visitorToken(created);
    await page().config(created.widgetKey.key);
    await created.server.patch(`/api/v1/widget-keys/${created.widgetKey.id}`, { disabled: true });
    expect(outcome(await page().guest(created.widgetKey.key))).toEqual([403, "client_key_unknown"]);
    expect(outcome(await page().config(created.widgetKey.key))).toEqual([403, "client_key_unknown"]);
    expect(outcome(await page().exchange(token))).toEqual([400, "key_disabled"]);
    expect(outcome(await page().refresh(session.body.refresh_token))).toEqual([400, "key_disabled"]);
    expect(await introspect(created, session.body.access_token)).toEqual({ active: false, reason: "key_disabled" });
  });

  it("visitors are refused while the account is disabled", async () => {
    const created = await widgetTenant();
    const session = await page().guest(created.widgetKey.key);
    const admin = await operator();
    await admin.patch(`/api/admin/v1/accounts/${created.account}`, { disabled: true });
    expect((await page().guest(created.widgetKey.key)).status).toBe(403);
    expect((await page().config(created.widgetKey.key)).status).toBe(403);
    expect((await page().refresh(session.body.refresh_token)).status).toBe(403);
    await admin.patch(`/api/admin/v1/accounts/${created.account}`, { disabled: false });
    expect((await page().guest(created.widgetKey.key)).status).toBe(200);
  });

  it("the widget's policy is enforced when a session begins", async () => {
    const created = await widgetTenant();
    const policy = (body: object) => created.server.patch(`/api/v1/agents/${created.agentId}/widget-settings`, body);
    await policy({ auth_mode: "authenticated" });
    const guest = await page().guest(created.widgetKey.key);
    expect(outcome(guest)).toEqual([403, "guest_not_allowed"]);
    expect(guest.headers.get("access-control-allow-origin")).toBe(SHOP);
    expect((await page().exchange(await visitorToken(created))).status).toBe(200);
    await policy({ auth_mode: "public" });
    expect((await page().guest(created.widgetKey.key)).status).toBe(200);
    expect(outcome(await page().exchange(await visitorToken(created)))).toEqual([403, "user_not_allowed"]);
    await policy({ widget_enabled: false });
    expect(outcome(await page().guest(created.widgetKey.key))).toEqual([403, "widget_disabled"]);
    expect((await page().config(created.widgetKey.key)).body).toMatchObject({ enabled: false });
  });

  it("the agent's and the widget's policies are enforced when a session is used", async () => {
    const created = await widgetTenant();
    const guest = (await page().guest(created.widgetKey.key)).body.access_token;
    const user = (await page().exchange(await visitorToken(created))).body.access_token;
    const agent = (body: object) => created.server.patch(`/api/v1/agents/${created.agentId}`, body);
    const policy = (body: object) => created.server.patch(`/api/v1/agents/${created.agentId}/widget-settings`, body);
    await agent({ auth_mode: "authenticated" });
    expect(await introspect(created, guest)).toEqual({ active: false, reason: "guest_not_allowed" });
    expect(await introspect(created, user)).toMatchObject({ active: true, visitor_type: "user" });
    await agent({ auth_mode: "public" });
    await policy({ auth_mode: "authenticated" });
    expect(await introspect(created, guest)).toEqual({ active: false, reason: "guest_not_allowed" });
    await policy({ auth_mode: "both", widget_enabled: false });
    expect(await introspect(created, guest)).toEqual({ active: false, reason: "widget_disabled" });
    expect(await introspect(created, user)).toEqual({ active: false, reason: "widget_disabled" });
    await created.server.delete(`/api/v1/agents/${created.agentId}`);
    expect(await introspect(created, user)).toEqual({ active: false, reason: "invalid" });
  });
});

describe("single-use tokens of visitors", () => {
  it("two simultaneous exchanges yield exactly one session", async () => {
    const created = await widgetTenant();
    const token = await visitorToken(created);
    const answers = await Promise.all(Array.from({ length: 8 }, () => page().exchange(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    expect(outcome(await page().exchange(token))).toEqual([400, "token_invalid"]);
  });

  it("two simultaneous refreshes yield exactly one session", async () => {
    const { widgetKey } = await widgetTenant();
    const first = await page().guest(widgetKey.key);
    const answers = await Promise.all(Array.from({ length: 8 }, () => page().refresh(first.body.refresh_token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    const renewed = answers.find(({ status }) => status === 200);
    expect(renewed?.body.visitor).toEqual(first.body.visitor);
    expect(outcome(await page().refresh(first.body.refresh_token))).toEqual([400, "token_invalid"]);
  });

  it("a page that is not allowed can neither exchange nor refresh tokens", async () => {
    const created = await widgetTenant();
    const session = await page().guest(created.widgetKey.key);
    for (const origin of [EVIL, "null"]) {
      const exchange = await page(origin).exchange(await visitorToken(created));
      expect(outcome(exchange)).toEqual([403, "origin_not_allowed"]);
      expect(exchange.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect((await page(EVIL).refresh(session.body.refresh_token)).status).toBe(403);
  });

  it("only servers can create user tokens or introspect tokens", async () => {
    const { user, widgetKey } = await widgetTenant();
    const other = await tenant();
    for (const [path, body] of [
      ["user-token", { client_key: widgetKey.key, user_id: "user-7" }],
      ["introspect", { token: "x" }],
    ] as const) {
      const at = `/api/v1/widget/auth/${path}`;
      expect((await call("POST", at, { body })).status).toBe(401);
      expect(outcome(await user.post(at, body))).toEqual([401, "api_key_required"]);
      const garbage = { authorization: `Bearer ${other.key.key.slice(0, -1)}_` };
      expect((await call("POST", at, { body, headers: garbage })).status).toBe(400);
      const wrong = { authorization: `Bearer ${other.key.key.slice(0, -6)}000000` };
      expect((await call("POST", at, { body, headers: wrong })).status).toBe(401);
    }
  });
});
