import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Carrier, MediaSession, RecordingOrder } from "../../../src/phone/carriers/carrier.ts";
import { plivoXml, twiml } from "./documents.ts";
import { laml } from "./laml.ts";
import { plivoSubject } from "./plivo.ts";
import { type StandIn, standIn } from "./stand-in.ts";
import { CALL, NOW, order, type Subject } from "./subject.ts";
import { telnyxSubject } from "./telnyx.ts";
import { spokenAsIs, vonageSubject } from "./vonage.ts";

/** A text with characters to escape, spoken before the agent. */
const ANNOUNCEMENT = `Calls are recorded & kept <30 days> at "Acme's".`;
const ANNOUNCED: RecordingOrder = { announcement: ANNOUNCEMENT };
const UNANNOUNCED: RecordingOrder = { announcement: null };

let server: StandIn;
beforeAll(async () => {
  server = await standIn();
});
afterAll(() => server.stop());

function connect({ kind, credentials, variable }: Subject): Carrier {
  const env = { [variable]: server.url } as never;
  return kind.connect(kind.credentials.parse(credentials) as never, { account: "acme", env, fetch, now: () => NOW });
}

/** Normalizes the escaping and layout of XML, in which builders differ. */
const plain = (xml = "") =>
  xml
    .replace(/^<\?xml[^>]*\?>/, "")
    .replace(/>\s+</g, "><")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(
      /&(lt|gt|quot|apos|amp);/g,
      (_, name) => ({ lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" })[name as "lt"],
    )
    .trim();

/** Returns the request to the carrier for placing a call with these settings. */
async function placed(subject: Subject, recording: RecordingOrder | null, more: Partial<MediaSession> = {}) {
  server.play(() => subject.originate.reply);
  await connect(subject).originate({ ...order, recording, ...more });
  return server.requests[0]?.body ?? "";
}

/** Returns the instructions to the carrier for an inbound call. */
async function answered(subject: Subject, recording: RecordingOrder | null, more: Partial<MediaSession> = {}) {
  server.play(() => ({ body: { data: { result: "ok" } } }));
  const call = { provider_call_id: "in-1", from_number: "+12025550111", to_number: order.from_number };
  const document = await connect(subject).inbound?.connect(call, { ...order, recording, ...more });
  return document?.body ?? "";
}

describe.each(["twilio", "signalwire"] as const)("recording at %s", (name) => {
  const subject = laml(name);
  const fields = async (recording: RecordingOrder | null) => new URLSearchParams(await placed(subject, recording));
  const callback = order.webhook_url + (name === "twilio" ? "#rc=3&rp=all" : "");

  it("recording of outgoing calls is requested with the call, or not at all", async () => {
    expect(Object.fromEntries(await fields(UNANNOUNCED))).toMatchObject({
      Record: "true",
      RecordingChannels: "dual",
      RecordingStatusCallback: callback,
      RecordingStatusCallbackMethod: "POST",
    });
    expect([...(await fields(null)).keys()].filter((field) => field.startsWith("Record"))).toEqual([]);
  });

  it("begins with the announcement, before the runtime is connected", async () => {
    const parameters = { session_token: order.session_token, call_id: CALL };
    const document = twiml.announcedStream(ANNOUNCEMENT, { url: order.runtime_url }, parameters);
    expect(plain((await fields(ANNOUNCED)).get("Twiml") ?? "")).toBe(plain(document));
    expect((await fields(null)).get("Twiml")).not.toContain("<Say");
  });
});

it("an inbound Twilio call is recorded as its library writes it", async () => {
  const twilio = laml("twilio");
  const recording = {
    channels: "dual",
    recordingStatusCallback: `${order.webhook_url}#rc=3&rp=all`,
    recordingStatusCallbackMethod: "POST",
  };
  const document = plain(await answered(twilio, ANNOUNCED));
  const first = plain(twiml.recorded(recording, ANNOUNCEMENT)).replace("</Response>", "<Connect>");
  expect(document.startsWith(first)).toBe(true);
  expect(await answered(twilio, null)).not.toContain("Recording");
});

describe("SignalWire, whose instructions cannot record,", () => {
  const signalwire = laml("signalwire");
  const started = signalwire.webhook({ CallSid: "CA1", StreamSid: "ST1", StreamEvent: "stream-started" });
  const answerStarted = (recording: RecordingOrder | null) =>
    connect(signalwire).answer?.(started, async () => ({ ...order, recording }));

  it("reports that a call to be recorded is connected, and is then asked to record", async () => {
    const address = plain(await answered(signalwire, ANNOUNCED));
    expect(address).toContain(`statusCallback="${order.webhook_url}" statusCallbackMethod="POST"`);
    expect(await connect(signalwire).parseWebhook(started)).toEqual([]);
    server.play(() => ({ status: 201, body: { sid: "RE1" } }));
    expect(await answerStarted(ANNOUNCED)).toBeNull();
    expect(server.requests.map(({ method, path }) => [method, path])).toEqual([
      ["POST", "/api/laml/2010-04-01/Accounts/P-1/Calls/CA1/Recordings"],
    ]);
    expect(Object.fromEntries(new URLSearchParams(server.requests[0]?.body))).toEqual({
      RecordingChannels: "dual",
      RecordingStatusCallback: order.webhook_url,
      RecordingStatusCallbackMethod: "POST",
    });
  });

  it("SignalWire, whose instructions cannot record, is not asked if the call is not to be recorded, and may refuse", async () => {
    expect(await answered(signalwire, null)).not.toContain("statusCallback");
    server.play(() => ({ status: 201, body: {} }));
    expect(await answerStarted(null)).toBeNull();
    expect(server.requests).toEqual([]);
    server.play(() => ({ status: 422, body: { code: 21220, message: "x" } }));
    expect(await answerStarted(UNANNOUNCED)).toBeNull();
  });
});

describe("Twilio's limit of instructions", () => {
  const twilio = laml("twilio");
  const relay = {
    greeting: "Hello",
    greeting_interruptible: true,
    voice_provider: "none",
    voice_id: "",
    language: "en-US",
    languages: [],
    key_terms: [],
    suppresses_noise: false,
  };
  const twimlOf = async (recording: RecordingOrder | null, greeting: string) =>
    new URLSearchParams(await placed(twilio, recording, { relay: { ...relay, greeting } })).get("Twiml") ?? "";

  it("includes the announcement: the longest one leaves no room for the greeting, and is always spoken", async () => {
    const longest = { announcement: "&".repeat(500) };
    for (const greeting of ["Hello", "x".repeat(500), "x".repeat(3_000)]) {
      const twiml = await twimlOf(longest, greeting);
      expect(twiml.length).toBeLessThanOrEqual(4_000);
      expect(plain(twiml)).toContain(`<Say>${longest.announcement}</Say><Connect`);
      expect(twiml.includes("welcomeGreeting")).toBe(greeting.length < 3_000);
    }
  });

  it("passes only the session token as a parameter, and the announcement in it", async () => {
    for (const recording of [ANNOUNCED, UNANNOUNCED, null]) {
      const twiml = await twimlOf(recording, "Hello");
      expect([...twiml.matchAll(/<Parameter [^>]*>/g)].map(String)).toEqual([
        `<Parameter name="session_token" value="${order.greeted_token}"/>`,
      ]);
    }
  });
});

describe("recording at Vonage", () => {
  const actions = (ncco: object[]) => ncco.map((action) => (action as { action: string }).action);
  const outgoing = async (recording: RecordingOrder | null) => JSON.parse(await placed(vonageSubject, recording)).ncco;

  it.each(["outgoing", "incoming"])(
    "recording is the first of the actions of %s calls at Vonage, before the announcement",
    async (way) => {
      const ncco = async (recording: RecordingOrder | null) =>
        way === "outgoing" ? outgoing(recording) : JSON.parse(await answered(vonageSubject, recording));
      const [record, talk, connection] = await ncco(ANNOUNCED);
      expect(record).toMatchObject({ action: "record", eventUrl: [order.webhook_url] });
      expect(talk).toEqual({ action: "talk", text: spokenAsIs(ANNOUNCEMENT) });
      expect(connection).toMatchObject({ action: "connect" });
      expect(actions(await ncco(UNANNOUNCED))).toEqual(["record", "connect"]);
      expect(actions(await ncco(null))).toEqual(["connect"]);
    },
  );
});

describe("recording at Plivo", () => {
  const picked = plivoSubject.webhook({ CallUUID: "p-1", CallStatus: "in-progress", Event: "StartApp" });
  const documents: Record<string, (recording: RecordingOrder | null) => Promise<string | undefined>> = {
    outgoing: async (recording) =>
      (await connect(plivoSubject).answer?.(picked, async () => ({ ...order, recording })))?.body,
    incoming: (recording) => answered(plivoSubject, recording),
  };

  it.each(Object.entries(documents))(
    "the recording of %s calls is written as Plivo's library writes it",
    async (_, documentOf) => {
      const recording = {
        recordSession: "true",
        redirect: "false",
        maxLength: order.max_duration,
        callbackUrl: order.webhook_url,
        callbackMethod: "POST",
      };
      const first = plain(plivoXml.recorded(recording, ANNOUNCEMENT)).replace("</Response>", "");
      expect(plain(await documentOf(ANNOUNCED)).startsWith(`${first}<Stream `)).toBe(true);
      expect(plain(await documentOf(UNANNOUNCED))).not.toContain("<Speak");
      expect(plain(await documentOf(null))).toMatch(/^<Response><Stream /);
    },
  );
});

describe("recording at Telnyx", () => {
  const state = (text: string) => JSON.parse(Buffer.from(text, "base64").toString());
  const dialled = async (recording: RecordingOrder | null): Promise<{ client_state?: string }> =>
    JSON.parse(await placed(telnyxSubject, recording));
  const relay = {
    greeting: "Hello",
    greeting_interruptible: true,
    voice_provider: "none",
    voice_id: "",
    language: "en-US",
    languages: [],
    key_terms: [],
    suppresses_noise: false,
  };
  const report = (event_type: string, client_state = "") =>
    telnyxSubject.webhook({ data: { event_type, id: "ev-1", payload: { call_control_id: "v3:1", client_state } } });

  it("Telnyx is told to record with the call or its answer, or not at all", async () => {
    expect(await dialled(UNANNOUNCED)).toMatchObject({ record: "record-from-answer", stream_url: order.runtime_url });
    expect(Object.keys(await dialled(null)).filter((field) => field.startsWith("record"))).toEqual([]);
    await answered(telnyxSubject, UNANNOUNCED);
    expect(JSON.parse(server.requests[0]?.body ?? "")).toMatchObject({ record: "record-from-answer" });
    await answered(telnyxSubject, null);
    expect(JSON.parse(server.requests[0]?.body ?? "")).not.toHaveProperty("record");
  });

  it("the announcement at Telnyx is spoken once the call is answered", async () => {
    for (const sent of [
      await dialled(ANNOUNCED),
      await answered(telnyxSubject, ANNOUNCED).then((): { client_state?: string } =>
        JSON.parse(server.requests[0]?.body ?? ""),
      ),
    ]) {
      expect(Object.keys(sent).filter((field) => field.startsWith("stream"))).toEqual([]);
      expect(sent).not.toHaveProperty("conversation_relay_config");
      const next = () => Promise.reject(new TypeError("it is connected later"));
      server.play(() => ({ body: { data: { result: "ok" } } }));
      await connect(telnyxSubject).answer?.(report("call.answered", sent.client_state), next);
      expect(server.requests.map(({ path }) => path)).toEqual(["/v2/calls/v3%3A1/actions/speak"]);
      const spoken = JSON.parse(server.requests[0]?.body ?? "");
      expect(spoken).toMatchObject({ payload: ANNOUNCEMENT, payload_type: "text", command_id: "ev-1" });
      expect(spoken.voice).not.toBe("");
      expect(state(spoken.client_state)).toEqual({ call_id: CALL, texts: [], recorded: true });
    }
  });

  it("a Telnyx call is connected to either kind of runtime once the announcement has been spoken", async () => {
    const spoken = Buffer.from(JSON.stringify({ call_id: CALL, texts: [], recorded: true })).toString("base64");
    server.play(() => ({ body: { data: { result: "ok" } } }));
    const ended = report("call.speak.ended", spoken);
    expect(await connect(telnyxSubject).parseWebhook(ended)).toEqual([]);
    await connect(telnyxSubject).answer?.(ended, async () => ({ ...order, recording: ANNOUNCED }));
    await connect(telnyxSubject).answer?.(ended, async () => ({
      ...order,
      recording: ANNOUNCED,
      relay: { ...relay, greeting: "" },
    }));
    await connect(telnyxSubject).answer?.(ended, async () => "over");
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/v2/calls/v3%3A1/actions/streaming_start",
      "/v2/calls/v3%3A1/actions/conversation_relay_start",
    ]);
    const [stream, talk] = server.requests.map(({ body }) => JSON.parse(body));
    expect(stream).toMatchObject({
      stream_url: order.runtime_url,
      stream_bidirectional_mode: "rtp",
      stream_auth_token: order.session_token,
      command_id: "ev-1",
    });
    expect(state(stream.client_state)).toEqual({ call_id: CALL, session_token: order.session_token });
    expect(talk).toMatchObject({
      url: order.runtime_url,
      custom_parameters: { session_token: order.session_token },
    });
    expect(state(talk.client_state)).toEqual({ call_id: CALL });
  });

  it("a Telnyx caller is connected without recording if the announcement fails", async () => {
    const { client_state = "" } = await dialled(ANNOUNCED);
    server.play(({ path }) =>
      path.endsWith("/speak") ? { status: 422, body: { errors: [] } } : { body: { data: {} } },
    );
    await connect(telnyxSubject).answer?.(report("call.answered", client_state), async () => order);
    expect(server.requests.map(({ path }) => path.split("/").at(-1))).toEqual([
      "speak",
      "record_stop",
      "streaming_start",
    ]);
  });

  it("a Telnyx call that cannot be connected after its announcement is ended", async () => {
    const spoken = Buffer.from(JSON.stringify({ call_id: CALL, texts: [], recorded: true })).toString("base64");
    server.play(({ path }) => (path.endsWith("_start") ? { status: 422, body: { errors: [] } } : { body: {} }));
    await connect(telnyxSubject).answer?.(report("call.speak.ended", spoken), async () => order);
    expect(server.requests.map(({ path }) => path.split("/").at(-1))).toEqual(["streaming_start", "hangup"]);
  });

  it("a Telnyx call without an announcement is not changed when it is answered", async () => {
    server.play(() => ({ body: { data: {} } }));
    const { client_state = "" } = await dialled(UNANNOUNCED);
    await connect(telnyxSubject).answer?.(report("call.answered", client_state), async () => order);
    expect(server.requests.filter(({ path }) => path.includes("actions"))).toEqual([]);
  });

  it("a recording at Telnyx does not begin without a runtime, even after an announcement", async () => {
    await expect(placed(telnyxSubject, ANNOUNCED, { runtime_url: "" })).rejects.toMatchObject({ reason: "rejected" });
  });
});
