import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BASE, tenant } from "../../support/client.ts";
import { numberCarriers } from "../../support/number-carriers/index.ts";
import type { NumberCarrier } from "../../support/number-carriers/stand-in.ts";
import { addressOf, byName, type Check, fixes, lineAt, NUMBER, NUMBERS, PROVIDERS } from "./carrier-support.ts";

afterEach(() => vi.restoreAllMocks());

type Checked = { checks: Check[] };
const names = Object.keys(numberCarriers) as NumberCarrier["name"][];
const ORDER = ["owned", "webhook_reachable", "inbound_address", "runtime_reachable"];
const writes = ({ requests }: NumberCarrier) => requests.filter(({ method }) => method !== "GET").length;

describe("the check of a number", () => {
  it.each(names)("a check finds a correct number at %s without changing anything", async (name) => {
    const line = await lineAt(name);
    line.carrier.own({ e164: NUMBER });
    line.carrier.lead(NUMBER, line.address);
    const id = await line.register();
    for (const path of [`${NUMBERS}/${id}/check`, `${NUMBERS}/${id}/check?fix=inbound`]) {
      const { status, body } = await line.post<Checked>(path);
      expect(status).toBe(200);
      expect(body.checks.map(({ name: check, ok }) => [check, ok])).toEqual(ORDER.map((check) => [check, true]));
      for (const { detail } of body.checks) expect(detail).toMatch(/^[A-Z].*\.$/);
    }
    expect(writes(line.carrier)).toBe(0);
    expect(await fixes(line.who)).toEqual([]);
  });

  it.each(names)("a check sets the address at %s on request, once, reporting the old and the new one", async (name) => {
    const line = await lineAt(name);
    line.carrier.own({ e164: NUMBER });
    const [, arrange, expected] = line.carrier.astray.find(([what]) => what === "another address") ?? expect.fail();
    arrange(NUMBER, line.address);
    const id = await line.register();

    const looked = byName((await line.post<Checked>(`${NUMBERS}/${id}/check`)).body).inbound_address;
    expect(looked?.ok).toBe(false);
    expect(looked?.detail).toMatch(expected);
    expect([writes(line.carrier), await fixes(line.who)]).toEqual([0, []]);

    const fixed = byName((await line.post<Checked>(`${NUMBERS}/${id}/check?fix=inbound`)).body).inbound_address;
    expect(fixed?.ok).toBe(true);
    expect(fixed?.detail).toMatch(/^Before: .*old\.example.* Now: Incoming calls are sent to this service.*\.$/);
    expect(fixed?.detail).not.toContain("s3cret");
    expect(await fixes(line.who)).toMatchObject([{ resource: "phone_number", resource_id: id }]);

    const writesBefore = writes(line.carrier);
    expect(writesBefore).toBeGreaterThan(0);
    const again = byName((await line.post<Checked>(`${NUMBERS}/${id}/check?fix=inbound`)).body).inbound_address;
    expect([again?.ok, writes(line.carrier), (await fixes(line.who)).length]).toEqual([true, writesBefore, 1]);
  });

  it("a check finds a sandbox number correct without a request to a carrier", async () => {
    const { server } = await tenant();
    const { id } = (await server.post<{ id: string }>(NUMBERS, { e164: NUMBER, provider: "sandbox" })).body;
    const fetched = vi.spyOn(globalThis, "fetch");
    const { body } = await server.post<Checked>(`${NUMBERS}/${id}/check?fix=inbound`);
    expect(body.checks.map(({ name, ok }) => [name, ok])).toEqual(ORDER.map((check) => [check, true]));
    expect(byName(body).inbound_address?.detail).toContain("No agent is assigned");
    expect(fetched).not.toHaveBeenCalled();
  });

  it("a check accepts the built-in runtime if the carrier converts speech into text", async () => {
    const line = await lineAt("twilio");
    const id = await line.register();
    const { body } = await line.post<Checked>(`${NUMBERS}/${id}/check`, { VOICE_RUNTIME_URL: "" });
    expect(byName(body).runtime_reachable).toMatchObject({ ok: true, detail: expect.stringContaining("own runtime") });
    expect(line.reached).toEqual([]);
  });
});

describe("faults that the check of a number reports", () => {
  it("a check reports that the carrier account does not have the number", async () => {
    const line = await lineAt("twilio");
    line.carrier.own({ e164: `${NUMBER}1` });
    const id = await line.register();
    const { owned, inbound_address } = byName((await line.post<Checked>(`${NUMBERS}/${id}/check?fix=inbound`)).body);
    expect(owned).toMatchObject({ ok: false, detail: expect.stringContaining("does not have the number") });
    expect(inbound_address?.ok).toBe(false);
    expect([writes(line.carrier), await fixes(line.who)]).toEqual([0, []]);
  });

  it.each(names)("a check reports why %s could not be reached before it continues with the rest", async (name) => {
    const line = await lineAt(name);
    const id = await line.register();
    line.carrier.intercept = () => new Response("no", { status: 503 });
    const { status, body } = await line.post<Checked>(`${NUMBERS}/${id}/check?fix=inbound`);
    expect(status).toBe(200);
    expect(body.checks.map(({ ok }) => ok)).toEqual([false, true, false, true]);
    expect(byName(body).owned?.detail).toBe(`The carrier could not be checked: ${name} answered 503.`);
    expect(await fixes(line.who)).toEqual([]);
  });

  it("a check reports an uncertain change if the carrier does not answer", async () => {
    const line = await lineAt("twilio");
    line.carrier.own({ e164: NUMBER });
    const id = await line.register();
    line.carrier.intercept = ({ method }) => (method === "POST" ? new Response("", { status: 502 }) : null);
    const { inbound_address } = byName((await line.post<Checked>(`${NUMBERS}/${id}/check?fix=inbound`)).body);
    expect(inbound_address).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/^Before: No address is set.*unclear/),
    });
    expect(await fixes(line.who)).toHaveLength(1);
  });

  it("a check reports what the carrier refuses to set", async () => {
    const line = await lineAt("twilio");
    line.carrier.own({ e164: NUMBER });
    const id = await line.register();
    const refusal = { code: 21402, message: "VoiceUrl is not valid" };
    line.carrier.intercept = ({ method }) => (method === "POST" ? Response.json(refusal, { status: 400 }) : null);
    const { inbound_address } = byName((await line.post<Checked>(`${NUMBERS}/${id}/check?fix=inbound`)).body);
    expect(inbound_address).toMatchObject({
      ok: false,
      detail: expect.stringContaining("21402 VoiceUrl is not valid"),
    });
  });

  it.each([
    ["are gone", "UPDATE phone_numbers SET credentials_id = NULL WHERE account = ?"],
    ["were deleted", "UPDATE telephony_providers SET deleted_at = '2026-11-21T09:30:00.000Z' WHERE account = ?"],
  ])("a check reports that the credentials of a number %s, without a request to a carrier", async (_, statement) => {
    const line = await lineAt("twilio");
    const id = await line.register();
    await env.DB.prepare(statement).bind(line.who.account).run();
    const { status, body } = await line.post<Checked>(`${NUMBERS}/${id}/check?fix=inbound`);
    expect([status, body.checks.map(({ ok }) => ok)]).toEqual([200, [false, true, false, true]]);
    expect(byName(body).owned?.detail).toContain("register the number again with stored credentials");
    expect(line.carrier.requests).toEqual([]);
  });

  it("a check reports that a number takes no calls without setting an address for it", async () => {
    const line = await lineAt("twilio");
    line.carrier.own({ e164: NUMBER });
    const id = await line.register({ inbound_enabled: false });
    const { inbound_address } = byName((await line.post<Checked>(`${NUMBERS}/${id}/check?fix=inbound`)).body);
    expect(inbound_address).toMatchObject({
      ok: false,
      detail: expect.stringContaining("is not enabled for incoming calls here"),
    });
    expect(writes(line.carrier)).toBe(0);
  });

  it("a check reports that no agent would answer the number", async () => {
    const line = await lineAt("twilio");
    line.carrier.own({ e164: NUMBER });
    line.carrier.lead(NUMBER, line.address);
    const id = await line.register({ agent_id: null });
    const { inbound_address } = byName((await line.post<Checked>(`${NUMBERS}/${id}/check`)).body);
    expect(inbound_address).toMatchObject({ ok: true, detail: expect.stringContaining("No agent is assigned") });
  });

  it("a check tells the number's own address from one of other credentials", async () => {
    const line = await lineAt("twilio");
    line.carrier.own({ e164: NUMBER });
    const other = await line.who.server.post<{ id: string }>(PROVIDERS, {
      provider: "twilio",
      credentials: line.carrier.credentials,
    });
    line.carrier.lead(NUMBER, addressOf("twilio", line.who, other.body.id));
    const id = await line.register();
    expect(byName((await line.post<Checked>(`${NUMBERS}/${id}/check`)).body).inbound_address?.ok).toBe(false);
  });
});

describe("addresses in the check of a number", () => {
  const ELSEWHERE = "https://worker.example";
  const check = async (vars: Partial<Env>, base = BASE, health?: () => Response | Promise<Response>) => {
    const line = await lineAt("twilio");
    if (health) line.elsewhere.health = health;
    const id = await line.register();
    const { status, body } = await line.post<Checked>(`${NUMBERS}/${id}/check`, vars, base);
    expect(status).toBe(200);
    return { ...byName(body), reached: line.reached };
  };

  it("a check trusts a request that arrived by the address without requesting it again", async () => {
    const { webhook_reachable, reached } = await check({});
    expect(webhook_reachable).toMatchObject({
      ok: true,
      detail: expect.stringContaining("this request arrived through it"),
    });
    expect(reached).not.toContain(`${BASE}/healthz`);
  });

  it("a check requests the address's health if it was itself requested at another address", async () => {
    const { webhook_reachable, reached } = await check({}, ELSEWHERE);
    expect(webhook_reachable).toMatchObject({ ok: true, detail: `PUBLIC_URL (${BASE}) answers.` });
    expect(reached).toContain(`${BASE}/healthz`);
  });

  it.each([
    [
      "answers as something else does",
      () => new Response("error code: 1042", { status: 404 }),
      /answered GET \/healthz with 404/,
    ],
    [
      "answers with a page",
      () => new Response("<html>hello</html>"),
      /answered GET \/healthz with 200, unlike this service/,
    ],
    [
      "leads elsewhere",
      () => new Response(null, { status: 302, headers: { location: "https://evil.example/" } }),
      /redirect/,
    ],
    ["cannot be reached", () => Promise.reject(new TypeError("closed")), /could not be reached/],
  ])("a check reports that the address %s, with the next step", async (_, health, expected) => {
    const { webhook_reachable } = await check({}, ELSEWHERE, health);
    expect(webhook_reachable?.ok).toBe(false);
    expect(webhook_reachable?.detail).toMatch(expected);
    expect(webhook_reachable?.detail).toContain("Run this check through that address instead");
  });

  it.each([
    ["http://switchboard.test", /can only reach a public https address/],
    ["https://localhost:8787", /can only reach a public https address/],
    ["https://10.0.0.7", /can only reach a public https address/],
    ["", /PUBLIC_URL is not set/],
    ["nonsense", /PUBLIC_URL is not set/],
  ])("a check reports that no carrier reaches %j without requesting it", async (PUBLIC_URL, expected) => {
    const { webhook_reachable, reached, inbound_address } = await check({ PUBLIC_URL }, ELSEWHERE);
    expect(webhook_reachable).toMatchObject({ ok: false, detail: expect.stringMatching(expected) });
    expect(inbound_address?.ok).toBe(false);
    expect(reached).toEqual(["https://media.example/ws"]);
  });

  it("a check reports the runtime as down together with the service's own address", async () => {
    const { runtime_reachable } = await check({ VOICE_RUNTIME_URL: "", PUBLIC_URL: "http://localhost" }, ELSEWHERE);
    expect(runtime_reachable).toMatchObject({ ok: false, detail: expect.stringContaining("see webhook_reachable") });
  });

  it.each([
    ["ws://media.example/ws", /must be a public wss address/],
    ["wss://localhost/ws", /must be a public wss address/],
    ["https://media.example/ws", /is not a ws or wss address/],
    ["nonsense", /is not a ws or wss address/],
  ])("a check reports that calls cannot be connected to %j without trying", async (VOICE_RUNTIME_URL, expected) => {
    const { runtime_reachable, reached } = await check({ VOICE_RUNTIME_URL });
    expect(runtime_reachable).toMatchObject({ ok: false, detail: expect.stringMatching(expected) });
    expect(reached).toEqual([]);
  });

  it("a check reports that a carrier that streams audio needs a runtime", async () => {
    const line = await lineAt("plivo");
    const id = await line.register();
    const { body } = await line.post<Checked>(`${NUMBERS}/${id}/check`, { VOICE_RUNTIME_URL: "" });
    expect(byName(body).runtime_reachable?.detail).toBe(
      "There is nothing to connect calls to: plivo streams audio, and VOICE_RUNTIME_URL is not set.",
    );
  });

  it.each([
    ["takes a connection", connected, true, /accepts connections/],
    ["wants a session", () => new Response("", { status: 401 }), true, /refuses connections without a session \(401\)/],
    ["is something else", () => new Response("hello"), false, /answered a WebSocket request with 200/],
    ["is down", () => new Response("", { status: 502 }), false, /with 502/],
    ["does not answer", () => Promise.reject(new TypeError("closed")), false, /did not answer/],
  ])("a check connects to the media runtime: one that %s", async (_, runtime, ok, expected) => {
    const line = await lineAt("twilio");
    line.elsewhere.runtime = runtime;
    const id = await line.register();
    const { runtime_reachable } = byName((await line.post<Checked>(`${NUMBERS}/${id}/check`)).body);
    expect(runtime_reachable?.ok).toBe(ok);
    expect(runtime_reachable?.detail).toMatch(expected);
    expect(line.reached).toEqual(["https://media.example/ws"]);
  });
});

function connected(): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  return new Response(null, { status: 101, webSocket: client });
}

describe("invalid and foreign requests to check a number", () => {
  it("a check answers 404 for an unknown number, 400 for an unknown fix or 503 without encryption", async () => {
    const line = await lineAt("twilio");
    const id = await line.register();
    expect((await line.post(`${NUMBERS}/0190b1a0-0000-7000-8000-000000000000/check`)).status).toBe(404);
    expect((await line.post(`${NUMBERS}/nonsense/check`)).status).toBe(404);
    expect((await line.post(`${NUMBERS}/${id}/check?fix=everything`)).status).toBe(400);
    expect((await line.post(`${NUMBERS}/${id}/check`, { ENCRYPTION_KEYS: "" })).code).toBe("encryption_unavailable");
    expect(line.carrier.requests).toEqual([]);
  });

  it("a check never changes another account's number", async () => {
    const line = await lineAt("twilio");
    line.carrier.own({ e164: NUMBER });
    const id = await line.register();
    const other = await tenant();
    expect((await other.server.post(`${NUMBERS}/${id}/check?fix=inbound`)).status).toBe(404);
    expect(line.carrier.requests).toEqual([]);
    expect(await fixes(line.who)).toEqual([]);
  });

  it.each(names)("a check reveals no secret of %s, even if the carrier repeats it", async (name) => {
    const line = await lineAt(name);
    const id = await line.register();
    const secrets = JSON.stringify(line.carrier.credentials);
    const words = {
      message: secrets,
      error: secrets,
      detail: secrets,
      title: secrets,
      "error-code-label": secrets,
      errors: [{ message: secrets, detail: secrets, code: "1" }],
    };
    line.carrier.intercept = () => Response.json(words, { status: 400 });
    const { body } = await line.post<Checked>(`${NUMBERS}/${id}/check?fix=inbound`);
    const shown = JSON.stringify(body);
    for (const [field, secret] of Object.entries(line.carrier.credentials))
      if (/token|secret|private_key|^api_key$/.test(field) && secret.length > 8) expect(shown).not.toContain(secret);
  });
});
