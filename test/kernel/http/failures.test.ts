import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Context } from "hono";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import type { AppEnv } from "../../../src/kernel/http/context.ts";
import { countFailure, refuseBlocked } from "../../../src/kernel/http/failures.ts";
import { signText } from "../../../src/kernel/secrets/tokens.ts";
import { SANDBOX_WEBHOOK } from "../../../src/phone/carriers/sandbox-carrier.ts";
import { hmac } from "../../../src/phone/carriers/signature.ts";
import { answering } from "../../phone/inbound/support.ts";
import { BASE, type Tenant, tenant } from "../../support/client.ts";

/** Returns a rate limit binding that admits sixty requests per key. */
function binding() {
  const counts = new Map<string, number>();
  return {
    counts,
    async limit({ key }: { key: string }) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return { success: (counts.get(key) ?? 0) <= 60 };
    },
  };
}

let addresses = 0;
/** Returns an address from which no other test fails. */
const fresh = () => `198.51.100.${++addresses}`;

/** Returns a service with rate limits on, and a function that sends webhooks from one address. */
function from(address: string, overrides: Record<string, unknown> = {}) {
  const FAILED_RATE = binding();
  const send = async (path: string, body = "CallSid=CA1", headers: Record<string, string> = {}, vars = {}) => {
    const request = new Request(`${BASE}/api/telephony/${path}`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "cf-connecting-ip": address, ...headers },
      body,
    });
    const bindings = { ...env, RATE_LIMITS: "on", FAILED_RATE, ...overrides, ...vars };
    const response = await app.fetch(request, bindings as typeof env, createExecutionContext());
    return { status: response.status, code: response.headers.get("x-error-code"), headers: response.headers };
  };
  /** Counts the responses to `n` equal requests by status. */
  const many = async (n: number, path: string) => {
    const statuses: Record<number, number> = {};
    for (let i = 0; i < n; i++) {
      const { status } = await send(path);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    return statuses;
  };
  return { send, many, ...FAILED_RATE };
}

const unreachable = () => {
  throw new Error("the database is asked");
};
/** Makes the database and objects unreachable. */
const NO_IO = {
  DB: { prepare: unreachable, batch: unreachable },
  FAILED_RATE: undefined,
  ACCOUNT_GATE: undefined,
  CAMPAIGN: undefined,
  RECORDING_INBOX: undefined,
};

const TOKEN = "a-token-of-twilio";
async function atTwilio(): Promise<Tenant> {
  const who = await tenant();
  const credentials = { account_sid: "AC1", auth_token: TOKEN };
  await who.server.post("/api/v1/telephony/providers", { provider: "twilio", credentials });
  return who;
}
const signed = async (path: string, body: string) => {
  const text = `${BASE}/api/telephony/${path}${[...new URLSearchParams(body)].map(([k, v]) => k + v).join("")}`;
  return { "x-twilio-signature": await hmac("SHA-1", TOKEN, text) };
};
const REFUSED = { status: 429, code: "rate_limited" };

// Keeps all requests within one minute of the clock.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 60_000) * 60_000 + 1_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("webhooks without the carrier's signature", () => {
  it.each(["inbound", "webhooks"])(
    "unsigned webhooks answer 429 after sixty in a minute, without any I/O (%s)",
    async (kind) => {
      const { account } = await atTwilio();
      const path =
        kind === "inbound" ? `inbound/twilio/${account}` : `webhooks/twilio/${account}/${crypto.randomUUID()}`;
      const { send, many } = from(fresh());
      expect(await many(63, path)).toEqual({ 403: 60, 429: 3 });
      const answer = await send(path, "CallSid=CA1", {}, NO_IO);
      expect(answer).toMatchObject(REFUSED);
      expect(answer.headers.get("retry-after")).toBe("59");
    },
  );

  it("unsigned webhooks for one account block neither another account nor another address", async () => {
    const [one, other] = [await atTwilio(), await atTwilio()];
    const carrier = fresh();
    const { send, many, counts } = from(carrier);
    await many(61, `inbound/twilio/${one.account}`);
    const body = "CallSid=CA1&CallStatus=ringing&From=%2B13035550106&To=%2B12025550111";
    const call = async (account: string, address: string) =>
      (
        await send(`inbound/twilio/${account}`, body, {
          ...(await signed(`inbound/twilio/${account}`, body)),
          "cf-connecting-ip": address,
        })
      ).status;
    expect(await call(one.account, carrier)).toBe(429);
    expect(await call(one.account, fresh())).toBe(200);
    expect(await call(other.account, carrier)).toBe(200);
    expect([...counts.keys()]).toEqual([`webhook ${carrier} ${one.account}`]);
  });

  it("unsigned webhooks for unknown accounts count together without blocking an existing account", async () => {
    const { account } = await atTwilio();
    const address = fresh();
    const { send, many, counts } = from(address);
    const path = `inbound/twilio/${account}`;
    expect((await send(path)).status).toBe(403);
    for (let i = 0; i < 60; i++) await send(`${i % 2 ? "inbound/twilio" : "inbound/sandbox"}/nobody-${i}`);
    expect(await many(1, "inbound/twilio/nobody-else")).toEqual({ 429: 1 });
    expect(await send("inbound/twilio/yet-another", "", {}, NO_IO)).toMatchObject(REFUSED);
    expect((await send(path)).status).toBe(403);
    expect([...counts]).toEqual([
      [`webhook ${address} ${account}`, 2],
      [`webhook ${address} `, 61],
    ]);
  });

  it("count an IPv6 client by its /64", async () => {
    const { account } = await atTwilio();
    const { send, many } = from("2001:db8:7:7::1");
    await many(61, `inbound/twilio/${account}`);
    const other = (address: string) => send(`inbound/twilio/${account}`, "", { "cf-connecting-ip": address });
    expect(await other("2001:db8:7:7:ffff::2")).toMatchObject(REFUSED);
    expect((await other("2001:db8:7:8::1")).status).toBe(403);
  });

  it("do not block the sandbox's own webhooks, which have no address", async () => {
    const who = await answering();
    const { send, many } = from(fresh());
    const path = `inbound/sandbox/${who.account}`;
    expect(await many(62, path)).toEqual({ 403: 60, 429: 2 });
    expect(await send(path, "{}", {}, NO_IO)).toMatchObject(REFUSED);
    const body = JSON.stringify({ provider_call_id: "in-1", from_number: "+13035550106", to_number: "+12025550100" });
    const signature = await signText(env.SIGNING_KEYS, SANDBOX_WEBHOOK, `${BASE}/api/telephony/${path}\n${body}`);
    expect((await send(path, body, { "x-sandbox-signature": signature })).status).toBe(200);
  });

  it("unsigned webhooks are read again when the minute is over", async () => {
    const { account } = await atTwilio();
    const { send, many } = from(fresh());
    const path = `inbound/twilio/${account}`;
    await many(61, path);
    expect(await send(path)).toMatchObject(REFUSED);
    vi.setSystemTime(Date.now() + 60_000);
    expect(await send(path, "CallSid=CA1", {}, { FAILED_RATE: binding() })).toMatchObject({ status: 403 });
  });

  it("unsigned webhooks are remembered for at most ten thousand addresses", async () => {
    const FAILED_RATE = { limit: async () => ({ success: false }) };
    const by = (n: number) => {
      const header = () => `203.0.${n >> 8}.${n & 255}`;
      return {
        env: { FAILED_RATE, TRUST_CONNECTING_IP: "on" },
        req: { header },
        get: () => Date.now(),
      } as unknown as Context<AppEnv>;
    };
    // A client that fails again becomes the newest entry.
    await expect(countFailure(by(5_000), "authentication")).rejects.toThrow(/too many/);
    for (let n = 0; n < 10_001; n++) await expect(countFailure(by(n), "authentication")).rejects.toThrow(/too many/);
    expect(() => refuseBlocked(by(10_000), "authentication")).toThrow(/too many/);
    expect(() => refuseBlocked(by(1), "authentication")).toThrow(/too many/);
    expect(() => refuseBlocked(by(0), "authentication")).not.toThrow();
    expect(() => refuseBlocked(by(1), "webhook")).not.toThrow();
  });

  it("unsigned webhooks are not counted with RATE_LIMITS=off", async () => {
    const { account } = await atTwilio();
    const { many, counts } = from(fresh(), { RATE_LIMITS: "off" });
    expect(await many(65, `inbound/twilio/${account}`)).toEqual({ 403: 65 });
    expect(counts.size).toBe(0);
  });
});
