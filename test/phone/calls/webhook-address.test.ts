import { env } from "cloudflare:workers";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/kernel/secrets/hashing.ts";
import {
  isAddressOf,
  transferTarget,
  transferUrl,
  type WebhookCall,
  webhookUrl,
} from "../../../src/phone/calls/webhook-url.ts";
import type { Provider } from "../../../src/phone/carriers/carrier.ts";
import { withRinging } from "../../campaign/held-calls.ts";
import { BASE, call, tenant } from "../../support/client.ts";
import { newId } from "../../support/ids.ts";
import { putCall } from "../../support/ledger.ts";
import { caller, getCall, originate, report, slowly, webhookPath } from "./support.ts";

const uuid = () => crypto.randomUUID();
const busy = { status: "busy", reason: "busy" };

/** Creates an account with two ringing sandbox calls. */
async function twoRinging() {
  const who = await caller();
  await slowly(who);
  const placed = await Promise.all([originate(who, "+13035550110"), originate(who, "+13035550120")]);
  const [one = "", other = ""] = placed.map(({ body }) => body.call_id);
  return { who, one, other };
}

/** Creates an account with two calls at Vonage, and a function that reports about one at the other's address. */
async function atVonage() {
  const who = await tenant();
  const signature_secret = "a-secret-of-the-account";
  const created = await who.server.post<{ id: string }>("/api/v1/telephony/providers", {
    provider: "vonage",
    credentials: {
      application_id: uuid(),
      private_key: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
      signature_secret,
    },
  });
  const credentials_id = created.body.id;
  const onRecord = () => {
    const id = newId();
    const at = { provider: "vonage", provider_call_id: `v-${id}`, credentials_id };
    return putCall(who.account, Object.assign(at, { status: "in-progress" }), id);
  };
  const address = async (call_id: string) => {
    const url = await webhookUrl(env, "vonage", { account: who.account, call_id, campaign_id: null, credentials_id });
    return url.slice(BASE.length);
  };
  const send = async (path: string, report: object) => {
    const raw = JSON.stringify(report);
    const token = await new SignJWT({ payload_hash: await sha256Hex(raw) })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuedAt()
      .sign(new TextEncoder().encode(signature_secret));
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    return call("POST", path, { headers, raw });
  };
  return { ...who, one: await onRecord(), other: await onRecord(), address, send };
}

const RECORDING = { recording_uuid: "r-1", recording_url: "https://api.nexmo.com/v1/files/f-1" };

describe("addresses of webhooks", () => {
  it("webhook addresses are short, repeatable and still valid under older keys", async () => {
    const named: WebhookCall = {
      account: "a".repeat(40),
      call_id: uuid(),
      campaign_id: uuid(),
      credentials_id: uuid(),
    };
    const url = await webhookUrl(env, "signalwire", named);
    expect(url).toBe(await webhookUrl(env, "signalwire", named));
    expect(url.length).toBeLessThan(400);
    const token = new URL(url).searchParams.get("token") ?? "";
    const newer = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
    if (!("privateKey" in newer)) return expect.fail("no pair of keys");
    const jwk = { ...(await crypto.subtle.exportKey("jwk", newer.privateKey)), kid: uuid() };
    const SIGNING_KEYS = JSON.stringify([jwk, ...JSON.parse(env.SIGNING_KEYS)]);
    expect(await isAddressOf({ SIGNING_KEYS }, "signalwire", named, token)).toBe(true);
    expect(await isAddressOf({ SIGNING_KEYS: JSON.stringify([jwk]) }, "signalwire", named, token)).toBe(false);
    const others: [Provider, WebhookCall][] = [
      ["vonage", named],
      ["signalwire", { ...named, account: "b" }],
      ["signalwire", { ...named, call_id: uuid() }],
      ["signalwire", { ...named, campaign_id: null }],
      ["signalwire", { ...named, credentials_id: uuid() }],
    ];
    for (const [provider, other] of others) expect(await isAddressOf(env, provider, other, token)).toBe(false);
    for (const bad of ["", "x", token.slice(1), `${token}.`])
      expect(await isAddressOf(env, "signalwire", named, bad)).toBe(false);
  });

  it("hand over only their own call, for two minutes", async () => {
    const call = { account: "a", call_id: uuid() };
    const target = { to_number: "+12025550199", caller_id: "+12025550100" };
    const now = Date.now();
    const url = new URL(await transferUrl(env, `${BASE}/x?token=t`, call, target, now));
    const token = url.searchParams.get("transfer") ?? "";
    const at = (named: typeof call, ms: number) => transferTarget(env, named, token, ms);
    expect(await at(call, now + 119_000)).toEqual(target);
    expect(await at(call, now + 121_000)).toBeNull();
    expect(await at({ account: "b", call_id: call.call_id }, now)).toBeNull();
    expect(await at({ account: "a", call_id: uuid() }, now)).toBeNull();
  });

  it("refuse another call's token and a forged one, like an unsigned report", async () => {
    const { who, one, other } = await twoRinging();
    const before = await getCall(who.server, other);
    const token = new URL(`${BASE}${await webhookPath(who, one)}`).searchParams.get("token");
    const path = `/api/telephony/webhooks/sandbox/${who.account}/${other}`;
    for (const at of [`${path}?token=${token}`, `${path}?token=${"A".repeat(43)}`, `${path}?token=`]) {
      const answer = await report(who, other, busy, { at });
      expect([answer.status, answer.code]).toEqual([403, "forged_webhook"]);
    }
    const named = await report(who, one, busy, { at: `${await webhookPath(who, one)}&campaign=${uuid()}` });
    expect([named.status, named.code]).toEqual([403, "forged_webhook"]);
    expect(await getCall(who.server, other)).toEqual(before);
  });

  it("a webhook address without a token is refused, of a single call and of a campaign's", async () => {
    const { who, one } = await twoRinging();
    const campaign = await withRinging(1);
    const ofCampaign = `${campaign.callId}?campaign=${campaign.path.split("/").at(-1)}`;
    for (const [caller, id, at] of [
      [who, one, one],
      [campaign.who, campaign.callId, ofCampaign],
    ] as const) {
      const path = `/api/telephony/webhooks/sandbox/${caller.account}/${at}`;
      const answer = await report(caller, id, { status: "in-progress" }, { at: path });
      expect([answer.status, answer.code]).toEqual([403, "forged_webhook"]);
    }
    expect(await getCall(who.server, one)).toMatchObject({ connected_at: null });
  });

  it("prevent a recording's report without a call from being accepted for another call", async () => {
    const { one, other, account, address, send } = await atVonage();
    const mine = await address(one);
    const token = new URL(BASE + mine).searchParams.get("token");
    const theirs = `/api/telephony/webhooks/vonage/${account}/${other}`;
    for (const replayed of [theirs, (await address(other)).replace(/token=.*/, `token=${token}`)]) {
      const answer = await send(replayed, RECORDING);
      expect([answer.status, answer.code]).toEqual([403, "forged_webhook"]);
    }
    const ended = (id: string) => ({ uuid: `v-${id}`, status: "completed", to: "13035550110", from: "12025550100" });
    expect((await send(mine, ended(one))).status).toBe(204);
    expect((await send(await address(other), ended(one))).code).toBe("another_call");
    expect((await send(await address(other), ended(other))).status).toBe(204);
  });
});
