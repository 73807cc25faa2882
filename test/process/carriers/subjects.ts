import { createHash, createHmac, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import twilioSdk from "twilio";
import { expect } from "vitest";
import type { CallEvent, CarrierKind, CarrierReason, Webhook } from "../../../src/carriers/carrier.ts";
import { plivo } from "../../../src/carriers/plivo.ts";
import { signalwire } from "../../../src/carriers/signalwire.ts";
import { telnyx } from "../../../src/carriers/telnyx.ts";
import { twilio } from "../../../src/carriers/twilio.ts";
import { vonage } from "../../../src/carriers/vonage.ts";
import type { Asked, Reply } from "./stand-in.ts";

export const NOW = Date.parse("2026-11-21T09:30:00.000Z");
export const CALL = "019a0000-0000-7000-8000-000000000001";
export const order = {
  ...{ account: "acme", call_id: CALL, from_number: "+12025550100", to_number: "+12025550199" },
  webhook_url: `https://switchboard.example/api/telephony/webhooks/x/acme/${CALL}?campaign=c1`,
  ...{
    session_token: "eyJ.a-b_c.d",
    runtime_url: "wss://media.example/ws?a=1&b=2",
    ring_timeout: 300,
    max_duration: 7200,
  },
};
export type Payload = Record<string, unknown>;

/** One carrier as the conformance suite tries it. */
export interface Subject {
  name: string;
  kind: CarrierKind<never>;
  credentials: Record<string, string>;
  variable: string;
  /** What our requests must bring to be let in. */
  authorization: (header: string) => void;
  /** A webhook as the carrier sends it, signed. */
  webhook(payload: Payload | string, options?: { url?: string; now?: number }): Webhook;
  originate: { path: string; body: (asked: Asked) => void; reply: Reply; id: string };
  refusals: [what: string, status: number, body: object, reason: CarrierReason][];
  events: [what: string, payload: Payload, event: Partial<CallEvent> | null][];
  /** What the carrier knows of a call by its id. */
  known: [what: string, replies: (asked: Asked) => Reply, status: string | null][];
  /** A list of calls in which ours is the one placed at NOW, and the same without it. */
  search: { found: (asked: Asked) => Reply; id: string; none: (asked: Asked) => Reply };
  hangup: { expects: [method: string, path: string][]; reply: (asked: Asked) => Reply; over: Reply };
  recording: { payload: Payload; path: string; authorized: boolean; id: string; duration_ms: number };
  verify: { path: string; body: object };
  inbound: {
    payload: Payload;
    id: string;
    news: Payload;
    connected: (text: string) => void;
    rejected: (text: string) => void;
  };
}

const path = "/2010-04-01/Accounts";
const form = (body: string) => Object.fromEntries(new URLSearchParams(body));
const headersOf = (init: Record<string, string>) => new Headers(init);

function laml(name: "twilio" | "signalwire"): Subject {
  const twil = name === "twilio";
  const credentials: Record<string, string> = twil
    ? { account_sid: "AC0123", auth_token: "t-secret" }
    : { space: "example", project_id: "P-1", api_token: "api-secret", signing_key: "PSK_secret" };
  const [user, password] = twil ? ["AC0123", "t-secret"] : ["P-1", "api-secret"];
  const base = twil ? `${path}/AC0123` : `/api/laml${path}/P-1`;
  const suffix = twil ? ".json" : "";
  const key = twil ? credentials.auth_token : credentials.signing_key;
  const dated = "Sat, 21 Nov 2026 09:30:01 +0000";
  const call = (status: string, extra = {}) => ({
    sid: "CA1",
    status,
    date_created: dated,
    answered_by: null,
    ...extra,
  });
  return {
    name,
    kind: (twil ? twilio : signalwire) as CarrierKind<never>,
    credentials,
    variable: twil ? "TWILIO_API_URL" : "SIGNALWIRE_API_URL",
    authorization: (header) => expect(header).toBe(`Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`),
    webhook(payload, { url = order.webhook_url } = {}) {
      const params = typeof payload === "string" ? new URLSearchParams(payload) : new URLSearchParams();
      if (typeof payload !== "string")
        for (const [field, value] of Object.entries(payload))
          for (const one of [value].flat()) params.append(field, String(one));
      const names = [...new Set(params.keys())];
      const all = Object.fromEntries(names.map((field) => [field, params.getAll(field)]));
      const signature = twilioSdk.getExpectedTwilioSignature(key ?? "", url, all);
      const headers = headersOf({
        [`x-${name}-signature`]: signature,
        "content-type": "application/x-www-form-urlencoded",
      });
      return { method: "POST", url, headers, body: params.toString() };
    },
    originate: {
      path: `${base}/Calls${suffix}`,
      reply: { status: twil ? 201 : 200, body: call("queued") },
      id: "CA1",
      body(asked) {
        expect(asked.headers["content-type"]).toContain("application/x-www-form-urlencoded");
        const callback = order.webhook_url + (twil ? "#rc=3&rp=all" : "");
        expect(form(asked.body)).toMatchObject({
          ...{ To: order.to_number, From: order.from_number, StatusCallback: callback, StatusCallbackMethod: "POST" },
          ...{ Timeout: "300", TimeLimit: "7200", MachineDetection: "Enable", AsyncAmd: "true" },
          ...{ AsyncAmdStatusCallback: callback, Record: "true", RecordingStatusCallback: callback },
        });
        const events = new URLSearchParams(asked.body).getAll("StatusCallbackEvent");
        expect(events).toEqual(["initiated", "ringing", "answered", "completed"]);
        const twiml = form(asked.body).Twiml ?? "";
        expect(twiml.length).toBeLessThan(4_000);
        expect(twiml).toContain('<Connect><Stream url="wss://media.example/ws?a=1&#38;b=2">');
        expect(twiml).toContain('<Parameter name="session_token" value="eyJ.a-b_c.d"/>');
      },
    },
    refusals: [
      ["a number that is none", 400, { code: 21211, message: "Invalid 'To' +12025550199" }, "bad_number"],
      ["a number out of reach", 400, { code: 21214, message: "x" }, "bad_number"],
      ["a number of the wrong form", 400, { code: 21217, message: "x" }, "bad_number"],
      ["a blocked number", 400, { code: 21216, message: "x" }, "rejected"],
      ["a country not permitted", 400, { code: 21215, message: "x" }, "rejected"],
      ["a caller id not verified", 400, { code: 21210, message: "x" }, "caller_id"],
      ["a caller id that is none", 400, { code: 21212, message: "x" }, "caller_id"],
      ["wrong credentials", 401, { code: 20003, message: "Authenticate" }, "auth"],
      ["wrong credentials by code", 403, { code: 20003, message: "Authenticate" }, "auth"],
      ["too many requests", 429, { code: 20429, message: "x" }, "rate"],
      ["anything else", 400, { code: 99999, message: "x" }, "rejected"],
      ...(twil
        ? ([["a trial account's limits", 400, { code: 573005, message: "x" }, "bad_number"]] as Subject["refusals"])
        : ([
            ["no funds", 422, { code: 4001, message: "x" }, "funds"],
            ["no balance", 422, { code: "30002", message: "x" }, "funds"],
          ] as Subject["refusals"])),
    ],
    events: [
      ...["queued", "initiated", "ringing", "in-progress"].map((status): Subject["events"][number] => [
        status,
        { CallSid: "CA1", CallStatus: status },
        { status: status as never, reason: "" },
      ]),
      ...["completed", "busy", "no-answer", "canceled", "failed"].map((status): Subject["events"][number] => [
        status,
        { CallSid: "CA1", CallStatus: status, CallDuration: "9" },
        { status: status as never, reason: status },
      ]),
      ...["machine_start", "machine_end_beep", "machine_end_silence", "machine_end_other", "fax"].map(
        (by): Subject["events"][number] => [
          by,
          { CallSid: "CA1", AnsweredBy: by },
          { status: "in-progress", answered_by: "machine" },
        ],
      ),
      ["human", { CallSid: "CA1", AnsweredBy: "human" }, { status: "in-progress", answered_by: "human" }],
      ["unknown", { CallSid: "CA1", AnsweredBy: "unknown" }, { status: "in-progress", answered_by: null }],
      ["a status nobody knows", { CallSid: "CA1", CallStatus: "melted" }, null],
      ["a recording that failed", { CallSid: "CA1", RecordingSid: "RE1", RecordingStatus: "failed" }, null],
      ["nothing", {}, null],
    ],
    known: [
      ["ringing", () => ({ body: call("ringing") }), "ringing"],
      ["over", () => ({ body: call("no-answer") }), "no-answer"],
      ["unknown to it", () => ({ status: 404, body: { code: 20404, message: "x" } }), null],
      ["an answer that is no call", () => ({ body: { hello: 1 } }), null],
    ],
    search: {
      found(asked) {
        expect([asked.query.get("To"), asked.query.get("From")]).toEqual([order.to_number, order.from_number]);
        const old = { ...call("completed"), sid: "CA0", date_created: "Sat, 21 Nov 2026 08:00:00 +0000" };
        return { body: { calls: [{ junk: true }, call("ringing"), old] } };
      },
      id: "CA1",
      none: () => ({ body: { calls: [] } }),
    },
    hangup: {
      expects: [["POST", `${base}/Calls/CA1${suffix}`]],
      reply(asked) {
        expect(form(asked.body)).toEqual({ Status: "completed" });
        return { body: call("completed") };
      },
      over: { status: 400, body: { code: 21220, message: "Call is not in-progress" } },
    },
    recording: {
      payload: {
        CallSid: "CA1",
        RecordingSid: "RE1",
        RecordingStatus: "completed",
        RecordingDuration: "9",
        RecordingUrl: "https://evil.example/RE1",
      },
      ...{ path: `${base}/Recordings/RE1.mp3`, authorized: true, id: "RE1", duration_ms: 9_000 },
    },
    verify: { path: `${base}${suffix}`, body: { status: "active", auth_token: "t-secret" } },
    inbound: {
      payload: {
        CallSid: "CA2",
        From: "+12025550111",
        To: "+12025550100",
        CallStatus: "ringing",
        Direction: "inbound",
      },
      id: "CA2",
      news: { CallSid: "CA2", From: "+12025550111", To: "+12025550100", CallStatus: "completed", Direction: "inbound" },
      connected: (text) =>
        expect(text).toContain(
          '<Connect><Stream url="wss://media.example/ws?a=1&#38;b=2"><Parameter name="session_token"',
        ),
      rejected: (text) => expect(text).toContain("<Say>Sorry &#38; bye</Say><Hangup/>"),
    },
  };
}

const edwards = generateKeyPairSync("ed25519");
export const telnyxPublicKey = (edwards.publicKey.export({ format: "der", type: "spki" }) as Buffer)
  .subarray(-32)
  .toString("base64");

const state = Buffer.from(JSON.stringify({ call_id: CALL, session_token: order.session_token })).toString("base64");
const telnyxEvent = (event_type: string, payload: Payload = {}) => ({
  data: {
    event_type,
    id: "ev1",
    occurred_at: "2026-11-21T09:30:00Z",
    payload: { call_control_id: "v3:1", client_state: state, ...payload },
  },
  meta: { attempt: 1 },
});
const hangup = (hangup_cause: string) => telnyxEvent("call.hangup", { hangup_cause });
const telnyxError = (code: string, detail = "x") => ({ errors: [{ code, title: "t", detail }] });

const telnyxSubject: Subject = {
  name: "telnyx",
  kind: telnyx as CarrierKind<never>,
  credentials: { api_key: "KEY-secret", connection_id: "77", public_key: telnyxPublicKey },
  variable: "TELNYX_API_URL",
  authorization: (header) => expect(header).toBe("Bearer KEY-secret"),
  webhook(payload, { url = order.webhook_url, now = NOW } = {}) {
    const body = typeof payload === "string" ? payload : JSON.stringify(payload);
    const timestamp = String(Math.floor(now / 1000));
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), edwards.privateKey).toString("base64");
    const headers = headersOf({ "telnyx-timestamp": timestamp, "telnyx-signature-ed25519": signature });
    return { method: "POST", url, headers, body };
  },
  originate: {
    path: "/v2/calls",
    reply: { body: { data: { call_control_id: "v3:1", call_leg_id: "l", call_session_id: "s" } } },
    id: "v3:1",
    body(asked) {
      const sent = JSON.parse(asked.body);
      expect(sent).toMatchObject({
        ...{ connection_id: "77", to: order.to_number, from: order.from_number, command_id: CALL },
        ...{ webhook_url: order.webhook_url, timeout_secs: 300, time_limit_secs: 7200, record: "record-from-answer" },
        ...{ stream_url: order.runtime_url, stream_bidirectional_mode: "rtp", stream_auth_token: order.session_token },
        answering_machine_detection: "detect",
      });
      expect(Buffer.from(sent.client_state, "base64").toString()).toContain(CALL);
    },
  },
  refusals: [
    ["a number that is none", 422, telnyxError("10016", "+12025550199 is no number"), "bad_number"],
    ["a number that is no number", 422, telnyxError("10002"), "bad_number"],
    ["wrong credentials", 401, telnyxError("10009"), "auth"],
    ["no permission", 403, telnyxError("10010"), "auth"],
    ["a bad connection", 422, telnyxError("10015"), "rejected"],
    ["no funds", 402, telnyxError("20100"), "funds"],
    ["no funds by code", 403, telnyxError("20100"), "funds"],
    ["too many requests", 429, telnyxError("10011"), "rate"],
    ["10011 that is not about a rate", 422, telnyxError("10011"), "rejected"],
    ["anything else", 422, telnyxError("1"), "rejected"],
  ],
  events: [
    ["initiated", telnyxEvent("call.initiated"), { status: "initiated" }],
    ["answered", telnyxEvent("call.answered"), { status: "in-progress" }],
    [
      "human",
      telnyxEvent("call.machine.detection.ended", { result: "human" }),
      { status: "in-progress", answered_by: "human" },
    ],
    [
      "machine",
      telnyxEvent("call.machine.detection.ended", { result: "machine" }),
      { status: "in-progress", answered_by: "machine" },
    ],
    [
      "fax",
      telnyxEvent("call.machine.premium.detection.ended", { result: "fax_detected" }),
      { answered_by: "machine" },
    ],
    ["not sure", telnyxEvent("call.machine.detection.ended", { result: "not_sure" }), null],
    ["hung up", hangup("normal_clearing"), { status: "completed", reason: "normal_clearing" }],
    ["time up", hangup("time_limit"), { status: "completed" }],
    ["busy", hangup("user_busy"), { status: "busy" }],
    ["timeout", hangup("timeout"), { status: "no-answer" }],
    ["no answer", hangup("no_answer"), { status: "no-answer" }],
    ["canceled", hangup("originator_cancel"), { status: "canceled" }],
    ["rejected", hangup("call_rejected"), { status: "failed" }],
    ["not found", hangup("not_found"), { status: "failed" }],
    ["unspecified", hangup("unspecified"), { status: "failed" }],
    ["a cause nobody knows", hangup("gremlins"), { status: "failed", reason: "gremlins" }],
    ["the stream's news", telnyxEvent("streaming.started"), null],
    ["nothing", {}, null],
  ],
  known: [
    ["dialling", () => ({ body: { data: { is_alive: false } } }), "initiated"],
    ["ringing", () => ({ body: { data: { is_alive: true, call_duration: 0 } } }), "ringing"],
    ["talking", () => ({ body: { data: { is_alive: true, call_duration: 4 } } }), "in-progress"],
    [
      "over",
      () => ({ body: { data: { is_alive: false, call_duration: 4, end_time: "2026-11-21T09:31:00Z" } } }),
      "completed",
    ],
    ["over unanswered", () => ({ body: { data: { is_alive: false, end_time: "2026-11-21T09:31:00Z" } } }), "no-answer"],
    ["unknown to it", () => ({ status: 404, body: telnyxError("10005") }), null],
    ["an answer that is no call", () => ({ body: { hello: 1 } }), null],
  ],
  search: {
    found: (asked) =>
      asked.path === "/v2/connections/77/active_calls"
        ? {
            body: {
              data: [
                { call_control_id: "v3:0", client_state: "e30=" },
                { junk: 1 },
                { call_control_id: "v3:1", client_state: state },
              ],
            },
          }
        : { body: { data: { is_alive: true, call_duration: 0 } } },
    id: "v3:1",
    none: () => ({ body: { data: [] } }),
  },
  hangup: {
    expects: [["POST", "/v2/calls/v3%3A1/actions/hangup"]],
    reply: () => ({ body: { data: { result: "ok" } } }),
    over: { status: 422, body: telnyxError("90018") },
  },
  recording: {
    payload: telnyxEvent("call.recording.saved", {
      ...{ recording_id: "R-1", recording_urls: {} },
      ...{ recording_started_at: "2026-11-21T09:30:00Z", recording_ended_at: "2026-11-21T09:30:09Z" },
    }),
    ...{ path: "/file.mp3", authorized: false, id: "R-1", duration_ms: 9_000 },
  },
  verify: { path: "/v2/balance", body: { data: { balance: "1.00" } } },
  inbound: {
    payload: telnyxEvent("call.initiated", {
      call_control_id: "v3:2",
      client_state: null,
      direction: "incoming",
      from: "+12025550111",
      to: "+12025550100",
    }),
    id: "v3:2",
    news: telnyxEvent("call.hangup", { call_control_id: "v3:2", client_state: null, hangup_cause: "normal_clearing" }),
    connected: (text) => expect(text).toBe("{}"),
    rejected: (text) => expect(text).toBe("{}"),
  },
};

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const vonagePublicKey = rsa.publicKey.export({ format: "pem", type: "spki" }) as string;
const application_id = "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab";
export const signature_secret = "a-signature-secret-of-some-length";
export const vonageKey = rsa.privateKey.export({ format: "pem", type: "pkcs8" }) as string;
const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The token of a Vonage webhook; the SDK only checks them. */
export function vonageToken(
  claims: object,
  secret = signature_secret,
  header: object = { alg: "HS256", typ: "JWT" },
): string {
  const hash = JSON.stringify(header).includes("HS512") ? "sha512" : "sha256";
  const text = `${b64(header)}.${b64(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest("base64url")}`;
}
const vonageCall = (status: string) => ({
  uuid: "u-1",
  status,
  to: { type: "phone", number: "12025550199" },
  from: { type: "phone", number: "12025550100" },
  start_time: "2026-11-21T09:30:02.000Z",
});
const vonageEvent = (status: string) => ({
  uuid: "u-1",
  conversation_uuid: "CON-1",
  status,
  from: "12025550100",
  to: "12025550199",
  direction: "outbound",
});

const vonageSubject: Subject = {
  name: "vonage",
  kind: vonage as CarrierKind<never>,
  credentials: { application_id, private_key: vonageKey, signature_secret },
  variable: "VONAGE_API_URL",
  authorization: (header) => expect(header).toMatch(/^Bearer eyJ/),
  webhook(payload, { url = order.webhook_url, now = NOW } = {}) {
    const body = typeof payload === "string" ? payload : JSON.stringify(payload);
    const payload_hash = createHash("sha256").update(body).digest("hex");
    const token = vonageToken({
      iat: Math.floor(now / 1000),
      jti: randomUUID(),
      iss: "Vonage",
      payload_hash,
      application_id,
    });
    return { method: "POST", url, headers: headersOf({ authorization: `Bearer ${token}` }), body };
  },
  originate: {
    path: "/v1/calls",
    reply: { status: 201, body: { uuid: "u-1", status: "started", direction: "outbound", conversation_uuid: "CON-1" } },
    id: "u-1",
    body(asked) {
      const sent = JSON.parse(asked.body);
      expect(sent).toMatchObject({
        to: [{ type: "phone", number: "12025550199" }],
        from: { type: "phone", number: "12025550100" },
        ...{ event_url: [order.webhook_url], machine_detection: "continue", ringing_timer: 120, length_timer: 7200 },
      });
      const [record, connect] = sent.ncco;
      expect(record).toMatchObject({ action: "record", eventUrl: [order.webhook_url] });
      expect(connect.endpoint[0]).toMatchObject({
        type: "websocket",
        uri: order.runtime_url,
        headers: { session_token: order.session_token },
      });
    },
  },
  refusals: [
    [
      "a number that is none",
      400,
      { title: "Bad Request", detail: "+12025550199?", invalid_parameters: [{ name: "to[0].number" }] },
      "bad_number",
    ],
    ["a caller id that is none", 400, { title: "Bad Request", invalid_parameters: [{ name: "from" }] }, "caller_id"],
    ["wrong credentials", 401, { title: "Unauthorized" }, "auth"],
    ["no permission", 403, { title: "Forbidden" }, "auth"],
    ["no funds", 402, { title: "Payment" }, "funds"],
    ["too many requests", 429, {}, "rate"],
    ["anything else", 400, { error_title: "x" }, "rejected"],
  ],
  events: [
    ["started", vonageEvent("started"), { status: "initiated" }],
    ["ringing", vonageEvent("ringing"), { status: "ringing" }],
    ["answered", vonageEvent("answered"), { status: "in-progress", answered_by: null }],
    ["human", vonageEvent("human"), { status: "in-progress", answered_by: "human" }],
    ["machine", vonageEvent("machine"), { status: "in-progress", answered_by: "machine" }],
    ["completed", vonageEvent("completed"), { status: "completed", reason: "completed" }],
    ["busy", vonageEvent("busy"), { status: "busy" }],
    ["timeout", vonageEvent("timeout"), { status: "no-answer", reason: "timeout" }],
    ["unanswered", vonageEvent("unanswered"), { status: "no-answer", reason: "unanswered" }],
    ["cancelled", vonageEvent("cancelled"), { status: "canceled" }],
    ["failed", vonageEvent("failed"), { status: "failed" }],
    ["rejected", vonageEvent("rejected"), { status: "failed", reason: "rejected" }],
    ["a status nobody knows", vonageEvent("toString"), null],
    ["the way to the media runtime", { ...vonageEvent("completed"), to: "wss://media.example/ws" }, null],
    ["nothing", {}, null],
  ],
  known: [
    ["ringing", () => ({ body: vonageCall("ringing") }), "ringing"],
    ["over", () => ({ body: vonageCall("unanswered") }), "no-answer"],
    ["unknown to it", () => ({ status: 404, body: { title: "Not Found" } }), null],
    ["an answer that is no call", () => ({ body: { hello: 1 } }), null],
  ],
  search: {
    found: () => ({
      body: {
        _embedded: {
          calls: [
            { ...vonageCall("ringing"), uuid: "u-0", to: { number: "12025550188" } },
            { junk: 1 },
            vonageCall("ringing"),
          ],
        },
      },
    }),
    id: "u-1",
    none: () => ({ body: { _embedded: { calls: [] } } }),
  },
  hangup: {
    expects: [["PUT", "/v1/calls/u-1"]],
    reply(asked) {
      expect(JSON.parse(asked.body)).toEqual({ action: "hangup" });
      return { status: 204 };
    },
    over: { status: 404, body: { title: "Not Found" } },
  },
  recording: {
    payload: {
      recording_uuid: "R-1",
      recording_url: "https://elsewhere.example/v1/files/F-1",
      start_time: "2026-11-21T09:30:00Z",
      end_time: "2026-11-21T09:30:09Z",
      conversation_uuid: "CON-1",
    },
    ...{ path: "/v1/files/F-1", authorized: true, id: "F-1", duration_ms: 9_000 },
  },
  verify: { path: "/v1/calls", body: { count: 0 } },
  inbound: {
    payload: { uuid: "u-2", conversation_uuid: "CON-2", from: "12025550111", to: "12025550100" },
    id: "u-2",
    news: { ...vonageEvent("completed"), uuid: "u-2" },
    connected: (text) =>
      expect(JSON.parse(text)[1].endpoint[0].headers).toEqual({ session_token: order.session_token }),
    rejected: (text) => expect(JSON.parse(text)).toEqual([{ action: "talk", text: "Sorry & bye" }]),
  },
};

/** Plivo's V3 signature after its documentation; the SDK only checks them, and checks these. */
export function plivoSignature(token: string, url: string, body: string, nonce: string): string {
  const pairs = (text: string, mark: string) => {
    const all = [...new URLSearchParams(text)];
    return [...new Set(all.map(([name]) => name))].sort().flatMap((name) =>
      all
        .filter(([other]) => other === name)
        .map(([, value]) => value)
        .sort()
        .map((value) => name + mark + value),
    );
  };
  const [address = "", search = ""] = url.split("?");
  const query = pairs(search, "=").join("&");
  const posted = pairs(body, "").join("");
  const text = address + (query || posted ? `?${query}` : "") + (query && posted ? "." : "") + posted;
  return createHmac("sha256", token).update(`${text}.${nonce}`).digest("base64");
}
const plivoEvent = (CallStatus: string, more = {}) => ({
  CallUUID: "p-1",
  RequestUUID: "p-1",
  From: "12025550100",
  To: "12025550199",
  Direction: "outbound",
  CallStatus,
  ...more,
});
const plivoCdr = (more = {}) => ({
  call_uuid: "p-1",
  initiation_time: "2026-11-21 15:00:01+05:30",
  answer_time: null,
  hangup_cause_code: 0,
  hangup_cause_name: "",
  ...more,
});
const plivoLive = { call_uuid: "p-1", call_status: "ringing", session_start: "2026-11-21 09:30:01.722551" };
const ifLive = (asked: Asked, live: Reply, cdr: Reply) => (asked.query.get("status") === "live" ? live : cdr);
const missing: Reply = { status: 404, body: { error: "not found" } };

const plivoSubject: Subject = {
  name: "plivo",
  kind: plivo as CarrierKind<never>,
  credentials: { auth_id: "MA123", auth_token: "p-secret" },
  variable: "PLIVO_API_URL",
  authorization: (header) => expect(header).toBe(`Basic ${Buffer.from("MA123:p-secret").toString("base64")}`),
  webhook(payload, { url = order.webhook_url } = {}) {
    const body =
      typeof payload === "string" ? payload : new URLSearchParams(payload as Record<string, string>).toString();
    const nonce = randomUUID();
    const headers = headersOf({
      "x-plivo-signature-v3": plivoSignature("p-secret", url, body, nonce),
      "x-plivo-signature-v3-nonce": nonce,
    });
    return { method: "POST", url, headers, body };
  },
  originate: {
    path: "/v1/Account/MA123/Call/",
    reply: { status: 201, body: { message: "call fired", request_uuid: "p-1", api_id: "a" } },
    id: "p-1",
    body(asked) {
      expect(JSON.parse(asked.body)).toMatchObject({
        ...{ from: "12025550100", to: "12025550199", answer_url: order.webhook_url, answer_method: "POST" },
        ...{ ring_url: order.webhook_url, hangup_url: order.webhook_url, machine_detection: "true" },
        ...{ machine_detection_url: order.webhook_url, ring_timeout: 300, time_limit: 7200 },
      });
    },
  },
  refusals: [
    [
      "a number that is none",
      400,
      { api_id: "a", error: "to parameter is not a valid number: 12025550199" },
      "bad_number",
    ],
    ["a caller id that is none", 400, { api_id: "a", error: "from parameter is invalid" }, "caller_id"],
    ["wrong credentials", 401, { error: "Could not verify your access level" }, "auth"],
    ["no permission", 403, { error: "x" }, "auth"],
    ["no funds", 402, { error: "x" }, "funds"],
    ["no funds by the words", 400, { error: "insufficient credit" }, "funds"],
    ["too many requests", 429, { error: "x" }, "rate"],
    ["anything else", 400, { error: "x" }, "rejected"],
  ],
  events: [
    ["ringing", plivoEvent("ringing", { Event: "Ring" }), { status: "ringing" }],
    ["answered", plivoEvent("in-progress", { Event: "StartApp" }), { status: "in-progress" }],
    [
      "completed",
      plivoEvent("completed", { Event: "Hangup", HangupCause: "NORMAL_CLEARING", HangupCauseCode: "4000" }),
      { status: "completed", reason: "NORMAL_CLEARING" },
    ],
    ["busy", plivoEvent("busy"), { status: "busy" }],
    ["no answer", plivoEvent("no-answer"), { status: "no-answer" }],
    ["timeout", plivoEvent("timeout"), { status: "no-answer" }],
    ["failed", plivoEvent("failed"), { status: "failed" }],
    ["canceled by us", plivoEvent("completed", { HangupCauseCode: "1000" }), { status: "canceled" }],
    [
      "machine",
      plivoEvent("in-progress", { Event: "MachineDetection", Machine: "true" }),
      { status: "in-progress", answered_by: "machine" },
    ],
    ["a status nobody knows", plivoEvent("constructor"), null],
    ["nothing", {}, null],
  ],
  known: [
    ["ringing", (asked) => ifLive(asked, { body: plivoLive }, missing), "ringing"],
    [
      "talked",
      (asked) => ifLive(asked, missing, { body: plivoCdr({ answer_time: "2026-11-21 15:00:05+05:30" }) }),
      "completed",
    ],
    ["busy", (asked) => ifLive(asked, missing, { body: plivoCdr({ hangup_cause_name: "Busy Line" }) }), "busy"],
    [
      "not answered",
      (asked) => ifLive(asked, missing, { body: plivoCdr({ hangup_cause_name: "No Answer" }) }),
      "no-answer",
    ],
    ["canceled", (asked) => ifLive(asked, missing, { body: plivoCdr({ hangup_cause_code: 1000 }) }), "canceled"],
    ["failed", (asked) => ifLive(asked, missing, { body: plivoCdr({ hangup_cause_name: "Loop Detected" }) }), "failed"],
    ["unknown to it", () => missing, null],
    ["an answer that is no call", () => ({ body: { hello: 1 } }), null],
  ],
  search: {
    found(asked) {
      if (asked.path.endsWith("/Call/p-1/")) return { body: plivoLive };
      expect([asked.query.get("from_number"), asked.query.get("to_number")]).toEqual(["12025550100", "12025550199"]);
      return ifLive(
        asked,
        { body: { calls: ["p-1"] } },
        { body: { objects: [plivoCdr({ call_uuid: "p-0", initiation_time: "2026-11-21 08:00:00+00:00" })] } },
      );
    },
    id: "p-1",
    none: (asked) => ifLive(asked, { body: { calls: [] } }, { body: { objects: [] } }),
  },
  hangup: {
    expects: [["DELETE", "/v1/Account/MA123/Call/p-1/"]],
    reply: () => ({ status: 204 }),
    over: missing,
  },
  recording: {
    payload: { CallUUID: "p-1", RecordUrl: "PLACE/file.mp3", RecordingID: "R-1", RecordingDurationMs: "9000" },
    ...{ path: "/file.mp3", authorized: true, id: "R-1", duration_ms: 9_000 },
  },
  verify: { path: "/v1/Account/MA123/", body: { auth_id: "MA123" } },
  inbound: {
    payload: {
      ...plivoEvent("ringing"),
      CallUUID: "p-2",
      Direction: "inbound",
      From: "12025550111",
      To: "12025550100",
      Event: "StartApp",
    },
    id: "p-2",
    news: { ...plivoEvent("completed"), CallUUID: "p-2", Direction: "inbound", Event: "Hangup" },
    connected(text) {
      expect(text).toContain("wss://media.example/ws?a=1&#38;b=2&#38;session_token=eyJ.a-b_c.d</Stream>");
      const [, extra = ""] = /extraHeaders="([^"]*)"/.exec(text) ?? [];
      expect(extra).toMatch(/^[A-Za-z0-9]+=[A-Za-z0-9]+$/);
      expect(extra.length).toBeLessThanOrEqual(512);
    },
    rejected: (text) => expect(text).toContain("<Speak>Sorry &#38; bye</Speak><Hangup/>"),
  },
};

export const subjects: Subject[] = [laml("twilio"), telnyxSubject, laml("signalwire"), vonageSubject, plivoSubject];
