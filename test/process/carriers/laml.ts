import { expect } from "vitest";
import type { CarrierKind } from "../../../src/phone/carriers/carrier.ts";
import { signalwire } from "../../../src/phone/carriers/signalwire.ts";
import { twilio } from "../../../src/phone/carriers/twilio.ts";
import { twilioSignature } from "../support/twilio-signature.ts";
import { twiml } from "./documents.ts";
import { INSTRUCTIONS_URL, MESSAGE_URL, order, plain, type Subject } from "./subject.ts";

const path = "/2010-04-01/Accounts";
const form = (body: string) => Object.fromEntries(new URLSearchParams(body));

export function laml(name: "twilio" | "signalwire"): Subject {
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
      const signature = twilioSignature(key ?? "", url, all);
      const headers = new Headers({
        [`x-${name}-signature`]: signature,
        "content-type": "application/x-www-form-urlencoded",
      });
      return { method: "POST", url, headers, body: params.toString() };
    },
    originate: {
      path: `${base}/Calls${suffix}`,
      reply: { status: twil ? 201 : 200, body: call("queued") },
      id: "CA1",
      body(request) {
        expect(request.headers["content-type"]).toContain("application/x-www-form-urlencoded");
        const callback = order.webhook_url + (twil ? "#rc=3&rp=all" : "");
        expect(form(request.body)).toMatchObject({
          To: order.to_number,
          From: order.from_number,
          StatusCallback: callback,
          StatusCallbackMethod: "POST",
          Timeout: "300",
          TimeLimit: "7200",
          MachineDetection: "Enable",
          AsyncAmd: "true",
          AsyncAmdStatusCallback: callback,
          Record: "true",
          RecordingStatusCallback: callback,
        });
        const events = new URLSearchParams(request.body).getAll("StatusCallbackEvent");
        expect(events).toEqual(["initiated", "ringing", "answered", "completed"]);
        const document = form(request.body).Twiml ?? "";
        expect(document.length).toBeLessThan(4_000);
        expect(document).toContain('<Connect><Stream url="wss://media.example/ws?a=1&#38;b=2">');
        expect(document).toContain('<Parameter name="session_token" value="eyJ.a-b_c.d"/>');
      },
    },
    refusals: [
      ["an invalid number", 400, { code: 21211, message: "Invalid 'To' +12025550199" }, "bad_number"],
      ["a number out of reach", 400, { code: 21214, message: "x" }, "bad_number"],
      ["a number of the wrong form", 400, { code: 21217, message: "x" }, "bad_number"],
      ["a blocked number", 400, { code: 21216, message: "x" }, "rejected"],
      ["a country not permitted", 400, { code: 21215, message: "x" }, "rejected"],
      ["a caller id not verified", 400, { code: 21210, message: "x" }, "caller_id"],
      ["an invalid caller id", 400, { code: 21212, message: "x" }, "caller_id"],
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
      ...(
        [
          ["machine_start", "greeting"],
          ["machine_end_beep", "recording"],
          ["machine_end_silence", "recording"],
          ["machine_end_other", "recording"],
          ["fax", "no_voicemail"],
        ] as const
      ).map(([by, machine]): Subject["events"][number] => [
        by,
        { CallSid: "CA1", AnsweredBy: by },
        { status: "in-progress", answered_by: "machine", machine },
      ]),
      ["human", { CallSid: "CA1", AnsweredBy: "human" }, { status: "in-progress", answered_by: "human" }],
      ["unknown", { CallSid: "CA1", AnsweredBy: "unknown" }, { status: "in-progress", answered_by: null }],
      ["an unknown status", { CallSid: "CA1", CallStatus: "melted" }, null],
      ["a recording that failed", { CallSid: "CA1", RecordingSid: "RE1", RecordingStatus: "failed" }, null],
      ["nothing", {}, null],
    ],
    lookups: [
      ["ringing", () => ({ body: call("ringing") }), "ringing"],
      ["over", () => ({ body: call("no-answer") }), "no-answer"],
      ["unknown to it", () => ({ status: 404, body: { code: 20404, message: "x" } }), null],
      ["a response without a call", () => ({ body: { hello: 1 } }), null],
    ],
    search: {
      found(request) {
        expect([request.query.get("To"), request.query.get("From")]).toEqual([order.to_number, order.from_number]);
        const old = { ...call("completed"), sid: "CA0", date_created: "Sat, 21 Nov 2026 08:00:00 +0000" };
        return { body: { calls: [{ junk: true }, call("ringing"), old] } };
      },
      id: "CA1",
      none: () => ({ body: { calls: [] } }),
    },
    hangup: {
      expects: [["POST", `${base}/Calls/CA1${suffix}`]],
      reply(request) {
        expect(form(request.body)).toEqual({ Status: "completed" });
        return { body: call("completed") };
      },
      over: { status: 400, body: { code: 21220, message: "Call is not in-progress" } },
    },
    transfer: {
      expects: ["POST", `${base}/Calls/CA1${suffix}`],
      body: (request) =>
        expect(form(request.body)).toEqual(twil ? { Twiml: twiml.dial() } : { Url: INSTRUCTIONS_URL, Method: "POST" }),
      reply: { body: call("in-progress") },
      over: { status: 400, body: { code: 21220, message: "Call is not in-progress. Cannot redirect." } },
      instructions: twiml.dial(),
    },
    message: {
      ordered: ({ body }) => {
        const { MachineDetection, MachineDetectionTimeout, AsyncAmd, AsyncAmdStatusCallback } = form(body);
        expect([MachineDetection, MachineDetectionTimeout, AsyncAmd]).toEqual(["DetectMessageEnd", "59", "true"]);
        expect(AsyncAmdStatusCallback).toContain(order.webhook_url);
      },
      expects: [["POST", `${base}/Calls/CA1${suffix}`]],
      body: ([request]) => {
        const { Twiml, ...rest } = form(request?.body ?? "");
        expect(rest).toEqual(twil ? {} : { Url: MESSAGE_URL, Method: "POST" });
        expect(Twiml && plain(Twiml)).toBe(twil ? plain(twiml.message()) : undefined);
      },
      reply: { body: call("in-progress") },
      over: { status: 400, body: { code: 21220, message: "Call is not in-progress. Cannot redirect." } },
      instructions: twiml.message(),
      most: 4_000,
    },
    recording: {
      payload: {
        CallSid: "CA1",
        RecordingSid: "RE1",
        RecordingStatus: "completed",
        RecordingDuration: "9",
        RecordingUrl: "https://evil.example/RE1",
      },
      path: `${base}/Recordings/RE1.mp3`,
      authorized: true,
      id: "RE1",
      duration_ms: 9_000,
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
      report: {
        CallSid: "CA2",
        From: "+12025550111",
        To: "+12025550100",
        CallStatus: "completed",
        Direction: "inbound",
      },
      connected: (text) =>
        expect(text).toMatch(
          /<Connect><Stream url="wss:\/\/media\.example\/ws\?a=1&#38;b=2"[^>]*><Parameter name="session_token"/,
        ),
      rejected: (text) => expect(text).toContain("<Say>Sorry &#38; bye</Say><Hangup/>"),
    },
  };
}
