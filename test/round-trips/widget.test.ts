import { describe, expect, it } from "vitest";
import { Client } from "../support/client.ts";
import { countRoundTrips } from "../support/counting.ts";
import { page, type Session, SHOP, visitorToken, type WidgetTenant, widgetTenant } from "../support/widget.ts";

const atShop = { origin: SHOP };
const none = { d1: 0, replica: 0, objects: 0 };
const post = (path: string, headers: Record<string, string>, body: unknown) =>
  countRoundTrips(`/api/v1/widget/auth/${path}`, headers, { method: "POST", body });

describe("the widget's round trips", () => {
  it("a guest costs one round trip, and one more when the key's use is recorded", async () => {
    const { widgetKey } = await widgetTenant();
    const body = { client_key: widgetKey.key };
    expect(await post("guest", atShop, body)).toMatchObject({ status: 200, ...none, d1: 2 });
    expect(await post("guest", atShop, body)).toMatchObject({ status: 200, ...none, d1: 1 });
  });

  it.each<[string, (made: WidgetTenant & { unused: Client }) => Promise<unknown>]>([
    ["a guest's first session", ({ widgetKey }) => page().guest(widgetKey.key)],
    ["a token for a customer's user", (made) => visitorToken(made)],
    ["the first use of an API key", ({ unused }) => unused.get("/api/v1/tools?limit=1")],
  ])("the account's cached rows stay in place after %s", async (_, use) => {
    const made = await widgetTenant();
    const { body } = await made.user.post<{ key: string }>("/api/v1/api-keys", { name: "unused" });
    const agents = () => countRoundTrips("/api/v1/agents", made.user.headers);
    await agents();
    await use({ ...made, unused: new Client({ authorization: `Bearer ${body.key}` }) });
    expect(await agents()).toMatchObject({ status: 200, ...none, objects: 1 });
  });

  it("an exchange or a refresh costs one round trip", async () => {
    const made = await widgetTenant();
    const exchanged = await post("exchange", atShop, { visitor_token: await visitorToken(made) });
    expect(exchanged).toMatchObject({ status: 200, ...none, d1: 1 });
    const { refresh_token } = exchanged.body as Session;
    expect(await post("refresh", atShop, { refresh_token })).toMatchObject({ status: 200, ...none, d1: 1 });
  });

  it("a server's request costs one trip to the gate, one to D1 and, for a token, one to the ledger", async () => {
    const made = await widgetTenant();
    await visitorToken(made);
    const user = { client_key: made.widgetKey.key, user_id: "user-7" };
    expect(await post("user-token", made.server.headers, user)).toMatchObject({
      status: 200,
      ...none,
      d1: 1,
      objects: 2,
    });
    const session = await page().guest(made.widgetKey.key);
    const answer = await post("introspect", made.server.headers, { token: session.body.access_token });
    expect(answer).toMatchObject({ status: 200, body: { active: true }, ...none, d1: 1, objects: 1 });
  });

  it("a warm widget configuration costs no round trip, and a cold one reads from a replica", async () => {
    const { widgetKey } = await widgetTenant();
    const path = `/api/v1/widget/config?client_key=${widgetKey.key}`;
    const cold = await countRoundTrips(path, atShop);
    expect(cold).toMatchObject({ status: 200, ...none, replica: 1 });
    expect(await countRoundTrips(path, atShop)).toMatchObject({ status: 200, body: cold.body, ...none });
    expect(await countRoundTrips(path, { origin: "https://evil.example" })).toMatchObject({ status: 403, ...none });
  });

  it("an address that asks too often is refused before anything is read", async () => {
    const { widgetKey } = await widgetTenant();
    const asked: string[] = [];
    const limit = async ({ key }: { key: string }) => ({ success: asked.push(key) === 0 });
    const env = { RATE_LIMITS: "on", PUBLIC_RATE: { limit } };
    const headers = { ...atShop, "cf-connecting-ip": "192.0.2.7" };
    for (const path of ["auth/guest", "auth/exchange", "auth/refresh", `config?client_key=${widgetKey.key}`]) {
      const request = path.startsWith("auth") ? { method: "POST", body: {}, env } : { env };
      const answer = await countRoundTrips(`/api/v1/widget/${path}`, headers, request);
      expect(answer).toMatchObject({ status: 429, ...none });
      expect(answer.headers.get("retry-after")).toBe("60");
      expect(answer.headers.get("x-error-code")).toBe("rate_limited");
    }
    expect(asked).toEqual(Array(4).fill("192.0.2.7"));
  });

  it("an invalid widget request costs no round trip", async () => {
    const { widgetKey } = await widgetTenant();
    const { key: client_key } = widgetKey;
    const garbage = `${client_key.slice(0, -1)}${client_key.endsWith("a") ? "b" : "a"}`;
    expect(await post("guest", atShop, { client_key: garbage })).toMatchObject({ status: 403, ...none });
    expect(await post("guest", {}, { client_key })).toMatchObject({ status: 403, ...none });
    expect(await post("guest", { origin: "null" }, { client_key })).toMatchObject({ status: 403, ...none });
    const config = await countRoundTrips(`/api/v1/widget/config?client_key=${garbage}`, atShop);
    expect(config).toMatchObject({ status: 403, ...none });
    const refused = await post("refresh", atShop, { refresh_token: "not.a.token" });
    expect(refused).toMatchObject({ status: 400, ...none });
  });
});
