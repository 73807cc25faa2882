import { createHash, createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { CarrierKind } from "../../../src/phone/carriers/carrier.ts";
import { vonage } from "../../../src/phone/carriers/vonage.ts";
import { MESSAGE, NOW, order, type Subject } from "./subject.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const vonagePublicKey = rsa.publicKey.export({ format: "pem", type: "spki" }) as string;
const application_id = "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab";
export const signature_secret = "a-signature-secret-of-some-length";
export const vonageKey = rsa.privateKey.export({ format: "pem", type: "pkcs8" }) as string;
const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Creates the token of a Vonage webhook. The SDK can only check such tokens. */
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

/** Returns a text with markup characters as SSML, in which they are escaped so that they are read aloud. */
export const spokenAsIs = (text: string) =>
  `<speak>${text.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`)}</speak>`;

export const vonageSubject: Subject = {
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
    return { method: "POST", url, headers: new Headers({ authorization: `Bearer ${token}` }), body };
  },
  originate: {
    path: "/v1/calls",
    reply: { status: 201, body: { uuid: "u-1", status: "started", direction: "outbound", conversation_uuid: "CON-1" } },
    id: "u-1",
    body(request) {
      const sent = JSON.parse(request.body);
      expect(sent).toMatchObject({
        to: [{ type: "phone", number: "12025550199" }],
        from: { type: "phone", number: "12025550100" },
        event_url: [order.webhook_url],
        machine_detection: "continue",
        ringing_timer: 120,
        length_timer: 7200,
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
      "an invalid number",
      400,
      { title: "Bad Request", detail: "+12025550199?", invalid_parameters: [{ name: "to[0].number" }] },
      "bad_number",
    ],
    ["an invalid caller id", 400, { title: "Bad Request", invalid_parameters: [{ name: "from" }] }, "caller_id"],
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
    ["machine", vonageEvent("machine"), { status: "in-progress", answered_by: "machine", machine: "greeting" }],
    ...["beep_start", "beep_timeout"].map((sub_state): Subject["events"][number] => [
      sub_state,
      { ...vonageEvent("machine"), sub_state },
      { status: "in-progress", answered_by: "machine", machine: "recording" },
    ]),
    ["completed", vonageEvent("completed"), { status: "completed", reason: "completed" }],
    ["busy", vonageEvent("busy"), { status: "busy" }],
    ["timeout", vonageEvent("timeout"), { status: "no-answer", reason: "timeout" }],
    ["unanswered", vonageEvent("unanswered"), { status: "no-answer", reason: "unanswered" }],
    ["cancelled", vonageEvent("cancelled"), { status: "canceled" }],
    ["failed", vonageEvent("failed"), { status: "failed" }],
    ["rejected", vonageEvent("rejected"), { status: "failed", reason: "rejected" }],
    ["an unknown status", vonageEvent("toString"), null],
    ["the way to the media runtime", { ...vonageEvent("completed"), to: "wss://media.example/ws" }, null],
    ["nothing", {}, null],
  ],
  lookups: [
    ["ringing", () => ({ body: vonageCall("ringing") }), "ringing"],
    ["over", () => ({ body: vonageCall("unanswered") }), "no-answer"],
    ["unknown to it", () => ({ status: 404, body: { title: "Not Found" } }), null],
    ["a response without a call", () => ({ body: { hello: 1 } }), null],
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
    reply(request) {
      expect(JSON.parse(request.body)).toEqual({ action: "hangup" });
      return { status: 204 };
    },
    over: { status: 404, body: { title: "Not Found" } },
  },
  transfer: {
    expects: ["PUT", "/v1/calls/u-1"],
    body(request) {
      const endpoint = [{ type: "phone", number: "12025550177" }];
      const ncco = [{ action: "connect", from: "12025550100", endpoint }];
      expect(JSON.parse(request.body)).toEqual({ action: "transfer", destination: { type: "ncco", ncco } });
    },
    reply: { status: 204 },
    over: { status: 400, body: { title: "Bad Request", detail: "The call is not in a state to be transferred" } },
    instructions: null,
  },
  message: {
    // According to the documentation, because the SDK of Vonage's voice API is not among the oracles.
    ordered({ body }) {
      const { machine_detection, advanced_machine_detection } = JSON.parse(body);
      expect(machine_detection).toBeUndefined();
      expect(advanced_machine_detection).toEqual({ behavior: "continue", mode: "default", beep_timeout: 45 });
    },
    expects: [["PUT", "/v1/calls/u-1"]],
    body([request]) {
      const ncco = [{ action: "talk", text: spokenAsIs(MESSAGE) }];
      expect(JSON.parse(request?.body ?? "")).toEqual({ action: "transfer", destination: { type: "ncco", ncco } });
    },
    reply: { status: 204 },
    over: { status: 400, body: { title: "Bad Request", detail: "The call is not in a state to be transferred" } },
    instructions: null,
    most: 1_500,
  },
  recording: {
    payload: {
      recording_uuid: "R-1",
      recording_url: "https://elsewhere.example/v1/files/F-1",
      start_time: "2026-11-21T09:30:00Z",
      end_time: "2026-11-21T09:30:09Z",
      conversation_uuid: "CON-1",
    },
    path: "/v1/files/F-1",
    authorized: true,
    id: "F-1",
    duration_ms: 9_000,
  },
  verify: { path: "/v1/calls", body: { count: 0 } },
  inbound: {
    payload: { uuid: "u-2", conversation_uuid: "CON-2", from: "12025550111", to: "12025550100" },
    id: "u-2",
    report: { ...vonageEvent("completed"), uuid: "u-2" },
    connected: (text) =>
      expect(JSON.parse(text)[1].endpoint[0].headers).toEqual({ session_token: order.session_token }),
    rejected: (text) => expect(JSON.parse(text)).toEqual([{ action: "talk", text: spokenAsIs("Sorry & bye") }]),
  },
};
