import { describe, expect, it } from "vitest";
import { countRoundTrips } from "../support/round-trips.ts";
import { page, type Session, SHOP, visitorToken, widgetTenant } from "../support/widget.ts";

const atShop = { headers: { origin: SHOP } };

describe("widget: round trips", () => {
  it("costs a guest one, and one more when the key's use is noted", async () => {
    const { widgetKey } = await widgetTenant();
    const request = { ...atShop, body: { client_key: widgetKey.key } };
    const first = await countRoundTrips("POST", "/api/v1/widget/auth/guest", request);
    expect(first).toMatchObject({ status: 200, primary: 2, replica: 0, objects: 0 });
    const next = await countRoundTrips("POST", "/api/v1/widget/auth/guest", request);
    expect(next).toMatchObject({ status: 200, primary: 1, replica: 0, objects: 0 });
  });

  it("costs an exchange and a refresh one each", async () => {
    const made = await widgetTenant();
    const body = { visitor_token: await visitorToken(made) };
    const exchanged = await countRoundTrips("POST", "/api/v1/widget/auth/exchange", { ...atShop, body });
    expect(exchanged).toMatchObject({ status: 200, primary: 1, replica: 0, objects: 0 });
    const { refresh_token } = exchanged.body as Session;
    const refreshed = await countRoundTrips("POST", "/api/v1/widget/auth/refresh", {
      ...atShop,
      body: { refresh_token },
    });
    expect(refreshed).toMatchObject({ status: 200, primary: 1, replica: 0, objects: 0 });
  });

  it("costs a server one at the gate and one in D1", async () => {
    const made = await widgetTenant();
    const headers = made.server.headers;
    await visitorToken(made);
    const body = { client_key: made.widgetKey.key, user_id: "user-7" };
    const token = await countRoundTrips("POST", "/api/v1/widget/auth/user-token", { headers, body });
    expect(token).toMatchObject({ status: 200, primary: 1, replica: 0, objects: 1 });
    const session = await page().guest(made.widgetKey.key);
    const asked = { headers, body: { token: session.body.access_token } };
    const answer = await countRoundTrips("POST", "/api/v1/widget/auth/introspect", asked);
    expect(answer).toMatchObject({ status: 200, body: { active: true }, primary: 1, replica: 0, objects: 1 });
  });

  it("reads the configuration from a replica when cold and from nowhere when warm, whatever the origin", async () => {
    const { widgetKey } = await widgetTenant();
    const path = `/api/v1/widget/config?client_key=${widgetKey.key}`;
    const cold = await countRoundTrips("GET", path, atShop);
    expect(cold).toMatchObject({ status: 200, primary: 0, replica: 1, objects: 0 });
    const warm = await countRoundTrips("GET", path, atShop);
    expect(warm).toMatchObject({ status: 200, body: cold.body, primary: 0, replica: 0, objects: 0 });
    const elsewhere = await countRoundTrips("GET", path, { headers: { origin: "https://evil.example" } });
    expect(elsewhere).toMatchObject({ status: 403, primary: 0, replica: 0, objects: 0 });
  });

  it("keeps an address that asks too often out before anything is read", async () => {
    const { widgetKey } = await widgetTenant();
    const asked: string[] = [];
    const limit = async ({ key }: { key: string }) => ({ success: asked.push(key) === 0 });
    const env = { RATE_LIMITS: "on", PUBLIC_RATE: { limit } };
    const headers = { ...atShop.headers, "cf-connecting-ip": "192.0.2.7" };
    for (const path of ["auth/guest", "auth/exchange", "auth/refresh", `config?client_key=${widgetKey.key}`]) {
      const method = path.startsWith("config") ? "GET" : "POST";
      const body = method === "POST" ? { body: { client_key: widgetKey.key } } : {};
      const answer = await countRoundTrips(method, `/api/v1/widget/${path}`, { headers, env, ...body });
      expect(answer).toMatchObject({ status: 429, primary: 0, replica: 0, objects: 0 });
      expect(answer.headers.get("retry-after")).toBe("60");
      expect(answer.headers.get("x-error-code")).toBe("rate_limited");
    }
    expect(asked).toEqual(Array(4).fill("192.0.2.7"));
  });

  it("refuses what cannot be right without any", async () => {
    const { widgetKey } = await widgetTenant();
    const none = { primary: 0, replica: 0, objects: 0 };
    const garbage = `${widgetKey.key.slice(0, -1)}${widgetKey.key.endsWith("a") ? "b" : "a"}`;
    const guest = (client_key: string, headers: Record<string, string>) =>
      countRoundTrips("POST", "/api/v1/widget/auth/guest", { headers, body: { client_key } });
    expect(await guest(garbage, atShop.headers)).toMatchObject({ status: 403, ...none });
    expect(await guest(widgetKey.key, {})).toMatchObject({ status: 403, ...none });
    expect(await guest(widgetKey.key, { origin: "null" })).toMatchObject({ status: 403, ...none });
    const config = await countRoundTrips("GET", `/api/v1/widget/config?client_key=${garbage}`, atShop);
    expect(config).toMatchObject({ status: 403, ...none });
    const refresh = { ...atShop, body: { refresh_token: "not.a.token" } };
    expect(await countRoundTrips("POST", "/api/v1/widget/auth/refresh", refresh)).toMatchObject({
      status: 400,
      ...none,
    });
  });
});
