import { describe, expect, it } from "vitest";
import { latest, log } from "../../account/audit-log/support.ts";
import { call, tenant } from "../../support/client.ts";

const PATH = "/api/v1/prices";
interface Price {
  what: string;
  unit: string;
  unit_micros: number | null;
  currency: string;
  since: string | null;
  source: string | null;
}
type Tenant = Awaited<ReturnType<typeof tenant>>;

async function priceOf({ server }: Tenant, what: string): Promise<Price | undefined> {
  const { body } = await server.get<{ prices: Price[] }>(PATH);
  return body.prices.find((price) => price.what === what);
}
const set = ({ user }: Tenant, ...prices: { what: string; unit_micros: unknown }[]) =>
  user.patch<{ prices: Price[] }>(PATH, { prices });

describe("prices", () => {
  it("prices are the vendors' list prices with their sources, or unknown if no list has them", async () => {
    const who = await tenant();
    expect(await priceOf(who, "model/gpt-4o/output")).toEqual({
      what: "model/gpt-4o/output",
      unit: "million_tokens",
      unit_micros: 10_000_000,
      currency: "USD",
      since: "2024-10-01T00:00:00.000Z",
      source: expect.stringContaining("https://developers.openai.com/"),
    });
    const unknown = { unit_micros: null, since: null, source: null };
    expect(await priceOf(who, "speech/cartesia")).toMatchObject(unknown);
    expect(await priceOf(who, "model/compatible/input")).toMatchObject(unknown);
    expect(await priceOf(who, "model/scripted/input")).toMatchObject({ unit_micros: 0 });
  });

  it("prices are the account's own once it sets them, even if free, until null restores the default", async () => {
    const who = await tenant();
    const [ours, free] = ["speech/cartesia", "model/gpt-4o/input"];
    const changed = await set(who, { what: ours, unit_micros: 46_700 }, { what: free, unit_micros: 0 });
    expect(changed.status).toBe(200);
    expect(await priceOf(who, ours)).toMatchObject({ unit_micros: 46_700, source: "account" });
    expect(await priceOf(who, free)).toMatchObject({ unit_micros: 0, source: "account" });
    expect((await who.server.get(PATH)).body).toEqual(changed.body);
    const since = Date.parse((await priceOf(who, ours))?.since ?? "");
    expect(Math.abs(Date.now() - since)).toBeLessThan(60_000);
    await set(who, { what: ours, unit_micros: null }, { what: free, unit_micros: null });
    expect(await priceOf(who, ours)).toMatchObject({ unit_micros: null, source: null });
    expect(await priceOf(who, free)).toMatchObject({ unit_micros: 2_500_000 });
  });

  it("prices are audited only when they change", async () => {
    const who = await tenant();
    await set(who, { what: "relay/telnyx", unit_micros: 60_000 });
    expect(await latest(who.user)).toEqual(["update", "prices", { "relay/telnyx": null }]);
    const { length } = await log(who.user);
    await set(who, { what: "relay/telnyx", unit_micros: 60_000 }, { what: "speech/cartesia", unit_micros: null });
    expect(await log(who.user)).toHaveLength(length);
  });
});

describe("prices", () => {
  it.each<[string, unknown, string]>([
    ["nothing", [], "prices"],
    ["an unknown name", [{ what: "model/gpt-9/input", unit_micros: 1 }], "prices.0.what"],
    ["a price below nothing", [{ what: "speech/cartesia", unit_micros: -1 }], "prices.0.unit_micros"],
    ["half a millionth", [{ what: "speech/cartesia", unit_micros: 0.5 }], "prices.0.unit_micros"],
    ["more than a thousand dollars", [{ what: "speech/cartesia", unit_micros: 1_000_000_001 }], "prices.0.unit_micros"],
    ["no price", [{ what: "speech/cartesia" }], "prices.0.unit_micros"],
    [
      "the same twice",
      [
        { what: "speech/cartesia", unit_micros: 1 },
        { what: "speech/cartesia", unit_micros: 2 },
      ],
      "prices",
    ],
  ])("a request with %s changes no price", async (_, prices, field) => {
    const who = await tenant();
    const answer = await who.user.patch(PATH, { prices });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toMatch(new RegExp(`^"${field}\\b`));
    expect(await priceOf(who, "speech/cartesia")).toMatchObject({ unit_micros: null });
  });
});

describe("the prices of an account", () => {
  it("apply only to the account, and are refused to outsiders", async () => {
    const [who, other] = [await tenant(), await tenant()];
    await set(who, { what: "speech/cartesia", unit_micros: 1 });
    expect(await priceOf(other, "speech/cartesia")).toMatchObject({ unit_micros: null });
    expect((await call("GET", PATH)).status).toBe(401);
    expect((await call("PATCH", PATH, {})).status).toBe(401);
  });
});
