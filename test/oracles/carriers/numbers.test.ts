import { createRequire } from "node:module";
import TelnyxSdk from "telnyx";
import twilioSdk from "twilio";
import { describe, expect, it } from "vitest";
import type { CarrierNumbers, InboundTarget } from "../../../src/phone/carriers/numbers/numbers.ts";
import { numberCarriers } from "../../support/number-carriers/index.ts";
import type { NumberCarrier } from "../../support/number-carriers/stand-in.ts";

const CREDENTIALS = "019a5c3e-1b2c-7f00-8e11-6d0d7a9c4b10";
const NUMBER = "+12025550100";
const at = (name: string): InboundTarget => ({
  address: `https://switchboard.example/api/telephony/inbound/${name}/acme?credentials=${CREDENTIALS}`,
  credentials_id: CREDENTIALS,
});

function numbersOf({ kind, credentials, variable, base, fetch }: NumberCarrier): CarrierNumbers {
  const env = { [variable]: base } as never;
  const parsed = kind.credentials.parse(credentials) as never;
  return kind.connect(parsed, { account: "acme", env, fetch, now: () => 0 }).numbers ?? expect.fail("no numbers");
}

/** Connects Twilio's own library to the stand-in. */
function twilioClient(carrier: NumberCarrier) {
  const { account_sid = "", auth_token = "" } = carrier.credentials;
  const httpClient = {
    async request(options: {
      method: string;
      uri: string;
      username?: string;
      password?: string;
      params?: object;
      data?: object;
    }) {
      const url = new URL(options.uri);
      for (const [name, value] of Object.entries(options.params ?? {})) url.searchParams.set(name, String(value));
      const form = new URLSearchParams(
        Object.entries(options.data ?? {}).map(([name, value]) => [name, String(value)]),
      );
      const authorization = `Basic ${btoa(`${options.username}:${options.password}`)}`;
      const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
      const method = options.method.toUpperCase();
      const answer = await carrier.fetch(url.href, {
        method,
        headers,
        body: method === "GET" ? null : form.toString(),
      });
      return { statusCode: answer.status, body: await answer.json() };
    },
  };
  return twilioSdk(account_sid, auth_token, { httpClient: httpClient as never });
}

const require = createRequire(import.meta.url);
const plivoSdk = require("plivo") as {
  Client: new (
    id: string,
    token: string,
  ) => {
    numbers: {
      get(number: string): Promise<{ application: string }>;
      update(number: string, fields: object): Promise<object>;
    };
    applications: { get(id: string): Promise<{ answerUrl: string; answerMethod: string; hangupUrl: string }> };
  };
};
/** The HTTP client of Plivo's library, which accepts no other address than Plivo's. */
const plivoWire = createRequire(require.resolve("plivo"))("axios") as {
  defaults: {
    adapter: (request: {
      method: string;
      url: string;
      data?: string;
      headers: Record<string, string>;
      auth?: { username: string; password: string };
    }) => Promise<object>;
  };
};

/** The carriers' own libraries understand the stand-ins and see what was set. */
describe("a carrier's own library", () => {
  it("Twilio's library reads back the address that the adapter set on a number", async () => {
    const carrier = numberCarriers.twilio();
    carrier.own({ e164: NUMBER });
    await numbersOf(carrier).setInbound(NUMBER, at("twilio"));
    const [number] = await twilioClient(carrier).incomingPhoneNumbers.list({ phoneNumber: NUMBER });
    expect(number).toMatchObject({
      phoneNumber: NUMBER,
      capabilities: { voice: true, sms: true },
      voiceUrl: at("twilio").address,
      voiceMethod: "POST",
      statusCallback: at("twilio").address,
      trunkSid: null,
      voiceApplicationSid: null,
    });
  });

  it("Telnyx's library reads back the application that the adapter set on a number", async () => {
    const carrier = numberCarriers.telnyx();
    carrier.own({ e164: NUMBER });
    await numbersOf(carrier).setInbound(NUMBER, at("telnyx"));
    const { api_key = "", connection_id = "" } = carrier.credentials;
    const sdk = new TelnyxSdk({ apiKey: api_key, fetch: carrier.fetch });
    const page = await sdk.phoneNumbers.list({ "page[number]": 1, "page[size]": 20 });
    expect(page.data[0]).toMatchObject({ phone_number: NUMBER, connection_id });
    const { data } = await sdk.callControlApplications.retrieve(connection_id);
    expect(data).toMatchObject({ webhook_event_url: at("telnyx").address, webhook_api_version: "2" });
    const changed = await sdk.phoneNumbers.update(page.data[0]?.id ?? "", { connection_id: "7" });
    expect(changed.data?.connection_id).toBe("7");
  });

  it("Plivo's library reads back the application that the adapter set on a number", async () => {
    const carrier = numberCarriers.plivo();
    carrier.own({ e164: NUMBER });
    await numbersOf(carrier).setInbound(NUMBER, at("plivo"));
    const { auth_id = "", auth_token = "" } = carrier.credentials;
    plivoWire.defaults.adapter = async (request) => {
      const authorization = `Basic ${btoa(`${auth_id}:${auth_token}`)}`;
      const init = { method: request.method.toUpperCase(), headers: { authorization }, body: request.data ?? null };
      const answer = await carrier.fetch(request.url, init);
      return { status: answer.status, data: await answer.json(), headers: {}, config: request };
    };
    const sdk = new plivoSdk.Client(auth_id, auth_token);
    const { application } = await sdk.numbers.get(NUMBER.slice(1));
    const found = await sdk.applications.get(application.split("/").at(-2) ?? "");
    expect(found).toMatchObject({ answerUrl: at("plivo").address, answerMethod: "POST" });
  });
});
