import { createHmac, randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { CarrierKind } from "../../../src/phone/carriers/carrier.ts";
import { plivo } from "../../../src/phone/carriers/plivo.ts";
import { plivoTransfer, plivoXml } from "./documents.ts";
import type { ReceivedRequest, Reply } from "./stand-in.ts";
import { INSTRUCTIONS_URL, MESSAGE_URL, order, type Subject } from "./subject.ts";

/** Returns Plivo's V3 signature according to its documentation. The SDK can only check signatures; it checks these. */
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
const ifLive = (request: ReceivedRequest, live: Reply, cdr: Reply) =>
  request.query.get("status") === "live" ? live : cdr;
const missing: Reply = { status: 404, body: { error: "not found" } };

export const plivoSubject: Subject = {
  name: "plivo",
  kind: plivo as CarrierKind<never>,
  credentials: { auth_id: "MA123", auth_token: "p-secret" },
  variable: "PLIVO_API_URL",
  authorization: (header) => expect(header).toBe(`Basic ${Buffer.from("MA123:p-secret").toString("base64")}`),
  webhook(payload, { url = order.webhook_url } = {}) {
    const body =
      typeof payload === "string" ? payload : new URLSearchParams(payload as Record<string, string>).toString();
    const nonce = randomUUID();
    const headers = new Headers({
      "x-plivo-signature-v3": plivoSignature("p-secret", url, body, nonce),
      "x-plivo-signature-v3-nonce": nonce,
    });
    return { method: "POST", url, headers, body };
  },
  originate: {
    path: "/v1/Account/MA123/Call/",
    reply: { status: 201, body: { message: "call fired", request_uuid: "p-1", api_id: "a" } },
    id: "p-1",
    body(request) {
      expect(JSON.parse(request.body)).toMatchObject({
        from: "12025550100",
        to: "12025550199",
        answer_url: order.webhook_url,
        answer_method: "POST",
        ring_url: order.webhook_url,
        hangup_url: order.webhook_url,
        machine_detection: "true",
        machine_detection_url: order.webhook_url,
        ring_timeout: 300,
        time_limit: 7200,
      });
    },
  },
  refusals: [
    ["an invalid number", 400, { api_id: "a", error: "to parameter is not a valid number: 12025550199" }, "bad_number"],
    ["an invalid caller id", 400, { api_id: "a", error: "from parameter is invalid" }, "caller_id"],
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
    // The service's status "unknown" is for calls that may never have been placed.
    [
      "failed, it does not know why",
      plivoEvent("failed", { HangupCause: "Unknown" }),
      { status: "failed", reason: "failed" },
    ],
    ["canceled by us", plivoEvent("completed", { HangupCauseCode: "1000" }), { status: "canceled" }],
    [
      "machine",
      plivoEvent("in-progress", { Event: "MachineDetection", Machine: "true" }),
      { status: "in-progress", answered_by: "machine", machine: "recording" },
    ],
    ["an unknown status", plivoEvent("constructor"), null],
    ["nothing", {}, null],
  ],
  lookups: [
    ["ringing", (request) => ifLive(request, { body: plivoLive }, missing), "ringing"],
    [
      "talked",
      (request) => ifLive(request, missing, { body: plivoCdr({ answer_time: "2026-11-21 15:00:05+05:30" }) }),
      "completed",
    ],
    ["busy", (request) => ifLive(request, missing, { body: plivoCdr({ hangup_cause_name: "Busy Line" }) }), "busy"],
    [
      "not answered",
      (request) => ifLive(request, missing, { body: plivoCdr({ hangup_cause_name: "No Answer" }) }),
      "no-answer",
    ],
    ["canceled", (request) => ifLive(request, missing, { body: plivoCdr({ hangup_cause_code: 1000 }) }), "canceled"],
    [
      "failed",
      (request) => ifLive(request, missing, { body: plivoCdr({ hangup_cause_name: "Loop Detected" }) }),
      "failed",
    ],
    ["unknown to it", () => missing, null],
    ["a response without a call", () => ({ body: { hello: 1 } }), null],
  ],
  search: {
    found(request) {
      if (request.path.endsWith("/Call/p-1/")) return { body: plivoLive };
      expect([request.query.get("from_number"), request.query.get("to_number")]).toEqual([
        "12025550100",
        "12025550199",
      ]);
      return ifLive(
        request,
        { body: { calls: ["p-1"] } },
        { body: { objects: [plivoCdr({ call_uuid: "p-0", initiation_time: "2026-11-21 08:00:00+00:00" })] } },
      );
    },
    id: "p-1",
    none: (request) => ifLive(request, { body: { calls: [] } }, { body: { objects: [] } }),
  },
  hangup: {
    expects: [["DELETE", "/v1/Account/MA123/Call/p-1/"]],
    reply: () => ({ status: 204 }),
    over: missing,
  },
  transfer: {
    expects: ["POST", "/v1/Account/MA123/Call/p-1/"],
    body: (request) =>
      expect([request.method, request.path, JSON.parse(request.body)]).toEqual(plivoTransfer(INSTRUCTIONS_URL)),
    reply: { status: 202, body: { message: "call transfered", api_id: "a" } },
    over: { status: 404, body: { error: "not found" } },
    instructions: plivoXml.dial(),
  },
  message: {
    ordered: ({ body }) => expect(JSON.parse(body).machine_detection_url).toBe(order.webhook_url),
    expects: [["POST", "/v1/Account/MA123/Call/p-1/"]],
    body: (request) =>
      expect(request.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
        plivoTransfer(MESSAGE_URL),
      ]),
    reply: { status: 202, body: { message: "call transfered", api_id: "a" } },
    over: missing,
    instructions: plivoXml.message(),
    most: Number.POSITIVE_INFINITY,
  },
  recording: {
    payload: { CallUUID: "p-1", RecordUrl: "PLACE/file.mp3", RecordingID: "R-1", RecordingDurationMs: "9000" },
    path: "/file.mp3",
    authorized: true,
    id: "R-1",
    duration_ms: 9_000,
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
    report: { ...plivoEvent("completed"), CallUUID: "p-2", Direction: "inbound", Event: "Hangup" },
    connected(text) {
      expect(text).toContain("wss://media.example/ws?a=1&#38;b=2&#38;session_token=eyJ.a-b_c.d</Stream>");
      const [, extra = ""] = /extraHeaders="([^"]*)"/.exec(text) ?? [];
      expect(extra).toMatch(/^[A-Za-z0-9]+=[A-Za-z0-9]+$/);
      expect(extra.length).toBeLessThanOrEqual(512);
    },
    rejected: (text) => expect(text).toContain("<Speak>Sorry &#38; bye</Speak><Hangup/>"),
  },
};
