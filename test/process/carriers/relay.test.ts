import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Carrier,
  ForgedWebhook,
  type MediaSession,
  type NextOfCall,
  type RelaySettings,
} from "../../../src/phone/carriers/carrier.ts";
import { twilioSignature } from "../support/twilio-signature.ts";
import { twiml } from "./documents.ts";
import { laml } from "./laml.ts";
import { type StandIn, standIn } from "./stand-in.ts";
import { CALL, NOW, order, type Subject } from "./subject.ts";
import { TELNYX_RELAY, telnyxSubject } from "./telnyx.ts";

const RUNTIME = TELNYX_RELAY.url;
const relay: RelaySettings = {
  greeting: TELNYX_RELAY.greeting,
  greeting_interruptible: true,
  voice_provider: "elevenlabs",
  voice_id: "21m00Tcm4TlvDq8ikWAM",
  language: "en-US",
  languages: [],
  key_terms: [],
  suppresses_noise: false,
};
const session: MediaSession = { ...order, runtime_url: RUNTIME, relay, recording: null };

let server: StandIn;
beforeAll(async () => {
  server = await standIn();
});
afterAll(() => server.stop());

function connect({ kind, credentials, variable }: Subject): Carrier {
  const env = { [variable]: server.url } as never;
  return kind.connect(kind.credentials.parse(credentials) as never, { account: "acme", env, fetch, now: () => NOW });
}

/** Normalizes the escaping of TwiML, in which builders differ. */
const plain = (xml: string) =>
  xml
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, "&");

/** The suffix of the address that makes Twilio retry undelivered reports. */
const AGAIN = "#rc=3&rp=all";

/** Returns the document as Twilio's own builder writes it. */
function built(
  attributes: Record<string, string | boolean>,
  parameters: Record<string, string>,
  action = `${order.webhook_url}${AGAIN}`,
): string {
  return plain(twiml.relay(attributes, parameters, action));
}

describe("Twilio and our own runtime", () => {
  const twilio = laml("twilio");
  const placed = async (with_: RelaySettings) => {
    server.play(() => twilio.originate.reply);
    await connect(twilio).originate({ ...order, ...session, relay: with_ });
    return new URLSearchParams(server.requests[0]?.body).get("Twiml") ?? "";
  };
  const attributes = {
    url: RUNTIME,
    welcomeGreeting: relay.greeting,
    welcomeGreetingInterruptible: "any",
    interruptible: "any",
    dtmfDetection: true,
    language: "en-US",
    ttsProvider: "ElevenLabs",
    voice: relay.voice_id,
  };
  const parameters = { session_token: order.greeted_token };

  it("Twilio is connected to the built-in runtime as Twilio's own builder writes it", async () => {
    expect(plain(await placed(relay))).toBe(built(attributes, parameters));
    const document = await connect(twilio).inbound?.connect(
      { provider_call_id: "CA1", from_number: order.from_number, to_number: order.to_number },
      session,
    );
    expect(plain(document?.body ?? "")).toBe(built(attributes, parameters));
  });

  it("greet without interruption if the agent's greeting is locked", async () => {
    const locked = await placed({ ...relay, greeting_interruptible: false });
    expect(plain(locked)).toBe(built({ ...attributes, welcomeGreetingInterruptible: "none" }, parameters));
  });

  it("speak with Twilio's own voice if Twilio does not have the agent's voice", async () => {
    const { ttsProvider: _, voice: __, ...without } = attributes;
    for (const voice_provider of ["cartesia", "deepgram"])
      expect(plain(await placed({ ...relay, voice_provider }))).toBe(built(without, parameters));
  });

  it("leave the voice to its provider if the agent has none", async () => {
    const { voice: _, ...without } = attributes;
    for (const voice_id of ["", "  "])
      expect(plain(await placed({ ...relay, voice_id }))).toBe(built(without, parameters));
  });

  it("leave a greeting that is empty or too long for a request to the runtime", async () => {
    const { welcomeGreeting: _, welcomeGreetingInterruptible: __, ...ungreeted } = attributes;
    const { session_token } = order;
    for (const greeting of ["", "  ", "Hello. ".repeat(600), "&".repeat(1_000)])
      expect(plain(await placed({ ...relay, greeting }))).toBe(built(ungreeted, { session_token }));
    const longest = "x".repeat(4_000 - (await placed({ ...relay, greeting: "x" })).length + 1);
    expect((await placed({ ...relay, greeting: longest })).length).toBe(4_000);
    expect((await placed({ ...relay, greeting: `${longest}x` })).length).toBeLessThan(1_000);
  });

  describe("when the session is over", () => {
    const report = (fields: Record<string, string>, url = order.webhook_url) =>
      twilio.webhook({ CallSid: "CA1", CallStatus: "in-progress", SessionId: "VX1", ...fields }, { url });
    const answered = async (fields: Record<string, string>, url?: string, next: NextOfCall = session) => {
      const carrier = connect(twilio);
      const webhook = report(fields, url);
      expect(await carrier.parseWebhook(webhook)).toMatchObject([{ provider_call_id: "CA1" }]);
      return plain((await carrier.answer?.(webhook, async () => next))?.body ?? "nothing");
    };
    const hangUp = '<?xml version="1.0" encoding="UTF-8"?><Response><Hangup/></Response>';
    const broken = { SessionStatus: "failed", ErrorCode: "64105" };

    it("hang up if we ended it, if the call has ended, and if no session continues", async () => {
      expect(await answered({ SessionStatus: "ended", HandoffData: '{"reason":"agent_ended"}' })).toBe(hangUp);
      expect(await answered({ ...broken, CallStatus: "completed" })).toBe(hangUp);
      expect(await answered(broken, order.webhook_url, "over")).toBe(hangUp);
    });

    it("a broken socket reconnects to Twilio silently, at most three times", async () => {
      const { welcomeGreeting: _, welcomeGreetingInterruptible: __, ...ungreeted } = attributes;
      let action = order.webhook_url;
      for (const times of [1, 2, 3]) {
        const next = await answered(broken, action);
        action = `${order.webhook_url}&reconnected=${times}`;
        expect(next).toBe(built(ungreeted, { session_token: order.session_token }, `${action}${AGAIN}`));
      }
      expect(await answered(broken, action)).toBe(hangUp);
    });

    it("a report without a session's status gets no answer", async () => {
      const webhook = twilio.webhook({ CallSid: "CA1", CallStatus: "in-progress" });
      expect(await connect(twilio).answer?.(webhook, async () => session)).toBeNull();
    });
  });

  it("check the handshake's signature as Twilio makes it", async () => {
    const came = RUNTIME.replace("wss:", "https:");
    const handshake = (signature: string | null, url = came) => ({
      method: "GET",
      url,
      headers: new Headers(signature === null ? {} : { "x-twilio-signature": signature }),
      body: "",
    });
    const signed = (url: string, key = twilio.credentials.auth_token ?? "") => twilioSignature(key, url);
    const { verifyHandshake } = connect(twilio);
    for (const url of [RUNTIME, `${RUNTIME}/`, came, RUNTIME.replace(".example", ".example:443")])
      await expect(verifyHandshake?.(handshake(signed(url)))).resolves.toBeUndefined();
    const forged = [
      null,
      "",
      "x",
      signed(RUNTIME, "another"),
      signed(`${RUNTIME}2`),
      signed("wss://switchboard.example"),
    ];
    for (const signature of forged)
      await expect(verifyHandshake?.(handshake(signature))).rejects.toThrow(ForgedWebhook);
    const another = came.replace("k1", "k2");
    await expect(verifyHandshake?.(handshake(signed(RUNTIME), another))).rejects.toThrow(ForgedWebhook);
  });
});

describe("Telnyx and our own runtime", () => {
  const config = TELNYX_RELAY;
  const stateOf = (sent: { client_state: string }) => JSON.parse(Buffer.from(sent.client_state, "base64").toString());

  it("Telnyx is connected to the built-in runtime as the call is answered", async () => {
    server.play(() => telnyxSubject.originate.reply);
    await connect(telnyxSubject).originate({ ...order, ...session });
    const sent = JSON.parse(server.requests[0]?.body ?? "");
    expect(sent.conversation_relay_config).toEqual(config);
    expect(Object.keys(sent).filter((name) => name.startsWith("stream"))).toEqual([]);
    // Only the runtime receives the token, because the state is returned with every report.
    expect(stateOf(sent)).toEqual({ call_id: CALL });

    server.play(() => ({ body: { data: { result: "ok" } } }));
    const call = { provider_call_id: "v3:1", from_number: order.from_number, to_number: order.to_number };
    await connect(telnyxSubject).inbound?.connect(call, session);
    expect(server.requests.map(({ path }) => path)).toEqual(["/v2/calls/v3%3A1/actions/answer"]);
    expect(JSON.parse(server.requests[0]?.body ?? "").conversation_relay_config).toEqual(config);
  });

  it("greet without interruption if the greeting is locked, and leave an empty one to the runtime", async () => {
    server.play(() => telnyxSubject.originate.reply);
    const sent = async (changed: Partial<RelaySettings>) => {
      server.requests.length = 0;
      await connect(telnyxSubject).originate({ ...order, ...session, relay: { ...relay, ...changed } });
      return JSON.parse(server.requests[0]?.body ?? "").conversation_relay_config;
    };
    expect(await sent({ greeting_interruptible: false })).toEqual({ ...config, interruptible_greeting: "none" });
    const { greeting: _, interruptible_greeting: __, ...silent } = config;
    const { session_token } = order;
    expect(await sent({ greeting: " " })).toEqual({ ...silent, custom_parameters: { session_token } });
  });

  describe("when the session is over", () => {
    const requestsAfter = async (payload: Record<string, unknown>, next: NextOfCall = session, reconnected = 0) => {
      server.play(() => ({ body: { data: { result: "ok" } } }));
      const client_state = Buffer.from(JSON.stringify({ call_id: CALL, reconnected })).toString("base64");
      const event = { event_type: "call.conversation.ended", id: "ev9", occurred_at: "2026-11-21T09:30:00Z" };
      const webhook = telnyxSubject.webhook({
        data: { ...event, payload: { call_control_id: "v3:1", client_state, ...payload } },
        meta: { attempt: 1 },
      });
      const carrier = connect(telnyxSubject);
      expect(await carrier.parseWebhook(webhook)).toEqual([]);
      expect(await carrier.answer?.(webhook, async () => next)).toBeNull();
      return server.requests.map(({ path, body }) => [path.replace("/v2/calls/v3%3A1/actions/", ""), JSON.parse(body)]);
    };

    it("hang up, because Telnyx would keep the call open", async () => {
      for (const reason of ["assistant_hangup", null, undefined])
        expect(await requestsAfter({ reason })).toEqual([["hangup", {}]]);
      expect(await requestsAfter({ reason: "customer_disconnect" }, "over")).toEqual([["hangup", {}]]);
      expect(await requestsAfter({ reason: "customer_disconnect" }, session, 3)).toEqual([["hangup", {}]]);
    });

    it("a transferred caller is not hung up", async () => {
      for (const reason of ["customer_disconnect", "transferred"])
        expect(await requestsAfter({ reason }, "handed_over")).toEqual([]);
    });

    it("a machine is not hung up until its message has been spoken", async () => {
      for (const reason of ["customer_disconnect", "relay_stopped"])
        expect(await requestsAfter({ reason }, "leaving_message")).toEqual([]);
      server.play(() => ({ body: { data: { result: "ok" } } }));
      const call = { ...order, provider_call_id: "v3:1", placed_at: NOW, connected: true };
      await connect(telnyxSubject).leaveMessage?.(call, {
        text: "Hello.",
        language: "en-US",
        relay: true,
        instructions_url: "",
      });
      const commands = () => server.requests.map(({ path }) => path.replace("/v2/calls/v3%3A1/actions/", ""));
      expect(commands()).toEqual(["conversation_relay_stop", "playback_stop", "speak"]);
      const [, stopped, first] = server.requests.map(({ body }) => JSON.parse(body));
      const { client_state } = first;
      const spoken = async (state: string, status = "completed", message: string | null = "Hello.") => {
        server.requests.length = 0;
        const webhook = telnyxSubject.webhook({
          data: {
            event_type: "call.speak.ended",
            id: "ev8",
            payload: { call_control_id: "v3:1", client_state: state, status },
          },
        });
        const carrier = connect(telnyxSubject);
        expect(await carrier.parseWebhook(webhook)).toEqual([]);
        const answered = carrier.answer?.(
          webhook,
          async () => "leaving_message",
          async () => (message === null ? null : { text: message, language: "en-US" }),
        );
        expect(await answered).toBeNull();
        return commands();
      };
      expect(await spoken(client_state)).toEqual(["hangup"]);
      // All other speech ends too, because the call continues with the message.
      expect(await spoken(stopped.client_state)).toEqual([]);
      // The machine's beep came late and cut the message off, so the message is spoken again.
      expect(await spoken(client_state, "cancelled_amd")).toEqual(["speak"]);
      expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual(Object.assign({}, first, { command_id: "ev8" }));
      expect(await spoken(client_state, "cancelled_amd", null)).toEqual(["hangup"]);
      const other = Buffer.from(JSON.stringify({ call_id: CALL })).toString("base64");
      expect(await spoken(other)).toEqual([]);
    });

    it("a Telnyx call is not left if the runtime cannot be taken off the line", async () => {
      server.play(() => ({ status: 503 }));
      const call = { ...order, provider_call_id: "v3:1", placed_at: NOW, connected: true };
      const left = connect(telnyxSubject).leaveMessage?.(call, {
        text: "Hello.",
        language: "en-US",
        relay: true,
        instructions_url: "",
      });
      await expect(left).rejects.toMatchObject({ reason: "outage" });
      expect(server.requests).toHaveLength(1);
    });

    it("a broken socket reconnects to Telnyx", async () => {
      const [[command, sent] = []] = await requestsAfter({ reason: "customer_disconnect" }, session, 1);
      expect(command).toBe("conversation_relay_start");
      const { client_state, ...rest } = sent;
      expect(stateOf({ client_state })).toEqual({ call_id: CALL, reconnected: 2 });
      expect(rest).toEqual({
        command_id: "ev9",
        url: RUNTIME,
        custom_parameters: { session_token: order.session_token },
        interruptible: "any",
        dtmf_detection: true,
        language: config.language,
        transcription_engine: config.transcription_engine,
        transcription_engine_config: config.transcription_engine_config,
      });
    });
  });
});
