import { createHash, verify } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CarrierKind, ForgedWebhook, type Webhook } from "../../../src/phone/carriers/carrier.ts";
import { twilioSignature } from "../support/twilio-signature.ts";
import { plivoSignature } from "./plivo.ts";
import { NOW, order, type Subject, TELNYX_CLOCK } from "./subject.ts";
import { subjects } from "./subjects.ts";
import { signature_secret, vonageKey, vonagePublicKey, vonageToken } from "./vonage.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
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
])("%s's signatures", (name, header, key) => {
  const subject = named(name);
  const secret = subject.credentials[key] ?? "";
  const webhook = (url: string, body: string, signature: string) => ({
    method: "POST",
    url,
    body,
    headers: new Headers({ [header]: signature }),
  });

  it("a signature is accepted for any form, even with repeated fields", async () => {
    await fc.assert(
      fc.asyncProperty(params, query, async (all, search) => {
        const url = address(search);
        const signature = twilioSignature(secret, url, all);
        expect(await accepts(subject, webhook(url, encode(all), signature))).toBe(true);
        expect(await accepts(subject, webhook(`${url}x`, encode(all), signature))).toBe(false);
        expect(await accepts(subject, webhook(url, `${encode(all)}&zz=1`, signature))).toBe(false);
      }),
    );
  });
  it("a signature is accepted with or without the port", async () => {
    const signed = (url: string) => twilioSignature(secret, url, { CallSid: "CA1" });
    const [bare, ported] = ["https://switchboard.example/h?a=1", "https://switchboard.example:443/h?a=1"];
    for (const url of [bare, ported])
      for (const signature of [signed(bare), signed(ported)])
        expect(await accepts(subject, webhook(url, "CallSid=CA1", signature))).toBe(true);
  });
  it("cover a JSON body through its hash in the address", async () => {
    const body = '{"a":1}';
    const url = `https://switchboard.example/h?bodySHA256=${sha256(body)}`;
    const signature = twilioSignature(secret, url);
    expect(await accepts(subject, webhook(url, body, signature))).toBe(true);
    expect(await accepts(subject, webhook(url, '{"a":2}', signature))).toBe(false);
  });
});

describe("telnyx's signatures", () => {
  const subject = named("telnyx");
  it("Telnyx's signature is accepted for any report unless it was altered", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom("", " ", "x"), async (json, added) => {
        const webhook = subject.webhook(JSON.stringify(json));
        const altered = { ...webhook, body: webhook.body + added };
        expect(await accepts(subject, altered)).toBe(added === "");
      }),
    );
  });
  it.each(TELNYX_CLOCK)("Telnyx's signature of a report that is %s s off: accepted is %s", async (offset, good) => {
    expect(await accepts(subject, subject.webhook("{}", { now: NOW + offset * 1000 }))).toBe(good);
  });
  it.each(["", "abc", "12e3", "-1", "1.5", "0x10"])("%j is refused as a time", async (timestamp) => {
    const webhook = subject.webhook("{}");
    webhook.headers.set("telnyx-timestamp", timestamp);
    expect(await accepts(subject, webhook)).toBe(false);
  });
});

describe("plivo's signatures", () => {
  const subject = named("plivo");
  it("Plivo's signature is accepted for any report unless it was altered", async () => {
    await fc.assert(
      fc.asyncProperty(params, query, fc.boolean(), async (all, search, alter) => {
        const url = address(search);
        const body = encode(all);
        const signature = plivoSignature("p-secret", url, body, "n-1");
        const sent = alter ? `${body}&zz=1` : body;
        const headers = new Headers({ "x-plivo-signature-v3": signature, "x-plivo-signature-v3-nonce": "n-1" });
        expect(await accepts(subject, { method: "POST", url, headers, body: sent })).toBe(!alter);
      }),
    );
  });
  it("Plivo may send several signatures, with or without the port", async () => {
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

describe("vonage's tokens", () => {
  const subject = named("vonage");
  const claims = (body: string, more: object = {}) => ({ iat: NOW / 1000, payload_hash: sha256(body), ...more });
  const webhook = (token: string, body: string) => ({
    method: "POST",
    url: order.webhook_url,
    body,
    headers: new Headers({ authorization: `Bearer ${token}` }),
  });

  it("a Vonage token is accepted with a report unless another secret signed it", async () => {
    const good = vonageToken(claims("{}"));
    const bad = vonageToken(claims("{}"), "another secret");
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
  ])("a Vonage token with %s is refused", async (_, more, header) => {
    expect(
      await accepts(
        subject,
        webhook(vonageToken(claims("{}", more), signature_secret, header ?? { alg: "HS256", typ: "JWT" }), "{}"),
      ),
    ).toBe(false);
  });
  it("vonage's tokens are signed with the application's key and name the application", async () => {
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
    const [header = "", body = "", signature = ""] = sent.split(".");
    const signed = Buffer.from(`${header}.${body}`);
    expect(verify("sha256", signed, vonagePublicKey, Buffer.from(signature, "base64url"))).toBe(true);
    expect(JSON.parse(Buffer.from(body, "base64url").toString())).toMatchObject({
      application_id: credentials.application_id,
    });
    expect(JSON.stringify(sent)).not.toContain(vonageKey.slice(60, 90));
  });
});
