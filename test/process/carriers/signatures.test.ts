import { createRequire } from "node:module";
import { verifySignature } from "@vonage/jwt";
import fc from "fast-check";
import TelnyxSdk from "telnyx";
import twilioSdk from "twilio";
import { getExpectedBodyHash as bodyHash } from "twilio/lib/webhooks/webhooks.js";
import { describe, expect, it, vi } from "vitest";
import { type CarrierKind, ForgedWebhook, type Webhook } from "../../../src/phone/carriers/carrier.ts";
import { plivoSignature } from "./plivo.ts";
import { NOW, order, type Subject } from "./subject.ts";
import { subjects } from "./subjects.ts";
import { telnyxPublicKey } from "./telnyx.ts";
import { signature_secret, vonageKey, vonagePublicKey, vonageToken } from "./vonage.ts";

const plivoSdk = createRequire(import.meta.url)("plivo") as {
  validateV3Signature(
    method: string,
    url: string,
    nonce: string,
    token: string,
    signature: string,
    params: object,
  ): boolean;
};

const named = (name: string) => subjects.find((subject) => subject.name === name) as Subject;
function accepts(
  { kind, credentials }: { kind: CarrierKind<never>; credentials: object },
  webhook: Webhook,
  now = NOW,
): Promise<boolean> {
  const carrier = kind.connect(credentials as never, { account: "acme", env: {} as never, fetch, now: () => now });
  return carrier.parseWebhook(webhook).then(
    () => true,
    (error) => {
      expect(error).toBeInstanceOf(ForgedWebhook);
      return false;
    },
  );
}

const field = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/).filter((name) => name !== "__proto__" && !(name in {}));
const value = fc.string({ unit: fc.constantFrom(..."aZ0 +&=%/?é✓\"'<>.,") });
const params = fc.dictionary(field, fc.array(value, { minLength: 1, maxLength: 3 }), { maxKeys: 6 });
const encode = (all: Record<string, string[]>) =>
  new URLSearchParams(
    Object.entries(all).flatMap(([name, values]) => values.map((one): [string, string] => [name, one])),
  ).toString();
const query = fc.dictionary(field, fc.stringMatching(/^[A-Za-z0-9]{1,5}$/), { maxKeys: 3 });
const address = (search: Record<string, string>) => {
  const text = new URLSearchParams(search).toString();
  return `https://switchboard.example/api/hook${text === "" ? "" : `?${text}`}`;
};

describe.each([
  ["twilio", "x-twilio-signature", "auth_token"],
  ["signalwire", "x-signalwire-signature", "signing_key"],
])("%s, whose signatures Twilio's SDK makes", (name, header, key) => {
  const subject = named(name);
  const secret = subject.credentials[key] ?? "";
  const webhook = (url: string, body: string, signature: string) => ({
    method: "POST",
    url,
    body,
    headers: new Headers({ [header]: signature }),
  });

  it("are accepted for any form, repeated fields included", async () => {
    await fc.assert(
      fc.asyncProperty(params, query, async (all, search) => {
        const url = address(search);
        const signature = twilioSdk.getExpectedTwilioSignature(secret, url, all);
        expect(await accepts(subject, webhook(url, encode(all), signature))).toBe(true);
        expect(await accepts(subject, webhook(`${url}x`, encode(all), signature))).toBe(false);
        expect(await accepts(subject, webhook(url, `${encode(all)}&zz=1`, signature))).toBe(false);
      }),
    );
  });
  it("are accepted with the port and without", async () => {
    const signed = (url: string) => twilioSdk.getExpectedTwilioSignature(secret, url, { CallSid: "CA1" });
    const [bare, ported] = ["https://switchboard.example/h?a=1", "https://switchboard.example:443/h?a=1"];
    for (const url of [bare, ported])
      for (const signature of [signed(bare), signed(ported)])
        expect(await accepts(subject, webhook(url, "CallSid=CA1", signature))).toBe(true);
  });
  it("cover a JSON body by its hash in the address", async () => {
    const body = '{"a":1}';
    const url = `https://switchboard.example/h?bodySHA256=${bodyHash(body)}`;
    const signature = twilioSdk.getExpectedTwilioSignature(secret, url, {});
    expect(await accepts(subject, webhook(url, body, signature))).toBe(true);
    expect(await accepts(subject, webhook(url, '{"a":2}', signature))).toBe(false);
  });
});

describe("telnyx, whose SDK checks what we check", () => {
  const subject = named("telnyx");
  const sdk = new TelnyxSdk({ apiKey: "k", publicKey: telnyxPublicKey });
  const sdkAccepts = async ({ body, headers }: Webhook) => {
    // The SDK goes by the machine's clock.
    vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
    try {
      await sdk.webhooks.unwrap(body, { headers: Object.fromEntries(headers) });
      return true;
    } catch {
      return false;
    } finally {
      vi.useRealTimers();
    }
  };
  it("agrees on genuine and altered reports", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom("", " ", "x"), async (json, added) => {
        const webhook = subject.webhook(JSON.stringify(json));
        const altered = { ...webhook, body: webhook.body + added };
        expect(await accepts(subject, altered)).toBe(added === "");
        if (added !== "") expect(await sdkAccepts(altered)).toBe(false);
        else if (json !== null) expect(await sdkAccepts(altered)).toBe(true);
      }),
    );
  });
  it.each([
    [0, true],
    [-300, true],
    [300, true],
    [-301, false],
    [301, false],
    [86_400, false],
  ])("agrees on a report %s s off", async (offset, good) => {
    const webhook = subject.webhook("{}", { now: NOW + offset * 1000 });
    expect([await accepts(subject, webhook), await sdkAccepts(webhook)]).toEqual([good, good]);
  });
  it.each(["", "abc", "12e3", "-1", "1.5", "0x10"])("refuses %j for a time", async (timestamp) => {
    const webhook = subject.webhook("{}");
    webhook.headers.set("telnyx-timestamp", timestamp);
    expect(await accepts(subject, webhook)).toBe(false);
  });
});

describe("plivo, whose SDK checks what we check", () => {
  const subject = named("plivo");
  it("agrees on genuine and altered reports", async () => {
    await fc.assert(
      fc.asyncProperty(params, query, fc.boolean(), async (all, search, alter) => {
        const url = address(search);
        const body = encode(all);
        const signature = plivoSignature("p-secret", url, body, "n-1");
        const [sent, sentAll] = alter ? [`${body}&zz=1`, { ...all, zz: ["1"] }] : [body, all];
        const headers = new Headers({ "x-plivo-signature-v3": signature, "x-plivo-signature-v3-nonce": "n-1" });
        // It takes the fields as latin-1 or UTF-8 alike: the text is what is signed.
        const sdk = plivoSdk.validateV3Signature("POST", url, "n-1", "p-secret", signature, structuredClone(sentAll));
        expect(sdk).toBe(!alter);
        expect(await accepts(subject, { method: "POST", url, headers, body: sent })).toBe(!alter);
      }),
    );
  });
  it("takes any of several signatures, with the port or without", async () => {
    const url = "https://switchboard.example/h";
    const good = plivoSignature("p-secret", url, "a=1", "n");
    const webhook = (at: string, signature: string) => ({
      method: "POST",
      url: at,
      body: "a=1",
      headers: new Headers({ "x-plivo-signature-v3": signature, "x-plivo-signature-v3-nonce": "n" }),
    });
    expect(await accepts(subject, webhook(url, `AAAA,${good}`))).toBe(true);
    expect(await accepts(subject, webhook("https://switchboard.example:443/h", good))).toBe(true);
    expect(await accepts(subject, webhook(url, "AAAA,BBBB"))).toBe(false);
  });
});

describe("vonage, whose SDK checks what we check", () => {
  const subject = named("vonage");
  const claims = async (body: string, more: object = {}) => {
    const { createHash } = await import("node:crypto");
    return { iat: NOW / 1000, payload_hash: createHash("sha256").update(body).digest("hex"), ...more };
  };
  const webhook = (token: string, body: string) => ({
    method: "POST",
    url: order.webhook_url,
    body,
    headers: new Headers({ authorization: `Bearer ${token}` }),
  });

  it("agrees on the token of a report", async () => {
    const good = vonageToken(await claims("{}"));
    const bad = vonageToken(await claims("{}"), "another secret");
    expect([verifySignature(good, signature_secret), verifySignature(bad, signature_secret)]).toEqual([true, false]);
    expect([await accepts(subject, webhook(good, "{}")), await accepts(subject, webhook(bad, "{}"))]).toEqual([
      true,
      false,
    ]);
  });
  it.each<[string, object, object | undefined]>([
    ["no algorithm", {}, { alg: "none" }],
    ["another algorithm", {}, { alg: "HS512" }],
    ["no hash of the body", { payload_hash: undefined }, undefined],
    ["another application", { application_id: "bbbbbbbb-bbbb-4ccc-8ddd-0123456789ab" }, undefined],
    ["no time", { iat: undefined }, undefined],
    ["a time long past", { iat: NOW / 1000 - 3_600 }, undefined],
    ["a time to come", { iat: NOW / 1000 + 3_600 }, undefined],
    ["an end that has passed", { exp: NOW / 1000 - 120 }, undefined],
  ])("refuses a token with %s", async (_, more, header) => {
    expect(
      await accepts(
        subject,
        webhook(vonageToken(await claims("{}", more), signature_secret, header ?? { alg: "HS256", typ: "JWT" }), "{}"),
      ),
    ).toBe(false);
  });
  it("sends a token of the application that the SDK accepts", async () => {
    const { kind, credentials } = subject;
    let sent = "";
    const listen = async (_: unknown, init?: RequestInit) => {
      sent = new Headers(init?.headers).get("authorization")?.slice("Bearer ".length) ?? "";
      return new Response('{"uuid":"u"}', { status: 201 });
    };
    const env = { VONAGE_API_URL: "https://api.nexmo.com" } as never;
    await kind
      .connect(credentials as never, { account: "acme", env, fetch: listen as typeof fetch, now: Date.now })
      .originate(order);
    expect(verifySignature(sent, vonagePublicKey)).toBe(true);
    expect(JSON.parse(Buffer.from(sent.split(".")[1] ?? "", "base64url").toString())).toMatchObject({
      application_id: credentials.application_id,
    });
    expect(JSON.stringify(sent)).not.toContain(vonageKey.slice(60, 90));
  });
});
