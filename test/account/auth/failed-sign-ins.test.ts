import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FREE_FAILURES, STRANGERS_BUDGET, TRYING_NAMES } from "../../../src/account/gate/sign-in-delay.ts";
import { app } from "../../../src/app.ts";
import { BASE, tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { PASSWORD, type Person, person } from "../../support/person.ts";

const WRONG = "incorrect horse";
const HOME = "198.51.100.7";

afterEach(() => {
  vi.useRealTimers();
});

async function send(path: string, address: string, body: unknown, headers: Record<string, string> = {}) {
  const request = new Request(BASE + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { ...headers, "cf-connecting-ip": address, "content-type": "application/json" },
  });
  const response = await app.fetch(request, { ...env, RATE_LIMITS: "on" }, createExecutionContext());
  await response.text();
  const wait = response.headers.get("retry-after");
  return wait === null ? String(response.status) : `${response.status} ${response.headers.get("x-error-code")} ${wait}`;
}

/** Signs in from this address, with rate limits on. */
const from = (address: string, account: string, email: string, password: string) =>
  send("/api/login", address, { account, email, password });
const as = ({ account, email }: Person, address: string, password = PASSWORD) =>
  from(address, account, email, password);

async function fail(who: Person, address: string, times: number): Promise<string[]> {
  const answers = [];
  for (let i = 0; i < times; i++) answers.push(await as(who, address, WRONG));
  return answers;
}

const somebody = async () => person((await tenant()).account);
const ip = (n: number) => `203.0.${Math.floor(n / 250)}.${(n % 250) + 1}`;

describe("a successful sign-in", () => {
  it("successful sign-ins are never limited: a hundred in a row or thirty at once", async () => {
    const who = await somebody();
    for (let i = 0; i < 100; i++) expect(await as(who, HOME)).toBe("200");
    expect(await Promise.all(Array.from({ length: 30 }, () => as(who, HOME)))).toEqual(Array(30).fill("200"));
  });

  it("clears earlier failures", async () => {
    const who = await somebody();
    for (let i = 0; i < 3; i++) {
      expect(await fail(who, HOME, FREE_FAILURES)).toEqual(Array(FREE_FAILURES).fill("401"));
      expect(await as(who, HOME)).toBe("200");
    }
  });
});

describe("failed sign-ins", () => {
  it("delay the next sign-in, longer each time, and it is not checked meanwhile", async () => {
    const who = await somebody();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    expect(await fail(who, HOME, FREE_FAILURES + 1)).toEqual(Array(FREE_FAILURES + 1).fill("401"));
    for (const wait of [1, 2, 4, 8]) {
      const deriveBits = vi.spyOn(crypto.subtle, "deriveBits");
      expect(await as(who, HOME)).toBe(`429 rate_limited ${wait}`);
      expect(deriveBits).not.toHaveBeenCalled();
      deriveBits.mockRestore();
      vi.setSystemTime(Date.now() + wait * 1_000);
      expect(await as(who, HOME, WRONG)).toBe("401");
    }
    vi.setSystemTime(Date.now() + 16_000);
    expect(await as(who, HOME)).toBe("200");
    expect(await as(who, HOME, WRONG)).toBe("401");
  });

  it("do not lock out the owner, who signs in from a familiar address however many strangers fail", async () => {
    const who = await somebody();
    expect(await as(who, HOME)).toBe("200");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const answers: string[] = [];
    for (let n = 0; n < 60; n++) answers.push(await as(who, ip(n), WRONG));
    expect(answers).toEqual([...Array(STRANGERS_BUDGET).fill("401"), ...Array(40).fill("429 rate_limited 60")]);
    expect(await as(who, HOME)).toBe("200");
    expect(await as(who, HOME, WRONG)).toBe("401");
    expect(await as(who, HOME)).toBe("200");
    // Strangers together have one attempt per minute, whether the password is right or wrong.
    vi.setSystemTime(Date.now() + 60_000);
    expect([await as(who, ip(61), WRONG), await as(who, ip(62))]).toEqual(["401", "429 rate_limited 60"]);
    vi.setSystemTime(Date.now() + 60_000);
    expect(await as(who, ip(63))).toBe("200");
  });

  it("failed sign-ins from one site's networks count together, even for an unknown user", async () => {
    const who = await somebody();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const run = async (email: string) => {
      const answers: string[] = [];
      for (let n = 0; n < 60; n++)
        answers.push(await from(`2001:db8:77:${n.toString(16)}::1`, who.account, email, WRONG));
      return answers;
    };
    const answers = await run(who.email);
    expect(answers).toEqual([...Array(FREE_FAILURES + 1).fill("401"), ...Array(56).fill("429 rate_limited 1")]);
    expect(await run(`nobody-${who.email}`)).toEqual(answers);
  });

  it("failed sign-ins with many names from one address block unfamiliar users there, not familiar ones", async () => {
    const { account } = await tenant();
    const [local, stranger] = [await person(account), await person(account)];
    expect(await as(local, HOME)).toBe("200");
    for (let n = 0; n < TRYING_NAMES; n++) {
      expect(await from(HOME, account, `name${n}@people.example`, WRONG)).toBe("401");
    }
    expect(await as(stranger, HOME)).toBe("429 rate_limited 1");
    expect(await as(local, HOME)).toBe("200");
    expect(await as(stranger, "198.51.100.8")).toBe("200");
  });

  it("failed sign-ins look the same for a user who does not exist", async () => {
    const who = await somebody();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const run = async (email: string) => {
      const answers = [];
      for (let i = 0; i < FREE_FAILURES + 3; i++) answers.push(await from(HOME, who.account, email, WRONG));
      return answers;
    };
    const existing = await run(who.email);
    expect(existing.at(-1)).toBe("429 rate_limited 1");
    expect(await run(`nobody-${who.email}`)).toEqual(existing);
    expect(await run(who.email.toUpperCase())).toEqual(Array(FREE_FAILURES + 3).fill("429 rate_limited 1"));
  });

  it("failed sign-ins to unknown accounts count by address without creating an object", async () => {
    const [account, address] = [`nobody-${crypto.randomUUID().slice(0, 8)}`, ip(7_000)];
    const body = { account, email: "a@b.example", password: WRONG };
    const trips = await countRoundTrips("/api/login", { "cf-connecting-ip": address }, { method: "POST", body });
    expect(trips).toMatchObject({ status: 401, objects: 0, d1: 1 });
    const FAILED_RATE = { limit: async () => ({ success: false }) };
    const headers = { "cf-connecting-ip": address, "content-type": "application/json" };
    const request = new Request(`${BASE}/api/login`, { method: "POST", body: JSON.stringify(body), headers });
    const limited = { ...env, RATE_LIMITS: "on", FAILED_RATE };
    expect((await app.fetch(request, limited, createExecutionContext())).status).toBe(429);
    expect(await from(address, account, "c@d.example", WRONG)).toMatch(/^429/);
    // An existing account is not affected.
    expect(await as(await somebody(), address)).toBe("200");
  });
});

describe("a wrong current password", () => {
  it("counts as a failed sign-in, and is delayed like one", async () => {
    const who = await somebody();
    const change = (current_password: string) =>
      send("/api/password", HOME, { current_password, new_password: "battery staple" }, who.client.headers);
    for (let i = 0; i <= FREE_FAILURES; i++) expect(await change(WRONG)).toBe("403");
    expect(await change(PASSWORD)).toBe("429 rate_limited 1");
    expect(await as(who, HOME)).toBe("429 rate_limited 1");
    expect(await as(who, "198.51.100.8")).toBe("200");
  });
});

describe("round trips of a sign-in", () => {
  it("a sign-in costs three hops to the gate", async () => {
    const { account, email } = await somebody();
    const login = (password: string) =>
      countRoundTrips(
        "/api/login",
        { "cf-connecting-ip": HOME },
        { method: "POST", body: { account, email, password }, env: { RATE_LIMITS: "on" } },
      );
    expect(await login(PASSWORD)).toMatchObject({ status: 200, objects: 3, d1: 2 });
    expect(await login(WRONG)).toMatchObject({ status: 401, objects: 2, d1: 2 });
    for (let i = 0; i < FREE_FAILURES; i++) await login(WRONG);
    expect(await login(PASSWORD)).toMatchObject({ status: 429, objects: 1, d1: 0 });
  });
});
