import type { CarrierKind } from "../../../src/phone/carriers/carrier.ts";
import { signalwire } from "../../../src/phone/carriers/signalwire.ts";
import {
  basicAuth,
  type Field,
  jsonOf,
  METHOD,
  type NumberCarrier,
  network,
  queryOf,
  type Sent,
  secretIn,
  URI,
} from "./stand-in.ts";

const PROJECT = "b3877c40-da60-4998-90ad-b792e98472ac";
const TOKEN = "PT-signalwire-token";
const BASE = "https://example.signalwire.com";
const ROOT = "/api/relay/rest/phone_numbers";

/** UpdatePhoneNumberRequest of SignalWire's REST API. */
const UPDATE: Record<string, Field> = {
  name: /./,
  call_handler: [
    "relay_context",
    "relay_topic",
    "relay_script",
    "relay_application",
    "relay_connector",
    "relay_sip_endpoint",
    "relay_verto_endpoint",
    "laml_webhooks",
    "laml_application",
    "dialogflow",
    "video_room",
  ],
  call_receive_mode: ["voice", "fax"],
  call_request_url: URI,
  call_request_method: METHOD,
  call_fallback_url: URI,
  call_fallback_method: METHOD,
  call_status_callback_url: URI,
  call_status_callback_method: METHOD,
  call_laml_application_id: /./,
  message_handler: /./,
  message_request_url: URI,
};
const LIST: Record<string, Field> = {
  filter_name: /./,
  filter_number: /^\+?\d+$/,
  page_number: /^\d+$/,
  page_size: /^([1-9]\d{0,2}|1000)$/,
  page_token: /./,
};

interface Row {
  id: string;
  number: string;
  [field: string]: unknown;
}

/** Creates a SignalWire project with its numbers, following the description of its REST API. */
export function signalwireProject(): NumberCarrier {
  const rows: Row[] = [];
  const refuse = (message: string) => ({
    status: 422,
    body: { errors: [{ type: "validation_error", code: "invalid", message, attribute: "", url: "" }] },
  });
  const judge = (sent: Sent) => {
    const { method, url } = sent;
    if (sent.headers.get("authorization") !== basicAuth(PROJECT, TOKEN))
      return {
        status: 401,
        body: { errors: [{ type: "auth", code: "unauthorized", message: `not ${secretIn(sent)}` }] },
      };
    if (url.origin === BASE && method === "GET" && url.pathname === ROOT) return list(sent);
    const row = rows.find(({ id }) => url.pathname === `${ROOT}/${id}`);
    if (url.origin !== BASE || !row || method !== "PUT") return { status: 404, body: { errors: [] } };
    Object.assign(row, jsonOf(sent, UPDATE, refuse));
    return { status: 200, body: row };
  };
  const list = (sent: Sent) => {
    const { filter_number = "", page_number = "0", page_size = "50", page_token } = queryOf(sent, LIST, refuse);
    const [page, size] = [Number(page_number), Number(page_size)];
    if (page > 0 && page_token !== `PA${page}`) return refuse("page_token is required");
    const found = rows.filter(({ number }) => number.includes(filter_number));
    const more = (page + 1) * size < found.length;
    const next = `${BASE}${ROOT}?page_number=${page + 1}&page_size=${size}&page_token=PA${page + 1}`;
    const links = { self: sent.url.href, first: `${BASE}${ROOT}`, ...(more && { next }) };
    return { status: 200, body: { links, data: found.slice(page * size, (page + 1) * size) } };
  };
  const rowOf = (e164: string) => rows.find(({ number }) => number === e164) as Row;
  const set = (fields: Record<string, unknown>) => (e164: string) => void Object.assign(rowOf(e164), fields);
  const here = (call_request_url: string) => ({ call_handler: "laml_webhooks", call_request_url });

  const wire = network(judge, { intercept: () => carrier.intercept });
  const carrier: NumberCarrier = {
    name: "signalwire",
    kind: signalwire as CarrierKind<never>,
    credentials: { space: "example", project_id: PROJECT, api_token: TOKEN, signing_key: "PSK-signing-key" },
    variable: "SIGNALWIRE_API_URL",
    base: BASE,
    page_rows: 250,
    fetch: wire.fetch,
    requests: wire.requests,
    intercept: null,
    own(...seeds) {
      for (const { e164, voice = true, sms = true, mms = false, fax = false } of seeds)
        rows.push({
          id: crypto.randomUUID(),
          number: e164,
          name: "Line",
          capabilities: Object.entries({ voice, sms, mms, fax }).flatMap(([name, has]) => (has ? [name] : [])),
          number_type: "longcode",
          call_handler: null,
          call_receive_mode: "voice",
          call_request_url: null,
          call_request_method: "POST",
          call_fallback_url: "https://fallback.example/",
          call_status_callback_url: null,
          message_handler: "laml_webhooks",
          message_request_url: "https://sms.example/in",
        });
    },
    astray: [
      ["no address", set({ call_handler: null, call_request_url: null }), /No address is set/],
      [
        "another address",
        set(here("https://old.example/voice?key=s3cret")),
        /https:\/\/old\.example\/voice\?key=\*\*\*\./,
      ],
      [
        "the address by GET",
        (e164, target) => set({ ...here(target), call_request_method: "GET" })(e164),
        /uses GET, and must use POST/,
      ],
      [
        "another handler before it",
        (e164, target) => set({ ...here(target), call_handler: "ai_agent" })(e164),
        /handled by SignalWire itself \(ai_agent\)/,
      ],
      ["faxes", (e164, target) => set({ ...here(target), call_receive_mode: "fax" })(e164), /set to receive faxes/],
    ],
    lead: (e164, target) => set(here(target))(e164),
    untouched: (e164) => {
      const { name, call_fallback_url, message_handler, message_request_url } = rowOf(e164);
      return { name, call_fallback_url, message_handler, message_request_url };
    },
  };
  return carrier;
}
