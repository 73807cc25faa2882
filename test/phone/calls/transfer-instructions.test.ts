import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { signToken } from "../../../src/kernel/secrets/tokens.ts";
import { transferCall } from "../../../src/phone/calls/transfer-call.ts";
import { transferUrl, webhookUrl } from "../../../src/phone/calls/webhook-url.ts";
import { hmac } from "../../../src/phone/carriers/signature.ts";
import { BASE, call } from "../../support/client.ts";
import { putCall } from "../../support/ledger.ts";
import { caller, setTargets } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const OURS = "+12025550100";
const THEIRS = "+13035550110";
const TARGET = "+12025550177";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

interface Fetching {
  credentials: Record<string, string>;
  /** Returns the address in a transfer's request. */
  address: (body: string) => string | null;
  fields: Record<string, string>;
  /** Returns the headers of a webhook that the carrier has signed. */
  signed(url: string, fields: Record<string, string>): Promise<Record<string, string>>;
  document: string;
}
const CARRIERS: Record<"signalwire" | "plivo", Fetching> = {
  signalwire: {
    credentials: { space: "example", project_id: "P", api_token: "t", signing_key: "s" },
    address: (body) => new URLSearchParams(body).get("Url"),
    fields: { CallSid: "CA1", CallStatus: "in-progress", Direction: "outbound-api", From: OURS, To: THEIRS },
    async signed(url, fields) {
      const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
      return { "x-signalwire-signature": await hmac("SHA-1", "s", url + sorted.flat().join("")) };
    },
    document: `<Dial callerId="${OURS}">${TARGET}</Dial>`,
  },
  plivo: {
    credentials: { auth_id: "MA1", auth_token: "s" },
    address: (body) => JSON.parse(body).aleg_url,
    fields: { CallUUID: "CA1", CallStatus: "in-progress", Direction: "outbound", Event: "StartApp" },
    async signed(url, fields) {
      const [address = "", search = ""] = url.split("?");
      const query = [...new URLSearchParams(search)].map(([name, value]) => `${name}=${value}`).sort();
      const posted = Object.entries(fields)
        .map(([name, value]) => name + value)
        .sort();
      const text = `${address}?${query.join("&")}${query.length > 0 ? "." : ""}${posted.join("")}.n`;
      return { "x-plivo-signature-v3": await hmac("SHA-256", "s", text), "x-plivo-signature-v3-nonce": "n" };
    },
    document: '<Dial callerId="12025550100"><Number>12025550177</Number></Dial>',
  },
};

/** Creates an answered call at the carrier that can be transferred. */
async function talking(provider: keyof typeof CARRIERS, as?: Awaited<ReturnType<typeof caller>>) {
  const who = as ?? (await caller());
  await setTargets(who, { Desk: TARGET });
  const { credentials } = CARRIERS[provider];
  const created = await who.server.post<{ id: string }>("/api/v1/telephony/providers", { provider, credentials });
  const store = accountStore(env, who.account, { actor: "test", request_id: "" });
  const id = await putCall(who.account, {
    status: "in-progress",
    agent_id: who.agent_id,
    from_number: OURS,
    to_number: THEIRS,
    provider,
    credentials_id: created.body.id,
    provider_call_id: "CA1",
    connected_at: new Date().toISOString(),
  });
  return { ...who, id, context: () => ({ env, store, now: Date.now() }) };
}

/** Transfers the call; returns the path that its carrier must fetch. */
async function transferredPath(
  provider: keyof typeof CARRIERS,
  { context, id, agent_id }: Awaited<ReturnType<typeof talking>>,
) {
  const bodies: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
    bodies.push(String(init?.body));
    return Response.json({ sid: "CA1", status: "in-progress", message: "call transfered" }, { status: 202 });
  });
  await transferCall(context(), { callId: id, agentId: agent_id, toNumber: TARGET });
  vi.restoreAllMocks();
  const [url = ""] = bodies.map(CARRIERS[provider].address);
  expect(url?.startsWith(`${BASE}/api/telephony/webhooks/${provider}/`)).toBe(true);
  return String(url).slice(BASE.length);
}

/** Fetches the path as the carrier does. */
async function fetched(provider: keyof typeof CARRIERS, path: string, change: Record<string, string> = {}) {
  const { fields, signed } = CARRIERS[provider];
  const sent = { ...fields, ...change };
  const headers = { ...FORM, ...(await signed(BASE + path, sent)) };
  return call<string>("POST", path, { headers, raw: new URLSearchParams(sent).toString() });
}

describe.each(["signalwire", "plivo"] as const)("a call handed over at %s", (provider) => {
  const { document } = CARRIERS[provider];

  it("a handed-over call is connected by the service's instructions, even if they are fetched twice", async () => {
    const one = await talking(provider);
    const path = await transferredPath(provider, one);
    for (let times = 0; times < 2; times++) {
      const answer = await fetched(provider, path);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringContaining("xml")]);
      expect(answer.body).toBe(`<?xml version="1.0" encoding="UTF-8"?><Response>${document}</Response>`);
    }
    const { body } = await one.server.get(`/api/v1/calls/${one.id}`);
    expect(body).toMatchObject({ status: "in-progress", provider_call_id: "CA1" });
  });

  it("a handed-over campaign call is connected through the campaign's webhook address", async () => {
    const { id: call_id, account, server } = await talking(provider);
    const list = await server.get<{ providers: { id: string }[] }>("/api/v1/telephony/providers");
    const credentials_id = list.body.providers[0]?.id ?? "";
    const one = { account, call_id, campaign_id: crypto.randomUUID(), credentials_id };
    const target = { to_number: TARGET, caller_id: OURS };
    const url = await transferUrl(env, await webhookUrl(env, provider, one), one, target, Date.now());
    const answer = await fetched(provider, url.slice(BASE.length));
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining(document)]);
  });

  it("gets no instructions without the carrier's signature", async () => {
    const path = await transferredPath(provider, await talking(provider));
    const raw = new URLSearchParams(CARRIERS[provider].fields).toString();
    expect((await call("POST", path, { headers: FORM, raw })).status).toBe(403);
    const headers = { ...FORM, ...(await CARRIERS[provider].signed(`${BASE}${path}x`, CARRIERS[provider].fields)) };
    expect((await call("POST", path, { headers, raw })).code).toBe("forged_webhook");
  });

  it("a handed-over call gets no instructions for a target that was not just requested", async () => {
    const one = await talking(provider);
    const path = await transferredPath(provider, one);
    const [own = "", token = ""] = path.split("&transfer=");
    const refused = { status: 403, code: "transfer_not_ordered" };
    // The path belongs to another call of the same account at the same carrier.
    const [theirs] = (await transferredPath(provider, await talking(provider, one))).split("&transfer=");
    expect(await fetched(provider, `${theirs}&transfer=${token}`)).toMatchObject(refused);
    const [head, claims, signature] = token.split(".");
    const forged = btoa(atob(String(claims)).replace(TARGET, "+19005550100")).replace(/=+$/, "");
    for (const bad of ["", "x", `${head}.${forged}.${signature}`, `${token}x`, TARGET]) {
      expect(await fetched(provider, `${own}&transfer=${encodeURIComponent(bad)}`)).toMatchObject(refused);
    }
    // A token of the service for another purpose is refused, whatever it contains.
    const otherClaims = { sub: one.id, account: one.account, to: "+19005550100", from: OURS };
    const session = await signToken(env.SIGNING_KEYS, "runtime", otherClaims, 900, Date.now());
    expect(await fetched(provider, `${own}&transfer=${session}`)).toMatchObject(refused);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 121_000 });
    expect(await fetched(provider, path)).toMatchObject(refused);
  });

  it("a handed-over call's instructions do not connect another call of the carrier", async () => {
    const path = await transferredPath(provider, await talking(provider));
    const another = { ...(provider === "plivo" ? { CallUUID: "CA2", RequestUUID: "CA2" } : { CallSid: "CA2" }) };
    expect(await fetched(provider, path, another)).toMatchObject({ status: 403, code: "another_call" });
  });
});
