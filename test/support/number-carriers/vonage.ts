import type { CarrierKind } from "../../../src/phone/carriers/carrier.ts";
import { vonage } from "../../../src/phone/carriers/vonage.ts";
import {
  basicAuth,
  type Field,
  formOf,
  jsonOf,
  type NumberCarrier,
  network,
  queryOf,
  type Sent,
  secretIn,
  URI,
} from "./stand-in.ts";

const KEY = "a1b2c3d4";
const SECRET = "vonage-account-secret";
const BASE = "https://api.nexmo.com";
/** Numbers have their own host. */
const REST = "https://rest.nexmo.com";
const APPLICATION = "78d335fa-323d-4114-9c3d-d6f0d48968cf";
const OTHER = "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab";
/** Numbers use the account's key and secret instead of these. */
const PRIVATE_KEY = "-----BEGIN PRIVATE KEY-----\nbm9uZQ==\n-----END PRIVATE KEY-----";

const LIST: Record<string, Field> = {
  application_id: /./,
  has_application: ["true", "false"],
  country: /^[A-Z]{2}$/,
  pattern: /^\d+$/,
  search_pattern: ["0", "1", "2"],
  size: /^([1-9]\d?|100)$/,
  index: /^[1-9]\d*$/,
};
/** number-details-update of Vonage's Numbers API. */
const UPDATE: Record<string, Field> = {
  country: /^[A-Z]{2}$/,
  msisdn: /^\d+$/,
  app_id: /^[0-9a-f-]{36}$/,
  moHttpUrl: /^(https?:\/\/\S+)?$/,
  moSmppSysType: /./,
  voiceCallbackType: ["sip", "tel", "app"],
  voiceCallbackValue: /./,
  voiceStatusCallback: URI,
};
const PUT = { name: /./, keys: "any", capabilities: "any", privacy: "any" } as const;

interface Row {
  country: string;
  msisdn: string;
  features: string[];
  [field: string]: unknown;
}
interface Hook {
  address: string;
  http_method?: string | undefined;
  [field: string]: unknown;
}
interface Application {
  name: string;
  keys: { public_key: string };
  privacy: { improve_ai: boolean };
  capabilities: {
    messages?: object;
    voice?: { webhooks: Record<string, Hook>; signed_callbacks?: boolean; [field: string]: unknown };
  };
}

/** Creates a Vonage account with its numbers and an application, as its Numbers and Application APIs describe them. */
export function vonageAccount(): NumberCarrier {
  const rows: Row[] = [];
  const application: Application = {
    name: "Voice",
    keys: { public_key: "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----" },
    privacy: { improve_ai: false },
    capabilities: {},
  };
  const reset = (answer: Partial<Hook>, event: Partial<Hook> = answer, voice: object = {}) => {
    application.capabilities = {
      messages: { webhooks: { inbound_url: { address: "https://sms.example/in", http_method: "POST" } } },
      voice: {
        webhooks: {
          answer_url: { address: "", http_method: "POST", connection_timeout: 500, ...answer },
          event_url: { address: "", http_method: "POST", socket_timeout: 3000, ...event },
          fallback_answer_url: { address: "https://fallback.example/", http_method: "GET" },
        },
        signed_callbacks: true,
        conversations_ttl: 48,
        region: "eu-west",
        ...voice,
      },
    };
  };
  reset({ address: "https://first.example/" });
  const refuse = (why: string) => ({ status: 420, body: { "error-code": "420", "error-code-label": why } });
  const invalid = (detail: string) => ({ status: 400, body: { title: "Bad Request", detail } });
  const judge = (sent: Sent) => {
    const { method, url } = sent;
    if (sent.headers.get("authorization") !== basicAuth(KEY, SECRET)) {
      const label = { "error-code": "401", "error-code-label": `authentication failed for ${secretIn(sent)}` };
      return {
        status: 401,
        body: url.origin === REST ? label : { title: "Unauthorized", detail: `no ${secretIn(sent)}` },
      };
    }
    const at = `${method} ${url.origin}${url.pathname}`;
    if (at === `GET ${REST}/account/numbers`) return list(sent);
    if (at === `POST ${REST}/number/update`) return update(sent);
    if (at === `GET ${BASE}/v2/applications/${APPLICATION}`)
      return { status: 200, body: { id: APPLICATION, ...application, _links: { self: { href: "/" } } } };
    if (at === `PUT ${BASE}/v2/applications/${APPLICATION}`) return put(sent);
    return { status: 404, body: { title: "Not Found" } };
  };
  const list = (sent: Sent) => {
    const { pattern = "", search_pattern = "0", size = "10", index = "1" } = queryOf(sent, LIST, refuse);
    const found = rows.filter(({ msisdn }) =>
      search_pattern === "0" ? msisdn.startsWith(pattern) : msisdn.includes(pattern),
    );
    const from = (Number(index) - 1) * Number(size);
    const numbers = found.slice(from, from + Number(size));
    return { status: 200, body: found.length === 0 ? {} : { count: found.length, numbers } };
  };
  const update = (sent: Sent) => {
    const { country, msisdn, ...changes } = formOf(sent, UPDATE, refuse);
    const row = rows.find((one) => one.msisdn === msisdn && one.country === country);
    if (!row) return refuse("method failed");
    // Fields that are not sent are removed.
    for (const name of ["moHttpUrl", "voiceCallbackType", "voiceCallbackValue", "voiceStatusCallback"])
      delete row[name];
    Object.assign(row, changes);
    return { status: 200, body: { "error-code": "200", "error-code-label": "success" } };
  };
  const put = (sent: Sent) => {
    const body = jsonOf(sent, PUT, invalid) as unknown as Application;
    const voice = body.capabilities?.voice;
    for (const hook of Object.values(voice?.webhooks ?? {}))
      if (!URI.test(hook.address) || !["GET", "POST"].includes(hook.http_method ?? "GET")) return invalid("webhooks");
    if (!body.name) return invalid("name is required");
    Object.assign(application, { capabilities: {}, privacy: { improve_ai: true } }, body);
    return { status: 200, body: { id: APPLICATION, ...application } };
  };
  const rowOf = (e164: string) => rows.find(({ msisdn }) => `+${msisdn}` === e164) as Row;
  const arrange =
    (fields: Partial<Row>, app: (target: string) => void = (target) => reset({ address: target })) =>
    (e164: string, target: string) => {
      Object.assign(rowOf(e164), { app_id: APPLICATION }, fields);
      app(target);
    };

  const wire = network(judge, { intercept: () => carrier.intercept });
  const carrier: NumberCarrier = {
    name: "vonage",
    kind: vonage as CarrierKind<never>,
    credentials: {
      application_id: APPLICATION,
      private_key: PRIVATE_KEY,
      signature_secret: "vonage-signature-secret",
      api_key: KEY,
      api_secret: SECRET,
    },
    variable: "VONAGE_API_URL",
    base: BASE,
    page_rows: 100,
    fetch: wire.fetch,
    requests: wire.requests,
    intercept: null,
    own(...seeds) {
      for (const { e164, voice = true, sms = true, mms = false } of seeds) {
        const features = Object.entries({ VOICE: voice, SMS: sms, MMS: mms }).flatMap(([name, has]) =>
          has ? [name] : [],
        );
        rows.push({
          country: "US",
          msisdn: e164.slice(1),
          type: "mobile-lvn",
          features,
          moHttpUrl: "https://sms.example/in",
          voiceStatusCallback: "https://status.example/",
        });
      }
    },
    astray: [
      ["no application", arrange({ app_id: undefined }), /not linked to an application/],
      ["another application", arrange({ app_id: OTHER }), new RegExp(`another application at Vonage \\(${OTHER}\\)`)],
      [
        "a telephone before it",
        arrange({ voiceCallbackType: "tel", voiceCallbackValue: "12025550999" }),
        /forwards calls to the number to a telephone/,
      ],
      [
        "a SIP address before it",
        arrange({ voiceCallbackType: "sip", voiceCallbackValue: "sip:a@b.example" }),
        /to a SIP address/,
      ],
      [
        "another address",
        arrange({}, () => reset({ address: "https://old.example/answer?key=s3cret" })),
        /https:\/\/old\.example\/answer\?key=\*\*\* \(by the application's answer URL\)/,
      ],
      [
        "another event address",
        arrange({}, (target) => reset({ address: target }, { address: "https://old.example/event" })),
        /https:\/\/old\.example\/event \(by the application's event URL\)/,
      ],
      [
        "the address by GET",
        arrange({}, (target) => reset({ address: target, http_method: undefined }, { address: target })),
        /uses GET, and must use POST/,
      ],
      [
        "webhooks without signatures",
        arrange({}, (target) => reset({ address: target }, { address: target }, { signed_callbacks: false })),
        /does not sign its webhooks/,
      ],
      [
        "no voice at all",
        arrange({}, () => {
          delete application.capabilities.voice;
        }),
        /No address is set/,
      ],
    ],
    lead: arrange({}),
    untouched: (e164) => {
      const { name, keys, privacy, capabilities } = application;
      const { messages, voice } = capabilities;
      const kept = voice && {
        region: voice.region,
        ttl: voice.conversations_ttl,
        fallback: voice.webhooks.fallback_answer_url,
      };
      const { moHttpUrl, voiceStatusCallback, features } = rowOf(e164);
      return [
        { name, keys, privacy, messages, kept },
        { moHttpUrl, voiceStatusCallback, features },
      ];
    },
  };
  return carrier;
}
