import { generateKeyPairSync, sign } from "node:crypto";
import { expect } from "vitest";
import type { CarrierKind } from "../../../src/phone/carriers/carrier.ts";
import { telnyx } from "../../../src/phone/carriers/telnyx.ts";
import type { SentJson } from "./documents.ts";
import type { ReceivedRequest } from "./stand-in.ts";
import { CALL, MESSAGE, NOW, order, type Payload, type Subject, TARGET } from "./subject.ts";

const edwards = generateKeyPairSync("ed25519");
export const telnyxPublicKey = (edwards.publicKey.export({ format: "der", type: "spki" }) as Buffer)
  .subarray(-32)
  .toString("base64");

const encoded = (marks: object) => Buffer.from(JSON.stringify(marks)).toString("base64");
const state = encoded({ call_id: CALL, session_token: order.session_token });
const CALL_PATH = "/v2/calls/v3:1/actions";

/** The requests for a transfer; the tests in test/oracles compare them with those of Telnyx's library. */
export const TELNYX_TRANSFER: SentJson = [
  "POST",
  `${CALL_PATH}/transfer`,
  {
    to: TARGET,
    from: order.from_number,
    webhook_url: order.webhook_url,
    target_leg_client_state: encoded({ handed_over_from: "v3:1" }),
  },
];

/** The requests to leave a message; compared in the same way. */
export const TELNYX_MESSAGE: SentJson[] = [
  ["POST", `${CALL_PATH}/streaming_stop`, {}],
  ["POST", `${CALL_PATH}/playback_stop`, { stop: "all", client_state: encoded({ call_id: CALL }) }],
  [
    "POST",
    `${CALL_PATH}/speak`,
    {
      payload: MESSAGE,
      voice: "AWS.Polly.Joanna",
      command_id: `message-${CALL}`,
      client_state: encoded({ call_id: CALL, message: true, left: 0 }),
    },
  ],
];

/** The request that connects a text runtime; compared in the same way. */
export const TELNYX_RELAY = {
  url: "wss://switchboard.example/runtime/twilio/acme/c1/k1",
  custom_parameters: { session_token: order.greeted_token },
  greeting: `Hello Łukasz, this is <Acme> & "Sons".`,
  interruptible_greeting: "any" as const,
  interruptible: "any" as const,
  dtmf_detection: true,
  language: "en-US",
  transcription_engine: "Deepgram" as const,
  transcription_engine_config: { transcription_model: "deepgram/nova-3", language: "en-US" },
};

const sentJson = ({ method, path, body }: ReceivedRequest): SentJson => [
  method,
  decodeURIComponent(path),
  JSON.parse(body),
];
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

export const telnyxSubject: Subject = {
  name: "telnyx",
  kind: telnyx as CarrierKind<never>,
  credentials: { api_key: "KEY-secret", connection_id: "77", public_key: telnyxPublicKey },
  variable: "TELNYX_API_URL",
  authorization: (header) => expect(header).toBe("Bearer KEY-secret"),
  webhook(payload, { url = order.webhook_url, now = NOW } = {}) {
    const body = typeof payload === "string" ? payload : JSON.stringify(payload);
    const timestamp = String(Math.floor(now / 1000));
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), edwards.privateKey).toString("base64");
    const headers = new Headers({ "telnyx-timestamp": timestamp, "telnyx-signature-ed25519": signature });
    return { method: "POST", url, headers, body };
  },
  originate: {
    path: "/v2/calls",
    reply: { body: { data: { call_control_id: "v3:1", call_leg_id: "l", call_session_id: "s" } } },
    id: "v3:1",
    body(request) {
      const sent = JSON.parse(request.body);
      expect(sent).toMatchObject({
        connection_id: "77",
        to: order.to_number,
        from: order.from_number,
        command_id: CALL,
        webhook_url: order.webhook_url,
        timeout_secs: 300,
        time_limit_secs: 7200,
        record: "record-from-answer",
        stream_url: order.runtime_url,
        stream_bidirectional_mode: "rtp",
        stream_auth_token: order.session_token,
        answering_machine_detection: "detect",
      });
      expect(Buffer.from(sent.client_state, "base64").toString()).toContain(CALL);
    },
  },
  refusals: [
    ["an invalid number", 422, telnyxError("10016", "+12025550199 is no number"), "bad_number"],
    ["a value that is not a number", 422, telnyxError("10002"), "bad_number"],
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
      { status: "in-progress", answered_by: "machine", machine: "greeting" },
    ],
    ...["call.machine.greeting.ended", "call.machine.premium.greeting.ended"].flatMap((type) =>
      ["beep_detected", "no_beep_detected", "ended", "not_sure"].map((result): Subject["events"][number] => [
        `${type}: ${result}`,
        telnyxEvent(type, { result }),
        { status: "in-progress", answered_by: "machine", machine: "recording" },
      ]),
    ),
    [
      "fax",
      telnyxEvent("call.machine.premium.detection.ended", { result: "fax_detected" }),
      { answered_by: "machine", machine: "no_voicemail" },
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
    ["an unknown cause", hangup("gremlins"), { status: "failed", reason: "gremlins" }],
    ["the stream's report", telnyxEvent("streaming.started"), null],
    ["nothing", {}, null],
  ],
  lookups: [
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
    ["a response without a call", () => ({ body: { hello: 1 } }), null],
  ],
  search: {
    found: (request) =>
      request.path === "/v2/connections/77/active_calls"
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
  transfer: {
    expects: ["POST", "/v2/calls/v3%3A1/actions/transfer"],
    body: (request) => expect(sentJson(request)).toEqual(TELNYX_TRANSFER),
    reply: { body: { data: { result: "ok" } } },
    over: { status: 422, body: telnyxError("90018") },
    instructions: null,
  },
  message: {
    ordered: ({ body }) => expect(JSON.parse(body).answering_machine_detection).toBe("greeting_end"),
    expects: [
      ["POST", "/v2/calls/v3%3A1/actions/streaming_stop"],
      ["POST", "/v2/calls/v3%3A1/actions/playback_stop"],
      ["POST", "/v2/calls/v3%3A1/actions/speak"],
    ],
    body: (requests) => expect(requests.map(sentJson)).toEqual(TELNYX_MESSAGE),
    reply: { body: { data: { result: "ok" } } },
    over: { status: 422, body: telnyxError("90018") },
    instructions: null,
    most: 3_000,
  },
  recording: {
    payload: telnyxEvent("call.recording.saved", {
      recording_id: "R-1",
      recording_urls: {},
      recording_started_at: "2026-11-21T09:30:00Z",
      recording_ended_at: "2026-11-21T09:30:09Z",
    }),
    path: "/file.mp3",
    authorized: false,
    id: "R-1",
    duration_ms: 9_000,
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
    report: telnyxEvent("call.hangup", {
      call_control_id: "v3:2",
      client_state: null,
      hangup_cause: "normal_clearing",
    }),
    connected: (text) => expect(text).toBe("{}"),
    rejected: (text) => expect(text).toBe("{}"),
  },
};
