import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { verifySignature } from "@vonage/jwt";
import fc from "fast-check";
import TelnyxSdk from "telnyx";
import twilioSdk from "twilio";
import { getExpectedBodyHash } from "twilio/lib/webhooks/webhooks.js";
import { describe, expect, it, vi } from "vitest";
import type { Webhook } from "../../../src/phone/carriers/carrier.ts";
import { plivoSignature } from "../../process/carriers/plivo.ts";
import { NOW, order, TELNYX_CLOCK } from "../../process/carriers/subject.ts";
import { telnyxPublicKey, telnyxSubject } from "../../process/carriers/telnyx.ts";
import { signature_secret, vonagePublicKey, vonageSubject, vonageToken } from "../../process/carriers/vonage.ts";
import { twilioSignature } from "../../process/support/twilio-signature.ts";

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

const field = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/).filter((name) => name !== "__proto__" && !(name in {}));
const value = fc.string({ unit: fc.constantFrom(..."aZ0 +&=%/?é✓\"'<>.,") });
const form = fc.dictionary(field, fc.array(value, { minLength: 1, maxLength: 3 }), { maxKeys: 6 });
const query = fc.dictionary(field, fc.stringMatching(/^[A-Za-z0-9]{1,5}$/), { maxKeys: 3 });
const encode = (all: Record<string, string[]>) =>
  new URLSearchParams(Object.entries(all).flatMap(([name, values]) => values.map((one) => [name, one]))).toString();
const address = (search: Record<string, string>) => {
  const text = new URLSearchParams(search).toString();
  return `https://switchboard.example/api/hook${text === "" ? "" : `?${text}`}`;
};

describe("the Twilio signatures that our tests make", () => {
  it("our Twilio signatures equal those of Twilio's library for any form, even with repeated fields", () => {
    fc.assert(
      fc.property(form, query, (all, search) => {
        const url = address(search);
        expect(twilioSignature("secret", url, all)).toBe(
          twilioSdk.getExpectedTwilioSignature("secret", url, structuredClone(all)),
        );
      }),
    );
  });
  it("contain the hash of a JSON body as the library's do", () => {
    const body = '{"a":1}';
    expect(createHash("sha256").update(body).digest("hex")).toBe(getExpectedBodyHash(body));
  });
});

describe("the Telnyx signatures that our tests make", () => {
  const sdk = new TelnyxSdk({ apiKey: "k", publicKey: telnyxPublicKey });
  const sdkAccepts = async ({ body, headers }: Webhook) => {
    // The SDK uses the machine's clock.
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
  it("our Telnyx signatures are accepted by Telnyx's library unless the report was altered", async () => {
    // The library does not accept `null` as a report.
    const json = fc.jsonValue().filter((each) => each !== null);
    await fc.assert(
      fc.asyncProperty(json, fc.constantFrom("", " ", "x"), async (report, added) => {
        const webhook = telnyxSubject.webhook(JSON.stringify(report));
        expect(await sdkAccepts({ ...webhook, body: webhook.body + added })).toBe(added === "");
      }),
    );
  });
  it.each(TELNYX_CLOCK)(
    "a Telnyx signature of a report that is %s s off: accepted is %s, as by our adapter",
    async (offset, good) => {
      expect(await sdkAccepts(telnyxSubject.webhook("{}", { now: NOW + offset * 1000 }))).toBe(good);
    },
  );
});

describe("the Plivo signatures that our tests make", () => {
  it("our Plivo signatures are accepted by Plivo's library unless the form was altered", () => {
    fc.assert(
      fc.property(form, query, fc.boolean(), (all, search, alter) => {
        const url = address(search);
        const signature = plivoSignature("p-secret", url, encode(all), "n-1");
        const sent = structuredClone(alter ? { ...all, zz: ["1"] } : all);
        // The library accepts the fields as latin-1 or UTF-8 alike, because the text is signed.
        expect(plivoSdk.validateV3Signature("POST", url, "n-1", "p-secret", signature, sent)).toBe(!alter);
      }),
    );
  });
});

describe("Vonage's tokens", () => {
  it("our tests make tokens of reports as Vonage's library accepts them", () => {
    const claims = { iat: NOW / 1000, payload_hash: createHash("sha256").update("{}").digest("hex") };
    const tokens = [vonageToken(claims), vonageToken(claims, "another secret")];
    expect(tokens.map((token) => verifySignature(token, signature_secret))).toEqual([true, false]);
  });
  it("tokens that our adapter sends are accepted by Vonage's library", async () => {
    const { kind, credentials } = vonageSubject;
    let token = "";
    const network: typeof fetch = async (_, init) => {
      token = new Headers(init?.headers).get("authorization")?.slice("Bearer ".length) ?? "";
      return new Response('{"uuid":"u"}', { status: 201 });
    };
    const env = { VONAGE_API_URL: "https://api.nexmo.com" } as never;
    const carrier = kind.connect(credentials as never, { account: "acme", env, fetch: network, now: Date.now });
    await carrier.originate(order);
    expect(verifySignature(token, vonagePublicKey)).toBe(true);
  });
});
