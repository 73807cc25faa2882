import { afterEach, describe, expect, it, vi } from "vitest";
import { tenant } from "../../support/client.ts";
import { numberCarriers } from "../../support/number-carriers/index.ts";
import type { NumberCarrier } from "../../support/number-carriers/stand-in.ts";
import { lineAt, NUMBER, NUMBERS, PROVIDERS } from "./carrier-support.ts";

afterEach(() => vi.restoreAllMocks());

interface Listed {
  numbers: { e164: string; capabilities: string[]; registered: boolean }[];
  truncated: boolean;
}
const names = Object.keys(numberCarriers) as NumberCarrier["name"][];

describe("a carrier's numbers", () => {
  it.each(names)("a carrier's numbers are listed by the credentials of %s, marked if registered", async (name) => {
    const line = await lineAt(name);
    line.carrier.own({ e164: NUMBER }, { e164: "+12025550101", sms: false });
    await line.register();
    const { status, body } = await line.post<Listed>(`${PROVIDERS}/${line.provider_id}/numbers`);
    expect(status).toBe(200);
    expect(body).toEqual({
      numbers: [
        { e164: NUMBER, capabilities: ["voice", "sms"], registered: true },
        { e164: "+12025550101", capabilities: ["voice"], registered: false },
      ],
      truncated: false,
    });
    expect(line.carrier.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it("the sandbox's numbers are those registered with it", async () => {
    const { server } = await tenant();
    const { id } = (await server.post<{ id: string }>(PROVIDERS, { provider: "sandbox", credentials: {} })).body;
    expect((await server.post(`${PROVIDERS}/${id}/numbers`)).body).toEqual({ numbers: [], truncated: false });
    await server.post(NUMBERS, { e164: NUMBER, provider: "sandbox" });
    expect((await server.post(`${PROVIDERS}/${id}/numbers`)).body).toEqual({
      numbers: [{ e164: NUMBER, capabilities: ["voice"], registered: true }],
      truncated: false,
    });
  });
});

describe("a carrier's numbers if the carrier refuses", () => {
  it.each(names)("a refusal of %s shows the carrier's reason without its secrets", async (name) => {
    const { credentials } = numberCarriers[name]();
    const wrong = Object.fromEntries(
      Object.entries(credentials).map(([field, value]) => [
        field,
        /^(auth_token|api_key|api_token|api_secret)$/.test(field) ? `${value}-wrong` : value,
      ]),
    );
    const line = await lineAt(name, wrong);
    const { status, code, body } = await line.post<string>(`${PROVIDERS}/${line.provider_id}/numbers`);
    expect([status, code]).toEqual([500, "carrier_auth"]);
    expect(body).toMatch(new RegExp(`^${name} refused the request \\(401\\)`));
    for (const secret of Object.values(wrong)) expect(body).not.toContain(secret);
  });

  it.each([
    ["is down", () => new Response("", { status: 503 }), "carrier_outage"],
    ["asks to go slower", () => new Response("", { status: 429 }), "carrier_rate"],
    ["does not answer", () => Promise.reject(new TypeError("closed")), "carrier_outage"],
  ])("an error tells that the carrier %s", async (_, answer, expected) => {
    const line = await lineAt("twilio");
    line.carrier.intercept = answer;
    const { status, code } = await line.post(`${PROVIDERS}/${line.provider_id}/numbers`);
    expect([status, code]).toEqual([500, expected]);
  });

  it("an error names the extra credentials that Vonage needs", async () => {
    const { api_key: _, api_secret: __, ...calls } = numberCarriers.vonage().credentials;
    const line = await lineAt("vonage", calls);
    const { status, code, body } = await line.post<string>(`${PROVIDERS}/${line.provider_id}/numbers`);
    expect([status, code]).toEqual([500, "carrier_auth"]);
    expect(body).toContain("api_key and api_secret");
    const half = { provider: "vonage", credentials: { ...calls, api_key: "a1b2c3d4" } };
    const refused = await line.who.server.post(PROVIDERS, half);
    expect(refused).toMatchObject({
      status: 400,
      body: expect.stringContaining("api_key and api_secret must be sent together"),
    });
  });

  it("listing a carrier's numbers answers 404 for unknown credentials or 503 without encryption", async () => {
    const line = await lineAt("twilio");
    const path = `${PROVIDERS}/${line.provider_id}/numbers`;
    expect((await line.post(`${PROVIDERS}/0190b1a0-0000-7000-8000-000000000000/numbers`)).status).toBe(404);
    expect((await line.post(`${PROVIDERS}/nonsense/numbers`)).status).toBe(404);
    expect((await line.post(path, { ENCRYPTION_KEYS: "" })).code).toBe("encryption_unavailable");
    await line.who.server.delete(`${PROVIDERS}/${line.provider_id}`);
    expect((await line.post(path)).status).toBe(404);
    expect(line.carrier.requests).toEqual([]);
  });
});

describe("a carrier's numbers and other accounts", () => {
  it("another account's credentials cannot list numbers at the carrier", async () => {
    const [line, other] = [await lineAt("twilio"), await tenant()];
    const { status, code } = await line.post(`${PROVIDERS}/${line.provider_id}/numbers`, {});
    expect(status).toBe(200);
    expect(code).toBeNull();
    line.carrier.requests.length = 0;
    expect((await other.server.post(`${PROVIDERS}/${line.provider_id}/numbers`)).status).toBe(404);
    expect(line.carrier.requests).toEqual([]);
  });

  it("a carrier's list does not reveal numbers that another account registered", async () => {
    const [line, other] = [await lineAt("twilio"), await tenant()];
    line.carrier.own({ e164: NUMBER });
    await other.server.post(NUMBERS, { e164: NUMBER, provider: "sandbox" });
    const { body } = await line.post<Listed>(`${PROVIDERS}/${line.provider_id}/numbers`);
    expect(body.numbers).toMatchObject([{ registered: false }]);
  });

  it("listing a carrier's numbers is rate-limited by account, across its keys", async () => {
    const counts = new Map<string, number>();
    const limit = async ({ key }: { key: string }) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return { success: (counts.get(key) ?? 0) <= 2 };
    };
    const limited = { RATE_LIMITS: "on", CARRIER_RATE: { limit } as unknown as RateLimit };
    const [line, other] = [await lineAt("twilio"), await lineAt("twilio")];
    const id = await line.register();
    const listNumbers = (path: string) => line.post(path, limited);
    expect((await listNumbers(`${PROVIDERS}/${line.provider_id}/numbers`)).status).toBe(200);
    expect((await listNumbers(`${NUMBERS}/${id}/check`)).status).toBe(200);
    const refused = await listNumbers(`${PROVIDERS}/${line.provider_id}/numbers`);
    expect([refused.status, refused.code, refused.headers.get("retry-after")]).toEqual([429, "rate_limited", "60"]);
    expect((await listNumbers(`${NUMBERS}/${id}/check`)).status).toBe(429);
    expect([...counts]).toEqual([[line.who.account, 4]]);
    expect((await other.post(`${PROVIDERS}/${other.provider_id}/numbers`, limited)).status).toBe(200);
  });
});
