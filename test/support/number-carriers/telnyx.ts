import type { CarrierKind } from "../../../src/phone/carriers/carrier.ts";
import { telnyx } from "../../../src/phone/carriers/telnyx.ts";
import { type Field, jsonOf, type NumberCarrier, network, queryOf, type Sent, secretIn, URI } from "./stand-in.ts";

const KEY = "KEY0123-telnyx-secret";
const BASE = "https://api.telnyx.com";
const APPLICATION = "1293384261075731499";
const OTHER = "1293384261075731500";

const PAGING: Record<string, Field> = { "page[number]": /^[1-9]\d*$/, "page[size]": /^([1-9]\d?|1\d\d|2[0-4]\d|250)$/ };
const NUMBERS: Record<string, Field> = { ...PAGING, "filter[phone_number]": /^\d{3,}$/ };
/** PhoneNumberUpdateParams and CallControlApplicationUpdateParams of Telnyx's library. */
const UPDATE_NUMBER = {
  address_id: /./,
  billing_group_id: /./,
  connection_id: /^\d+$/,
  customer_reference: /./,
  external_pin: /./,
  hd_voice_enabled: "any",
  tags: "any",
} as const;
const UPDATE_APPLICATION = {
  application_name: /./,
  webhook_event_url: URI,
  webhook_event_failover_url: "any",
  webhook_api_version: ["1", "2"],
  webhook_timeout_secs: "any",
  active: "any",
  anchorsite_override: /./,
  dtmf_type: /./,
  first_command_timeout: "any",
  first_command_timeout_secs: "any",
  inbound: "any",
  outbound: "any",
} as const;

interface Row {
  id: string;
  phone_number: string;
  status: string;
  [field: string]: unknown;
}

/** Creates a Telnyx account with its numbers and a Voice API application, following the types of Telnyx's library. */
export function telnyxAccount() {
  const rows: Row[] = [];
  const features = new Map<string, { sms: object | null; mms: object | null }>();
  const forwarding = new Map<string, object>();
  const application: Record<string, unknown> = {
    id: APPLICATION,
    record_type: "call_control_application",
    application_name: "call-router",
    active: true,
    webhook_event_url: "https://first.example/",
    webhook_event_failover_url: "https://failover.example/",
    webhook_api_version: "2",
    outbound: { outbound_voice_profile_id: "1293384261075731501" },
  };
  const refuse = (detail: string) => ({
    status: 422,
    body: { errors: [{ code: "10015", title: "Bad Request", detail }] },
  });
  const missing = { status: 404, body: { errors: [{ code: "10005", title: "Resource not found" }] } };

  const judge = (sent: Sent) => {
    const { method, url } = sent;
    if (sent.headers.get("authorization") !== `Bearer ${KEY}`)
      return {
        status: 401,
        body: { errors: [{ code: "10009", title: "Authentication failed", detail: secretIn(sent) }] },
      };
    const [, version, resource, id = "", part = ""] = url.pathname.split("/");
    if (url.origin !== BASE || version !== "v2") return missing;
    if (resource === "call_control_applications") return id === APPLICATION ? applicationOf(sent) : missing;
    if (resource !== "phone_numbers") return missing;
    if (method === "GET" && id === "") return paged(sent, NUMBERS, found(sent));
    if (method === "GET" && id === "messaging" && part === "") return paged(sent, PAGING, messaging());
    const row = rows.find((one) => one.id === id);
    if (!row) return missing;
    if (method === "GET" && part === "voice")
      return { status: 200, body: { data: { id, call_forwarding: forwarding.get(row.phone_number) ?? {} } } };
    if (method !== "PATCH" || part !== "") return { status: 405, body: { errors: [] } };
    Object.assign(row, jsonOf(sent, UPDATE_NUMBER, refuse));
    return { status: 200, body: { data: row } };
  };
  const applicationOf = (sent: Sent) => {
    if (sent.method === "GET") return { status: 200, body: { data: application } };
    if (sent.method !== "PATCH") return { status: 405, body: { errors: [] } };
    const changes = jsonOf(sent, UPDATE_APPLICATION, refuse);
    if (!changes.application_name || !changes.webhook_event_url)
      return refuse("application_name and webhook_event_url are required");
    Object.assign(application, changes);
    return { status: 200, body: { data: application } };
  };
  const found = ({ url }: Sent) => {
    const wanted = url.searchParams.get("filter[phone_number]") ?? "";
    return rows.filter(({ phone_number }) => phone_number.includes(wanted));
  };
  const messaging = () =>
    rows.map(({ id, phone_number }) => ({ id, phone_number, features: features.get(phone_number) })).reverse();
  const paged = (sent: Sent, allowed: Record<string, Field>, all: object[]) => {
    const query = queryOf(sent, allowed, refuse);
    const [page, size] = [Number(query["page[number]"] ?? 1), Number(query["page[size]"] ?? 20)];
    const meta = {
      page_number: page,
      page_size: size,
      total_pages: Math.ceil(all.length / size),
      total_results: all.length,
    };
    return { status: 200, body: { data: all.slice((page - 1) * size, page * size), meta } };
  };
  const rowOf = (e164: string) => rows.find(({ phone_number }) => phone_number === e164) as Row;
  const arrange =
    (fields: Partial<Row>, app: Record<string, unknown> = {}, forwards: object = {}) =>
    (e164: string, target: string) => {
      Object.assign(rowOf(e164), { connection_id: APPLICATION }, fields);
      Object.assign(application, { webhook_event_url: target }, app);
      forwarding.set(e164, forwards);
    };
  const lead = arrange({});

  const wire = network(judge, { intercept: () => carrier.intercept });
  const carrier: NumberCarrier = {
    name: "telnyx",
    kind: telnyx as CarrierKind<never>,
    credentials: { api_key: KEY, connection_id: APPLICATION, public_key: btoa("0".repeat(32)) },
    variable: "TELNYX_API_URL",
    base: BASE,
    page_rows: 250,
    fetch: wire.fetch,
    requests: wire.requests,
    intercept: null,
    own(...seeds) {
      for (const { e164, voice = true, sms = true, mms = false, fax = false } of seeds) {
        features.set(e164, {
          sms: sms ? { domestic_two_way: true } : null,
          mms: mms ? { domestic_two_way: true } : null,
        });
        rows.push({
          id: `12933842610757${String(rows.length).padStart(5, "0")}`,
          record_type: "phone_number",
          phone_number: e164,
          phone_number_type: voice ? "local" : "shortcode",
          status: "active",
          connection_id: "",
          t38_fax_gateway_enabled: fax,
          messaging_profile_id: null,
          tags: ["kept"],
        });
      }
    },
    astray: [
      ["no application", arrange({ connection_id: "" }), /not assigned to an application/],
      [
        "another application",
        arrange({ connection_id: OTHER }),
        new RegExp(`another connection at Telnyx \\(${OTHER}\\)`),
      ],
      [
        "another address",
        arrange({}, { webhook_event_url: "https://old.example/telnyx?key=s3cret" }),
        /https:\/\/old\.example\/telnyx\?key=\*\*\* \(by the Voice API application/,
      ],
      ["an old version", arrange({}, { webhook_api_version: "1" }), /in API version 1, and must receive version 2/],
    ],
    lead,
    untouched: (e164) => {
      const { active, application_name, webhook_event_failover_url, outbound } = application;
      const { tags, status } = rowOf(e164);
      return [
        { active, application_name, webhook_event_failover_url, outbound },
        { tags, status },
      ];
    },
  };
  /** Settings that the carrier's API cannot change or the service must not change. They are reported. */
  return Object.assign(carrier, {
    beyond: [
      [
        "forwarded",
        arrange({}, {}, { call_forwarding_enabled: true, forwarding_type: "always", forwards_to: "+12025550999" }),
        /forwards all calls/,
      ],
      ["switched off", arrange({}, { active: false }), /is switched off/],
    ] as NumberCarrier["astray"],
    status: (e164: string, status: string) => void Object.assign(rowOf(e164), { status }),
  });
}
