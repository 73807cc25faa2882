import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { signText } from "../../../src/kernel/secrets/tokens.ts";
import { Vault } from "../../../src/kernel/secrets/vault.ts";
import { PROVIDERS } from "../../../src/phone/carriers/carrier.ts";
import { SANDBOX_WEBHOOK } from "../../../src/phone/carriers/sandbox-carrier.ts";
import { hmac } from "../../../src/phone/carriers/signature.ts";
import { BASE, type Client, type Tenant, tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { type Calls, webhookPath } from "../calls/support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Twilio's API on this machine, so that a call without a runtime is connected. */
const LOCAL = { TWILIO_API_URL: "http://127.0.0.1:9000" };

const addCredentials = async (server: Client, auth_token: string, provider = "twilio") => {
  const credentials =
    provider === "twilio"
      ? { account_sid: "AC1", auth_token }
      : { space: "example", project_id: "P-1", api_token: "t", signing_key: auth_token };
  const created = await server.post<{ id: string }>("/api/v1/telephony/providers", { provider, credentials });
  return { id: created.body.id, auth_token };
};
type Credentials = Awaited<ReturnType<typeof addCredentials>>;

async function account() {
  const who = await tenant();
  const agent = await who.server.post<{ id: string }>("/api/v1/agents", { name: "Ada", status: "active" });
  const addNumber = (e164: string, { id }: Credentials) =>
    who.server.post<{ id: string }>("/api/v1/telephony/numbers", { e164, credentials_id: id, agent_id: agent.body.id });
  return { ...who, addNumber };
}

/** Sends a signed inbound call; returns its answer and how many credentials were decrypted. */
async function ring(
  { account }: Pick<Tenant, "account">,
  to: string,
  { auth_token }: Pick<Credentials, "auth_token">,
  query = "",
  fields: Record<string, string> = {},
) {
  const url = `${BASE}/api/telephony/inbound/twilio/${account}${query}`;
  const CallSid = `CA${crypto.randomUUID()}`;
  const form = { CallSid, CallStatus: "ringing", From: "+13035550106", To: to, ...fields };
  const sorted = Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = url + sorted.map(([name, value]) => name + value).join("");
  const headers = { "x-twilio-signature": await hmac("SHA-1", auth_token, text) };
  const opened = vi.spyOn(Vault.prototype, "open");
  const request = new Request(url, { method: "POST", headers, body: new URLSearchParams(form) });
  const response = await app.fetch(request, { ...env, ...LOCAL }, createExecutionContext());
  const answer = await response.text();
  const outcome = answer.includes("<Connect ")
    ? "connected"
    : answer.includes("<Say>")
      ? "turned away"
      : response.status;
  const times = opened.mock.calls.length;
  opened.mockRestore();
  return { outcome, opened: times };
}

describe("the credentials an inbound call is checked by", () => {
  it("an inbound call is checked by the account's only credentials of the carrier if the address names none", async () => {
    const who = await account();
    const own = await addCredentials(who.server, "one");
    await addCredentials(who.server, "signalwire", "signalwire");
    await who.addNumber("+12025550101", own);
    expect(await ring(who, "+12025550101", own)).toEqual({ outcome: "connected", opened: 1 });
    expect(await ring(who, "+12025550199", own)).toEqual({ outcome: "turned away", opened: 1 });
    expect(await ring(who, "+12025550101", { auth_token: "other" })).toEqual({ outcome: 403, opened: 1 });
  });

  it("an inbound call is checked by the dialed number's credentials if there are several", async () => {
    const who = await account();
    const [one, two] = [await addCredentials(who.server, "one"), await addCredentials(who.server, "two")];
    await who.addNumber("+12025550101", one);
    await who.addNumber("+12025550102", two);
    expect(await ring(who, "+12025550101", one)).toEqual({ outcome: "connected", opened: 1 });
    expect(await ring(who, "+12025550102", two)).toEqual({ outcome: "connected", opened: 1 });
    expect(await ring(who, "+12025550102", one)).toEqual({ outcome: 403, opened: 1 });
    expect(await ring(who, "+12025550199", one)).toEqual({ outcome: 403, opened: 0 });
  });

  it("an inbound call is checked by exactly the credentials that the address names", async () => {
    const who = await account();
    const [one, two] = [await addCredentials(who.server, "one"), await addCredentials(who.server, "two")];
    const other = await addCredentials((await account()).server, "one");
    await who.addNumber("+12025550101", one);
    const named = (id: string) => `?credentials=${id}`;
    expect(await ring(who, "+12025550101", one, named(one.id))).toEqual({ outcome: "connected", opened: 1 });
    expect(await ring(who, "+12025550199", one, named(one.id))).toEqual({ outcome: "turned away", opened: 1 });
    expect(await ring(who, "+12025550101", one, named(two.id))).toEqual({ outcome: 403, opened: 1 });
    expect(await ring(who, "+12025550101", two, named(two.id))).toEqual({ outcome: "turned away", opened: 1 });
    expect(await ring(who, "+12025550101", one, named(other.id))).toEqual({ outcome: 403, opened: 0 });
    expect(await ring(who, "+12025550101", one, named(crypto.randomUUID()))).toEqual({ outcome: 403, opened: 0 });
    expect(await ring(who, "+12025550101", one, named("one"))).toEqual({ outcome: 400, opened: 0 });
  });

  it("an event is checked by its call's credentials even if they were deleted since", async () => {
    const who = await account();
    const [one, two] = [await addCredentials(who.server, "one"), await addCredentials(who.server, "two")];
    const number = await who.addNumber("+12025550101", one);
    await who.addNumber("+12025550102", two);
    const CallSid = "CA-known";
    expect((await ring(who, "+12025550101", one, "", { CallSid })).outcome).toBe("connected");
    await who.server.delete(`/api/v1/telephony/numbers/${number.body.id}`);
    expect((await who.server.delete(`/api/v1/telephony/providers/${one.id}`)).status).toBeLessThan(300);
    const event = { CallSid, CallStatus: "completed" };
    expect(await ring(who, "+12025550102", two, "", event)).toEqual({ outcome: 403, opened: 1 });
    expect(await ring(who, "+12025550101", one, "", event)).toEqual({ outcome: 204, opened: 1 });
    expect(await ring(who, "+12025550101", one)).toMatchObject({ outcome: 403 });
    const named = `?credentials=${one.id}`;
    expect(await ring(who, "+12025550101", one, named, event)).toEqual({ outcome: 204, opened: 1 });
    expect(await ring(who, "+12025550101", one, named)).toEqual({ outcome: 403, opened: 1 });
    expect((await who.server.get<Calls>("/api/v1/calls")).body.calls).toMatchObject([{ status: "completed" }]);
  });

  it("an account without credentials has none to check a call by", async () => {
    const who = await account();
    expect(await ring(who, "+12025550101", { auth_token: "none" })).toEqual({ outcome: 403, opened: 0 });
  });
});

describe("a webhook for an account that does not exist", () => {
  const invented = () => `invented-${crypto.randomUUID().slice(0, 8)}`;

  it.each(PROVIDERS)("a webhook of %s for an unknown account reaches no object", async (provider) => {
    for (const query of ["", `?campaign=${crypto.randomUUID()}&credentials=${crypto.randomUUID()}`]) {
      const path = `/api/telephony/webhooks/${provider}/${invented()}/${crypto.randomUUID()}${query}`;
      const report = await countRoundTrips(path, {}, { method: "POST", body: {} });
      expect([report.status, report.objects]).toEqual([403, 0]);
    }
    const call = await countRoundTrips(
      `/api/telephony/inbound/${provider}/${invented()}`,
      {},
      { method: "POST", body: {} },
    );
    expect([call.status, call.objects]).toEqual([403, 0]);
  });

  it("a webhook signed like the sandbox's reaches no object", async () => {
    const account = invented();
    const inbound = `/api/telephony/inbound/sandbox/${account}`;
    const body = { provider_call_id: "in-1", from_number: "+13035550106", to_number: "+12025550100" };
    const webhook = await webhookPath({ account }, crypto.randomUUID());
    const report = { provider_call_id: "x", status: "completed", answered_by: null, reason: "", recording: null };
    for (const [path, sent, status] of [
      [inbound, body, 403],
      [inbound, report, 404],
      [webhook, report, 404],
    ] as const) {
      const signature = await signText(env.SIGNING_KEYS, SANDBOX_WEBHOOK, `${BASE}${path}\n${JSON.stringify(sent)}`);
      const trips = await countRoundTrips(path, { "x-sandbox-signature": signature }, { method: "POST", body: sent });
      expect([path, trips.status, trips.objects]).toEqual([path, status, 0]);
    }
  });
});
