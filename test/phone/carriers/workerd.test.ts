import { env } from "cloudflare:workers";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/kernel/secrets/hashing.ts";
import {
  type CarrierContext,
  type CarrierKind,
  CarrierUncertain,
  ForgedWebhook,
} from "../../../src/phone/carriers/carrier.ts";
import { plivo } from "../../../src/phone/carriers/plivo.ts";
import { signalwire } from "../../../src/phone/carriers/signalwire.ts";
import { base64, fieldsOf, hmac } from "../../../src/phone/carriers/signature.ts";
import { telnyx } from "../../../src/phone/carriers/telnyx.ts";
import { twilio } from "../../../src/phone/carriers/twilio.ts";
import { vonage } from "../../../src/phone/carriers/vonage.ts";
import { privateKey } from "./support.ts";

const now = Date.parse("2026-11-21T09:30:00.000Z");
const url = "https://switchboard.example/api/telephony/webhooks/x/acme/c1";
const order = {
  account: "acme",
  call_id: "c1",
  from_number: "+12025550100",
  to_number: "+12025550199",
  webhook_url: url,
  session_token: "token",
  greeted_token: "token",
  runtime_url: "wss://media.example/ws",
  relay: null,
  language: "en-US",
  disclosure: null,
  recording: { announcement: null },
  detects_machines: true,
  leaves_message: false,
  ring_timeout: 60,
  max_duration: 600,
};

/** A carrier's kind with credentials, a signed webhook, and the answer to a placed call. */
interface Case {
  kind: CarrierKind;
  credentials: Record<string, string>;
  host: string;
  placed: object;
  signed(): Promise<{ headers: Record<string, string>; body: string }>;
}

const laml = async (header: string, key: string) => {
  const body = "CallSid=CA1&CallStatus=completed";
  const fields = [...fieldsOf(body)].map(([name, [value]]) => name + value).join("");
  return { headers: { [header]: await hmac("SHA-1", key, url + fields) }, body };
};

const cases: Record<string, () => Promise<Case>> = {
  twilio: async () => ({
    kind: twilio as CarrierKind,
    credentials: { account_sid: "AC1", auth_token: "s" },
    host: "api.twilio.com",
    placed: { sid: "CA1", status: "queued" },
    signed: () => laml("x-twilio-signature", "s"),
  }),
  signalwire: async () => ({
    kind: signalwire as CarrierKind,
    credentials: { space: "example", project_id: "P", api_token: "t", signing_key: "s" },
    host: "example.signalwire.com",
    placed: { sid: "CA1", status: "queued" },
    signed: () => laml("x-signalwire-signature", "s"),
  }),
  telnyx: async () => {
    const pair = (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair;
    const raw = (await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer;
    const body =
      '{"data":{"event_type":"call.hangup","id":"e","payload":{"call_control_id":"v","hangup_cause":"normal_clearing"}}}';
    return {
      kind: telnyx as CarrierKind,
      credentials: { api_key: "k", connection_id: "1", public_key: base64(new Uint8Array(raw)) },
      host: "api.telnyx.com",
      placed: { data: { call_control_id: "v" } },
      async signed() {
        const text = new TextEncoder().encode(`${now / 1000}|${body}`);
        const signature = base64(new Uint8Array(await crypto.subtle.sign("Ed25519", pair.privateKey, text)));
        return { headers: { "telnyx-timestamp": `${now / 1000}`, "telnyx-signature-ed25519": signature }, body };
      },
    };
  },
  vonage: async () => ({
    kind: vonage as CarrierKind,
    credentials: {
      application_id: "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab",
      private_key: await privateKey(),
      signature_secret: "s",
    },
    host: "api.nexmo.com",
    placed: { uuid: "u" },
    async signed() {
      const body = '{"uuid":"u","status":"completed"}';
      const token = new SignJWT({ payload_hash: await sha256Hex(body) }).setProtectedHeader({ alg: "HS256" });
      const secret = new TextEncoder().encode("s");
      return { headers: { authorization: `Bearer ${await token.setIssuedAt(now / 1000).sign(secret)}` }, body };
    },
  }),
  plivo: async () => ({
    kind: plivo as CarrierKind,
    credentials: { auth_id: "MA1", auth_token: "s" },
    host: "api.plivo.com",
    placed: { request_uuid: "p" },
    async signed() {
      const signature = await hmac("SHA-256", "s", `${url}?CallStatuscompletedCallUUIDp.n`);
      const headers = { "x-plivo-signature-v3": signature, "x-plivo-signature-v3-nonce": "n" };
      return { headers, body: "CallUUID=p&CallStatus=completed" };
    },
  }),
};

describe.each(Object.entries(cases))("%s in the Worker's runtime", (_, make) => {
  const connect = ({ kind, credentials }: Case, fetch: CarrierContext["fetch"]) =>
    kind.connect(kind.credentials.parse(credentials), { account: "acme", env, fetch, now: () => now, timeout_ms: 50 });

  it("places a call at the address that is configured by default", async () => {
    const one = await make();
    const sent: { url: string; method: string | undefined; headers: Headers }[] = [];
    const carrier = connect(one, async (input, init) => {
      sent.push({ url: String(input), method: init?.method, headers: new Headers(init?.headers) });
      return Response.json(one.placed, { status: 201 });
    });
    expect((await carrier.originate(order)).provider_call_id).not.toBe("");
    expect(sent.map((request) => [request.method, new URL(request.url).host])).toEqual([["POST", one.host]]);
    expect(sent[0]?.headers.get("authorization")).toMatch(/^(Basic|Bearer) \S+$/);
  });

  it("distinguishes a genuine webhook from a forged one", async () => {
    const one = await make();
    const carrier = connect(one, () => Promise.reject(new Error("no network")));
    const { headers, body } = await one.signed();
    const webhook = { method: "POST", url, headers: new Headers(headers), body };
    expect((await carrier.parseWebhook(webhook)).map(({ status }) => status)).toEqual(["completed"]);
    await expect(carrier.parseWebhook({ ...webhook, body: `${body}&a=b` })).rejects.toThrow(ForgedWebhook);
  });

  it("an order whose answer never comes is uncertain", async () => {
    const carrier = connect(
      await make(),
      (_input, init) =>
        new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason))),
    );
    await expect(carrier.originate(order)).rejects.toThrow(CarrierUncertain);
  });
});
