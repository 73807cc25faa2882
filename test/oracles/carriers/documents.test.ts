import { createRequire } from "node:module";
import TelnyxSdk from "telnyx";
import twilioSdk from "twilio";
import { describe, expect, it } from "vitest";
import { plivoTransfer, plivoXml, type SentJson, twiml } from "../../process/carriers/documents.ts";
import { CALL, INSTRUCTIONS_URL, MESSAGE, order, plain, TARGET } from "../../process/carriers/subject.ts";
import { TELNYX_MESSAGE, TELNYX_RELAY, TELNYX_TRANSFER } from "../../process/carriers/telnyx.ts";

const ANNOUNCEMENT = `Calls are recorded & kept <30 days> at "Acme's".`;
const PARAMETERS = { session_token: order.session_token, call_id: order.call_id };

describe("the documents that our tests expect of Twilio and SignalWire are those of Twilio's library", () => {
  const voice = () => new twilioSdk.twiml.VoiceResponse();

  it("a Twilio document for a call that is handed over equals the library's", () => {
    const built = voice();
    built.dial({ callerId: order.from_number }, TARGET);
    expect(twiml.dial()).toBe(built.toString());
  });
  it("a Twilio document for a message to a machine equals the library's", () => {
    const built = voice();
    built.say(MESSAGE);
    built.hangup();
    expect(plain(twiml.message())).toBe(plain(built.toString()));
  });
  it("a Twilio document for a media stream behind an announcement equals the library's", () => {
    const built = voice();
    built.say(ANNOUNCEMENT);
    const stream = built.connect().stream({ url: order.runtime_url });
    for (const [name, value] of Object.entries(PARAMETERS)) stream.parameter({ name, value });
    const expected = twiml.announcedStream(ANNOUNCEMENT, { url: order.runtime_url }, PARAMETERS);
    expect(plain(expected)).toBe(plain(built.toString()));
  });
  it("a Twilio document for a call that is recorded equals the library's", () => {
    const recording = {
      channels: "dual" as const,
      recordingStatusCallback: order.webhook_url,
      recordingStatusCallbackMethod: "POST" as const,
    };
    const built = voice();
    built.start().recording(recording);
    built.say(ANNOUNCEMENT);
    expect(plain(twiml.recorded(recording, ANNOUNCEMENT))).toBe(plain(built.toString()));
  });
  it("a Twilio document for a conversation relay equals the library's", () => {
    const relay = {
      url: order.runtime_url,
      welcomeGreeting: ANNOUNCEMENT,
      welcomeGreetingInterruptible: "any" as const,
      interruptible: "any" as const,
      dtmfDetection: true,
      ttsProvider: "ElevenLabs",
      voice: "21m00Tcm4TlvDq8ikWAM",
    };
    const built = voice();
    const noun = built.connect({ action: order.webhook_url }).conversationRelay(relay);
    for (const [name, value] of Object.entries(PARAMETERS)) noun.parameter({ name, value });
    expect(plain(twiml.relay(relay, PARAMETERS, order.webhook_url))).toBe(plain(built.toString()));
  });
});

const require = createRequire(import.meta.url);
const plivoSdk = require("plivo") as {
  Client: new (id: string, token: string) => { calls: { transfer(uuid: string, params: object): Promise<unknown> } };
  Response(): {
    addDial(attributes: object): { addNumber(number: string): void };
    addWait(attributes: object): void;
    addSpeak(text: string): void;
    addHangup(): void;
    addRecord(attributes: object): void;
    toXML(): string;
  };
};
/** The HTTP client of Plivo's library, which accepts no other address than Plivo's. */
const plivoWire = createRequire(require.resolve("plivo"))("axios") as {
  defaults: { adapter: (request: { method: string; url: string; data: string }) => Promise<object> };
};

describe("what our tests expect of Plivo is what Plivo's library writes", () => {
  it("a Plivo document for a call that is handed over equals the library's", () => {
    const built = plivoSdk.Response();
    built.addDial({ callerId: "12025550100" }).addNumber("12025550177");
    expect(plain(plivoXml.dial())).toBe(plain(built.toXML()));
  });
  it("a Plivo document for a message to a machine equals the library's", () => {
    const built = plivoSdk.Response();
    built.addWait({ length: 30, silence: true, minSilence: 2_000 });
    built.addSpeak(MESSAGE);
    built.addHangup();
    expect(plain(plivoXml.message())).toBe(plain(built.toXML()));
  });
  it("a Plivo document for a call that is recorded equals the library's", () => {
    const recording = {
      recordSession: "true",
      redirect: "false",
      maxLength: order.max_duration,
      callbackUrl: order.webhook_url,
      callbackMethod: "POST",
    };
    const built = plivoSdk.Response();
    built.addRecord(recording);
    built.addSpeak(ANNOUNCEMENT);
    expect(plain(plivoXml.recorded(recording, ANNOUNCEMENT))).toBe(plain(built.toXML()));
  });
  it("a Plivo document that requests a call's instructions again equals the library's", async () => {
    const sent: SentJson[] = [];
    plivoWire.defaults.adapter = async (config) => {
      sent.push([config.method.toUpperCase(), new URL(config.url).pathname, JSON.parse(config.data)]);
      return { status: 202, data: {}, config };
    };
    const client = new plivoSdk.Client("MA123", "p-secret");
    await client.calls.transfer("p-1", { legs: "aleg", alegUrl: INSTRUCTIONS_URL, alegMethod: "POST" });
    expect(sent).toEqual([plivoTransfer(INSTRUCTIONS_URL)]);
  });
});

describe("what our tests expect of Telnyx is what Telnyx's library sends", () => {
  const client = () => {
    const sent: SentJson[] = [];
    const network = async (url: unknown, init?: RequestInit) => {
      sent.push([init?.method?.toUpperCase() ?? "GET", new URL(String(url)).pathname, JSON.parse(String(init?.body))]);
      return Response.json({ data: { result: "ok" } });
    };
    return { sent, calls: new TelnyxSdk({ apiKey: "KEY-secret", fetch: network }).calls };
  };
  const encoded = (marks: object) => Buffer.from(JSON.stringify(marks)).toString("base64");

  it("the Telnyx request to hand a call over equals the library's", async () => {
    const { sent, calls } = client();
    await calls.actions.transfer("v3:1", {
      to: TARGET,
      from: order.from_number,
      webhook_url: order.webhook_url,
      target_leg_client_state: encoded({ handed_over_from: "v3:1" }),
    });
    expect(sent).toEqual([TELNYX_TRANSFER]);
  });
  it("the Telnyx request to leave a message equals the library's", async () => {
    const { sent, calls } = client();
    await calls.actions.stopStreaming("v3:1", {});
    await calls.actions.stopPlayback("v3:1", { stop: "all", client_state: encoded({ call_id: CALL }) });
    await calls.actions.speak("v3:1", {
      payload: MESSAGE,
      voice: "AWS.Polly.Joanna",
      command_id: `message-${CALL}`,
      client_state: encoded({ call_id: CALL, message: true, left: 0 }),
    });
    expect(sent).toEqual(TELNYX_MESSAGE);
  });
  it("the Telnyx request to connect a call to a conversation relay equals the library's", async () => {
    const { sent, calls } = client();
    await calls.dial({
      connection_id: "77",
      to: order.to_number,
      from: order.from_number,
      conversation_relay_config: TELNYX_RELAY,
    });
    await calls.actions.startConversationRelay("v3:1", TELNYX_RELAY);
    expect(sent.map(([, path]) => path)).toEqual(["/v2/calls", "/v2/calls/v3:1/actions/conversation_relay_start"]);
    expect(sent[1]?.[2]).toEqual(TELNYX_RELAY);
  });
});
