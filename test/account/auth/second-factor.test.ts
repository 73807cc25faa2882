import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Secret, TOTP } from "otpauth";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AccountGate } from "../../../src/account/gate/account-gate.ts";
import { rekey } from "../../../src/account/operators/rekey.ts";
import { app } from "../../../src/app.ts";
import { Vault } from "../../../src/kernel/secrets/vault.ts";
import { MINUTE_MS } from "../../../src/kernel/time.ts";
import { BASE, type Client, call, operator, tenant } from "../../support/client.ts";
import { bearer, PASSWORD, type Person, person, type SignedIn } from "../../support/person.ts";

const FACTOR = "/api/second-factor";
const POLICY = "/api/v1/sign-in-policy";
const NEW_PASSWORD = "battery staple";
const STEP_MS = 30_000;
const outcome = ({ status, code }: { status: number; code: string | null }) => (code ? `${status} ${code}` : status);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface Refusal {
  status: number;
  code: string;
  ticket: string;
}

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });
const login = ({ account, email }: Person, password = PASSWORD, headers = {}) =>
  call<SignedIn & Refusal>("POST", "/api/login", { headers, body: { account, email, password } });
const give = (ticket: string, code: string) =>
  call<SignedIn>("POST", "/api/login/second-factor", { body: { ticket, code } });
const ticketOf = async (who: Person, password?: string) => (await login(who, password)).body.ticket;
const remove = (client: Client, code: string) => call("DELETE", FACTOR, { headers: client.headers, body: { code } });
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** Sets up a second factor and stops the clock, one time step after the code that confirmed it. */
async function enrolled(client: Client, code?: string) {
  const begun = await client.post<{ secret: string; otpauth_url: string }>(FACTOR, code === undefined ? {} : { code });
  if (begun.status !== 200) throw new Error(`not begun: ${begun.status} ${begun.code}`);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const { secret } = begun.body;
  const done = await client.post<{ recovery_codes: string[] }>(`${FACTOR}/confirm`, { code: codeOf(secret) });
  if (done.status !== 200) throw new Error(`not confirmed: ${done.status} ${done.code}`);
  wait(STEP_MS);
  return { secret, url: begun.body.otpauth_url, codes: done.body.recovery_codes };
}

const somebody = async () => person((await tenant()).account);
async function withFactor() {
  const who = await somebody();
  return Object.assign({ who }, await enrolled(who.client));
}

describe("a second factor", () => {
  it("a second factor is set up with a secret, a code of it, and recovery codes shown once", async () => {
    const who = await somebody();
    expect((await who.client.get(FACTOR)).body).toEqual({ enabled: false, recovery_codes_left: 0 });
    const { secret, url, codes } = await enrolled(who.client);
    expect(new URL(url).searchParams.get("secret")).toBe(secret);
    expect(decodeURIComponent(url)).toContain(`Switchboard:${who.email} (${who.account})`);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
    expect((await who.client.get(FACTOR)).body).toEqual({ enabled: true, recovery_codes_left: 10 });
    const { results } = await env.DB.prepare("SELECT * FROM second_factors WHERE id = ?").bind(who.id).all();
    const stored = JSON.stringify(results);
    expect(stored).not.toContain(secret);
    for (const code of codes) expect(stored).not.toContain(code);
  });

  it("a sign-in requests the second factor by a problem regardless of Accept", async () => {
    const { who, secret } = await withFactor();
    for (const accept of ["application/json", "application/problem+json", "*/*"]) {
      const { status, headers, body, code } = await login(who, PASSWORD, { accept });
      expect([status, code]).toEqual([401, "second_factor_required"]);
      expect(headers.get("content-type")).toBe("application/problem+json");
      expect(body).toMatchObject({ status: 401, code: "second_factor_required", ticket: expect.any(String) });
      expect(JSON.stringify(body)).not.toMatch(/access_token|refresh_token/);
    }
    const { status, body } = await give(await ticketOf(who), codeOf(secret));
    expect(status).toBe(200);
    expect((await bearer(body.access_token, who.account).get("/api/v1/agents")).status).toBe(200);
    expect((await call("POST", "/api/session/refresh", { body: { refresh_token: body.refresh_token } })).status).toBe(
      200,
    );
  });

  it("a second factor is not revealed to anyone without the password", async () => {
    const { who } = await withFactor();
    const nobody = Object.assign({}, who, { email: "nobody@people.example" });
    const [existing, unknown] = [await login(who, "wrong password"), await login(nobody, "wrong password")];
    expect([existing.status, existing.code, existing.body]).toEqual([unknown.status, unknown.code, unknown.body]);
  });

  it("accepts codes of the step before and after, with spaces as apps show them", async () => {
    const { who, secret } = await withFactor();
    wait(5 * STEP_MS);
    for (const steps of [-2, 2, -9, 9])
      expect(outcome(await give(await ticketOf(who), codeOf(secret, steps)))).toBe("401 wrong_code");
    for (const steps of [-1, 1]) expect((await give(await ticketOf(who), codeOf(secret, steps))).status).toBe(200);
    const code = codeOf(secret);
    expect((await give(await ticketOf(who), `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
  });

  it("refuses a used code at every endpoint, even concurrently", async () => {
    const { who, secret, codes } = await withFactor();
    const code = codeOf(secret);
    const tickets = await Promise.all([1, 2, 3, 4].map(() => ticketOf(who)));
    const answers = await Promise.all(tickets.map((ticket) => give(ticket, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect(outcome(await remove(who.client, code))).toBe("403 wrong_code");
    wait(STEP_MS);
    expect(outcome(await give(await ticketOf(who), code))).toBe("401 wrong_code");
    const again = await Promise.all([1, 2, 3].map(async () => give(await ticketOf(who), codes[0] ?? "")));
    expect(again.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await who.client.get(FACTOR)).body).toMatchObject({ recovery_codes_left: 9 });
    expect((await give(await ticketOf(who), ` ${codes[1]?.toUpperCase().replace("-", "")}`)).status).toBe(200);
  });

  it("issues tickets for five codes, five minutes and one session", async () => {
    const { who, secret } = await withFactor();
    const tried = await ticketOf(who);
    const answers = await Promise.all(Array.from({ length: 9 }, () => give(tried, "000000")));
    expect(answers.map(outcome).filter((one) => one === "401 wrong_code")).toHaveLength(5);
    expect(outcome(await give(tried, codeOf(secret)))).toBe("401 ticket_invalid");
    const used = await ticketOf(who);
    expect((await give(used, codeOf(secret))).status).toBe(200);
    expect(outcome(await give(used, codeOf(secret, 1)))).toBe("401 ticket_invalid");
    const late = await ticketOf(who);
    wait(5 * MINUTE_MS);
    expect(outcome(await give(late, codeOf(secret)))).toBe("401 ticket_invalid");
    for (const ticket of ["", "eyJ.eyJ.x", who.client.headers.authorization?.slice(7) ?? ""])
      expect(outcome(await give(ticket, codeOf(secret)))).toBe("401 ticket_invalid");
  });

  it("invalidates tickets when the password changes", async () => {
    const { who, secret } = await withFactor();
    const ticket = await ticketOf(who);
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD, code: codeOf(secret) };
    expect((await who.client.post("/api/password", body)).status).toBe(204);
    expect(outcome(await give(ticket, codeOf(secret, 1)))).toBe("401 ticket_invalid");
  });

  it("changing the second factor, its codes or the password requires the second factor", async () => {
    const { who, secret, codes } = await withFactor();
    const { client } = who;
    const change = (code?: string) =>
      client.post("/api/password", { current_password: PASSWORD, new_password: NEW_PASSWORD, code });
    expect(outcome(await client.post(FACTOR))).toBe("403 second_factor_required");
    expect(outcome(await client.post(FACTOR, { code: "000000" }))).toBe("403 wrong_code");
    expect(outcome(await client.post(`${FACTOR}/recovery-codes`, { code: "000000" }))).toBe("403 wrong_code");
    expect(outcome(await remove(client, "000000"))).toBe("403 wrong_code");
    expect(outcome(await change())).toBe("403 second_factor_required");
    expect(outcome(await change("000000"))).toBe("403 wrong_code");
    expect((await change(codeOf(secret))).status).toBe(204);
    wait(STEP_MS);
    const renewed = await client.post<{ recovery_codes: string[] }>(`${FACTOR}/recovery-codes`, {
      code: codeOf(secret),
    });
    expect(renewed.body.recovery_codes).toHaveLength(10);
    expect(outcome(await give(await ticketOf(who, NEW_PASSWORD), codes[0] ?? ""))).toBe("401 wrong_code");
    wait(STEP_MS);
    const next = await enrolled(client, codeOf(secret));
    expect(outcome(await give(await ticketOf(who, NEW_PASSWORD), codeOf(secret)))).toBe("401 wrong_code");
    expect((await give(await ticketOf(who, NEW_PASSWORD), codeOf(next.secret))).status).toBe(200);
  });

  it("stays valid until a code confirms its successor", async () => {
    const { who, secret } = await withFactor();
    const pending = (await who.client.post<{ secret: string }>(FACTOR, { code: codeOf(secret) })).body.secret;
    wait(STEP_MS);
    expect(outcome(await give(await ticketOf(who), codeOf(pending)))).toBe("401 wrong_code");
    expect((await give(await ticketOf(who), codeOf(secret))).status).toBe(200);
  });

  it("a code or a recovery code removes the second factor", async () => {
    const [one, other] = [await withFactor(), await withFactor()];
    expect((await remove(one.who.client, codeOf(one.secret))).status).toBe(204);
    expect((await login(one.who)).status).toBe(200);
    expect((await remove(other.who.client, other.codes[3] ?? "")).status).toBe(204);
    expect((await login(other.who)).status).toBe(200);
    expect(outcome(await remove(other.who.client, "000000"))).toBe("404 not_found");
    expect(outcome(await other.who.client.post(`${FACTOR}/confirm`, { code: "000000" }))).toBe(
      "409 nothing_to_confirm",
    );
  });

  it("a second factor can be managed only by its user", async () => {
    const { who } = await withFactor();
    const colleague = await person(who.account);
    expect((await colleague.client.get(FACTOR)).body).toMatchObject({ enabled: false });
    const { server } = await tenant();
    expect(outcome(await server.get(FACTOR))).toBe("403 console_required");
    expect(outcome(await server.post(FACTOR))).toBe("403 console_required");
  });

  it("setting up or removing a second factor is audited", async () => {
    const { who, secret } = await withFactor();
    await remove(who.client, codeOf(secret));
    const { entries } = (await who.client.get<{ entries: { action: string }[] }>("/api/v1/audit-log?resource=user"))
      .body;
    const actions = entries.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(["set_up_second_factor", "remove_second_factor"]));
  });

  it("rotating encryption keys seals the second factor anew", async () => {
    const { who, secret } = await withFactor();
    const [first = ""] = env.PRINTED_KEYS;
    const keys = `${first},${env.ENCRYPTION_KEYS}`;
    await rekey(env, new Vault(keys));
    const stored = await env.DB.prepare("SELECT secret FROM second_factors WHERE id = ?")
      .bind(who.id)
      .first<string>("secret");
    const context = { account: who.account, table: "second_factors", id: who.id };
    expect(await new Vault(first).open(stored ?? "", context)).toBe(secret);
  });

  it("counts wrong codes as failed sign-ins", async () => {
    const { who, secret } = await withFactor();
    const send = async (path: string, body: unknown) => {
      const headers = { "content-type": "application/json", "cf-connecting-ip": "198.51.100.9" };
      const request = new Request(BASE + path, { method: "POST", headers, body: JSON.stringify(body) });
      const response = await app.fetch(
        request,
        Object.assign({}, env, { RATE_LIMITS: "on" }),
        createExecutionContext(),
      );
      return { status: response.status, body: await response.json<Refusal>() };
    };
    const { account, email } = who;
    const { ticket } = (await send("/api/login", { account, email, password: PASSWORD })).body;
    const tries = [];
    for (let i = 0; i < 5; i++) tries.push((await send("/api/login/second-factor", { ticket, code: "000000" })).status);
    expect(tries).toEqual([401, 401, 401, 401, 429]);
    // The right password alone does not reset the failures, because the second factor is still missing.
    expect((await send("/api/login", { account, email, password: PASSWORD })).status).toBe(429);
    wait(MINUTE_MS);
    expect((await send("/api/login/second-factor", { ticket, code: codeOf(secret) })).status).toBe(200);
  });
});

describe("an account that requires a second factor", () => {
  it("allows a session without one only to set one up", async () => {
    const who = await somebody();
    expect((await who.client.patch(POLICY, { require_second_factor: true })).status).toBe(200);
    const MISSING = "403 second_factor_missing";
    const client = await who.session();
    for (const one of [who.client, client]) {
      expect(outcome(await one.get("/api/v1/agents"))).toBe(MISSING);
      expect(outcome(await one.get("/api/sessions"))).toBe(MISSING);
      expect(outcome(await one.patch(POLICY, { require_second_factor: false }))).toBe(MISSING);
      expect(outcome(await one.post("/api/v1/events/stream/ticket"))).toBe(MISSING);
    }
    expect((await client.get(FACTOR)).status).toBe(200);
    const { secret } = await enrolled(client);
    expect((await client.get("/api/v1/agents")).status).toBe(200);
    expect(outcome(await who.client.get("/api/v1/agents"))).toBe(MISSING);
    const { body } = await give(await ticketOf(who), codeOf(secret));
    const next = (await call<SignedIn>("POST", "/api/session/refresh", { body: { refresh_token: body.refresh_token } }))
      .body;
    expect((await bearer(next.access_token, who.account).get("/api/v1/agents")).status).toBe(200);
    wait(STEP_MS);
    expect((await remove(client, codeOf(secret))).status).toBe(204);
    expect(outcome(await client.get("/api/v1/agents"))).toBe(MISSING);
    expect((await client.post("/api/logout")).status).toBe(204);
  });

  it("sessions lose a second factor that was removed although the response of the database was lost", async () => {
    const who = await somebody();
    await who.client.patch(POLICY, { require_second_factor: true });
    const client = await who.session();
    const { secret } = await enrolled(client);
    expect((await client.get("/api/v1/agents")).status).toBe(200);
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { configure } = AccountGate.prototype;
    vi.spyOn(AccountGate.prototype, "configure").mockImplementation(async function (this: AccountGate, batch) {
      const done = await configure.call(this, batch);
      if (batch.tables.includes("second_factors")) throw new Error("the response was lost");
      return done;
    });
    expect((await remove(client, codeOf(secret))).status).toBe(500);
    expect((await client.get(FACTOR)).body).toMatchObject({ enabled: false });
    expect(outcome(await client.get("/api/v1/agents"))).toBe("403 second_factor_missing");
  });

  it("does not affect API keys", async () => {
    const { server, account } = await tenant();
    const who = await person(account);
    await who.client.patch(POLICY, { require_second_factor: true });
    expect((await server.get("/api/v1/agents")).status).toBe(200);
  });

  it("ends the streams of sessions without a second factor", async () => {
    const who = await somebody();
    const request = new Request(`${BASE}/api/v1/events/stream`, { headers: who.client.headers });
    const response = await app.fetch(request, env, createExecutionContext());
    const reader = response.body?.getReader() ?? expect.fail("there is no stream");
    await who.client.patch(POLICY, { require_second_factor: true });
    let hasEnded = false;
    while (!hasEnded) hasEnded = (await reader.read()).done;
    expect(hasEnded).toBe(true);
  });
});

describe("operators of a deployment", () => {
  it("must have a second factor", async () => {
    expect((await (await operator()).get("/api/admin/v1/accounts")).status).toBe(200);
    const { Entrance } = await import("../../../src/account/gate/entrance.ts");
    const { LookUps } = await import("../../../src/kernel/db/look-ups.ts");
    const who = await person("service-admin");
    const entrance = (secondFactorRequired: boolean) =>
      new Entrance({
        account: "service-admin",
        lookUps: new LookUps(env.DB),
        sessions: () => null,
        secondFactorRequired,
        keyLimit: null,
      });
    const session = { id: "s", user: who.id, embedded: true, issuedAt: Date.now() };
    expect(await entrance(true).judge({ session }, null, Date.now())).toMatchObject({
      outcome: "second_factor_missing",
    });
    expect(await entrance(false).judge({ session }, null, Date.now())).toMatchObject({ outcome: "ok" });
  });
});
