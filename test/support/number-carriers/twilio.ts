import type { CarrierKind } from "../../../src/phone/carriers/carrier.ts";
import { twilio } from "../../../src/phone/carriers/twilio.ts";
import {
  basicAuth,
  type Field,
  formOf,
  METHOD,
  type NumberCarrier,
  network,
  queryOf,
  type Sent,
  secretIn,
  URI,
} from "./stand-in.ts";

const hex = (prefix: string, n: number) => `${prefix}${n.toString(16).padStart(32, "0")}`;
const ACCOUNT = hex("AC", 0xc0ffee);
const TOKEN = "twilio-auth-token";
const BASE = "https://api.twilio.com";
const ROOT = `/2010-04-01/Accounts/${ACCOUNT}`;
const APPLICATION = hex("AP", 7);
const TRUNK = hex("TK", 9);

/** UpdateIncomingPhoneNumberRequest of twilio_api_v2010; an empty sid removes the number. */
const UPDATE: Record<string, Field> = {
  AccountSid: /^AC[0-9a-f]{32}$/i,
  ApiVersion: /./,
  FriendlyName: /^.{0,64}$/,
  SmsApplicationSid: /^(AP[0-9a-f]{32})?$/i,
  SmsFallbackMethod: METHOD,
  SmsFallbackUrl: URI,
  SmsMethod: METHOD,
  SmsUrl: URI,
  StatusCallback: URI,
  StatusCallbackMethod: METHOD,
  VoiceApplicationSid: /^(AP[0-9a-f]{32})?$/i,
  VoiceCallerIdLookup: ["true", "false"],
  VoiceFallbackMethod: METHOD,
  VoiceFallbackUrl: URI,
  VoiceMethod: METHOD,
  VoiceUrl: URI,
  EmergencyStatus: ["Active", "Inactive"],
  EmergencyAddressSid: /^AD[0-9a-f]{32}$/i,
  TrunkSid: /^(TK[0-9a-f]{32})?$/i,
  VoiceReceiveMode: ["voice", "fax"],
  IdentitySid: /^RI[0-9a-f]{32}$/i,
  AddressSid: /^AD[0-9a-f]{32}$/i,
  BundleSid: /^BU[0-9a-f]{32}$/i,
};
const LIST: Record<string, Field> = {
  Beta: ["true", "false"],
  FriendlyName: /./,
  PhoneNumber: /^[+\d*]+$/,
  Origin: ["twilio", "hosted"],
  PageSize: /^([1-9]\d{0,2}|1000)$/,
  Page: /^\d+$/,
  PageToken: /./,
};

interface Row {
  sid: string;
  phone_number: string;
  [field: string]: unknown;
}

/** Creates a Twilio account with its numbers, as twilio_api_v2010 describes them. */
export function twilioAccount(): NumberCarrier {
  const rows: Row[] = [];
  const application = { sid: APPLICATION, friendly_name: "IVR", voice_url: "", voice_method: "POST" };
  const refuse = (message: string) => ({ status: 400, body: { code: 20001, message, more_info: "", status: 400 } });
  const missing = { status: 404, body: { code: 20404, message: "The resource was not found", status: 404 } };

  const judge = (sent: Sent) => {
    const { method, url } = sent;
    if (sent.headers.get("authorization") !== basicAuth(ACCOUNT, TOKEN))
      return { status: 401, body: { code: 20003, message: `Authenticate ${secretIn(sent)}`, status: 401 } };
    const path = url.pathname.slice(ROOT.length);
    if (url.origin !== BASE || !url.pathname.startsWith(ROOT)) return missing;
    if (method === "GET" && path === "/IncomingPhoneNumbers.json") return list(sent);
    if (method === "GET" && path === `/Applications/${APPLICATION}.json`) return { status: 200, body: application };
    const row = rows.find(({ sid }) => path === `/IncomingPhoneNumbers/${sid}.json`);
    if (!row) return missing;
    return method === "POST" ? update(sent, row) : { status: 405, body: { code: 20004, status: 405 } };
  };
  const list = (sent: Sent) => {
    const { PhoneNumber = "", PageSize = "50", Page = "0", PageToken } = queryOf(sent, LIST, refuse);
    const [size, page] = [Number(PageSize), Number(Page)];
    if (page > 0 && PageToken !== `PA${page}`) return refuse("PageToken is required");
    // Part of a number also matches.
    const found = rows.filter(({ phone_number }) => phone_number.includes(PhoneNumber));
    const more = (page + 1) * size < found.length;
    const next = `${ROOT}/IncomingPhoneNumbers.json?PageSize=${size}&Page=${page + 1}&PageToken=PA${page + 1}`;
    const incoming_phone_numbers = found.slice(page * size, (page + 1) * size);
    return { status: 200, body: { incoming_phone_numbers, next_page_uri: more ? next : null, page, page_size: size } };
  };
  const update = (sent: Sent, row: Row) => {
    for (const [name, value] of Object.entries(formOf(sent, UPDATE, refuse))) {
      const field = name.replace(/[A-Z]/g, (letter, at) => (at > 0 ? "_" : "") + letter.toLowerCase());
      row[field] = value === "" ? null : value;
      if (value !== "" && name === "VoiceApplicationSid") row.trunk_sid = null;
      if (value !== "" && name === "TrunkSid") row.voice_application_sid = null;
    }
    return { status: 200, body: row };
  };
  const rowOf = (e164: string) => rows.find(({ phone_number }) => phone_number === e164) as Row;
  const set = (fields: Record<string, unknown>) => (e164: string) => void Object.assign(rowOf(e164), fields);

  const wire = network(judge, { intercept: () => carrier.intercept });
  const carrier: NumberCarrier = {
    name: "twilio",
    kind: twilio as CarrierKind<never>,
    credentials: { account_sid: ACCOUNT, auth_token: TOKEN },
    variable: "TWILIO_API_URL",
    base: BASE,
    page_rows: 250,
    fetch: wire.fetch,
    requests: wire.requests,
    intercept: null,
    own(...seeds) {
      for (const { e164, voice = true, sms = true, mms = false, fax = false } of seeds) {
        const capabilities = { voice, sms, mms, fax };
        rows.push({
          sid: hex("PN", rows.length + 1),
          account_sid: ACCOUNT,
          phone_number: e164,
          friendly_name: e164,
          capabilities,
          sms_url: "https://sms.example/in",
          sms_application_sid: hex("AP", 3),
          voice_url: "",
          voice_method: "POST",
          voice_fallback_url: "https://fallback.example/",
          voice_application_sid: null,
          trunk_sid: null,
          voice_receive_mode: "voice",
          status_callback: "",
          status_callback_method: "POST",
        });
      }
    },
    astray: [
      ["no address", set({ voice_url: "" }), /No address is set/],
      [
        "another address",
        set({ voice_url: "https://u:p@old.example/voice?token=s3cret" }),
        /https:\/\/\*\*\*@old\.example\/voice\?token=\*\*\*\./,
      ],
      [
        "the address by GET",
        (e164, target) => set({ voice_url: target, voice_method: "GET" })(e164),
        /uses GET, and must use POST/,
      ],
      [
        "an application before it",
        (e164, target) => set({ voice_url: target, voice_application_sid: APPLICATION })(e164),
        new RegExp(`TwiML application ${APPLICATION}`),
      ],
      ["a trunk before it", (e164, target) => set({ voice_url: target, trunk_sid: TRUNK })(e164), new RegExp(TRUNK)],
      ["faxes", (e164, target) => set({ voice_url: target, voice_receive_mode: "fax" })(e164), /set to receive faxes/],
    ],
    lead: (e164, target) => set({ voice_url: target })(e164),
    untouched: (e164) => {
      const { sms_url, sms_application_sid, voice_fallback_url, friendly_name } = rowOf(e164);
      return [{ sms_url, sms_application_sid, voice_fallback_url, friendly_name }, application];
    },
  };
  return carrier;
}
