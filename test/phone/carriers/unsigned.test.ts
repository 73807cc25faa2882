import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { messageUrl, transferUrl, webhookUrl } from "../../../src/phone/calls/webhook-url.ts";
import { PROVIDERS, type Provider } from "../../../src/phone/carriers/carrier.ts";
import { BASE, call, tenant } from "../../support/client.ts";
import { newId } from "../../support/ids.ts";
import { putCall } from "../../support/ledger.ts";

const PRIVATE_KEY = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----";
const CREDENTIALS: Record<Provider, Record<string, string>> = {
  sandbox: {},
  twilio: { account_sid: "AC1", auth_token: "a-token" },
  signalwire: { space: "acme", project_id: crypto.randomUUID(), api_token: "PT1", signing_key: "PSK1" },
  telnyx: { api_key: "KEY1", connection_id: "1", public_key: btoa("k".repeat(32)) },
  plivo: { auth_id: "MA1", auth_token: "a-token" },
  vonage: { application_id: crypto.randomUUID(), private_key: PRIVATE_KEY, signature_secret: "a-secret" },
};

/** Headers with an invented signature of each carrier's form. */
const INVENTED = {
  "x-twilio-signature": btoa("s".repeat(20)),
  "x-signalwire-signature": btoa("s".repeat(20)),
  "telnyx-signature-ed25519": btoa("s".repeat(64)),
  "telnyx-timestamp": String(Math.floor(Date.now() / 1_000)),
  "x-plivo-signature-v3": btoa("s".repeat(32)),
  "x-plivo-signature-v3-nonce": "1",
  "x-sandbox-signature": "s".repeat(43),
  authorization: "Bearer eyJhbGciOiJIUzI1NiJ9.e30.x",
};

describe("a webhook's address", () => {
  it.each(PROVIDERS)(
    "a webhook's address with a valid token is refused without a signature of %s",
    async (provider) => {
      const { account, server } = await tenant();
      const body = { provider, credentials: CREDENTIALS[provider] };
      const created = await server.post<{ id: string }>("/api/v1/telephony/providers", body);
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      const credentials_id = provider === "sandbox" ? null : created.body.id;
      const call_id = await putCall(account, { provider, credentials_id, provider_call_id: "c-1" }, newId());
      const named = { account, call_id, campaign_id: null, credentials_id };
      const own = await webhookUrl(env, provider, named);
      const target = { to_number: "+12025550199", caller_id: "+12025550100" };
      const addresses = [own, messageUrl(own), await transferUrl(env, own, named, target, Date.now())];
      for (const address of addresses)
        for (const signed of [{}, INVENTED])
          for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
            const headers = Object.assign({ "content-type": type }, signed);
            const raw = type.endsWith("json") ? "{}" : "CallSid=c-1&CallStatus=completed";
            const { status, code } = await call("POST", address.slice(BASE.length), { headers, raw });
            expect([status, code]).toEqual([403, "forged_webhook"]);
          }
    },
  );
});
