import { fromL16, fromMulaw, toL16, toMulaw } from "./sound.ts";

/** A runtime's message to a carrier. */
export type Sent =
  | { type: "audio"; samples: Int16Array }
  | { type: "clear" }
  | { type: "mark"; name: string }
  /** A frame that the carrier would refuse or not understand. */
  | { type: "unknown"; frame: string };

type Frame = Record<string, unknown> | Buffer;

/** A carrier's media stream, from the carrier's side. */
export interface Dialect {
  rate: number;
  /** Returns the address to connect to. */
  address(url: string, token: string): string;
  first(token: string, callId: string): Frame[];
  audio(samples: Int16Array, n: number): Frame;
  /** Reports that a requested mark was played. */
  played(name: string): Frame;
  read(frame: string | Buffer): Sent;
  /** The frame at the call's end; a carrier without one closes the socket. */
  stop: Frame | null;
}

const STREAM = "MZ00000000000000000000000000000001";
const PLIVO_STREAM = "5a2b7f1e-0000-4000-8000-000000000001";
const mulaw = {
  rate: 8000,
  address: (url: string) => url,
};
const base64 = (samples: Int16Array) => toMulaw(samples).toString("base64");

/** Reads JSON frames. Frames without a `meaning` are unknown. */
function reader(meaning: (frame: Record<string, unknown>) => Sent | null): Dialect["read"] {
  return (frame) => {
    const unknown = { type: "unknown", frame: String(frame).slice(0, 200) } as const;
    if (typeof frame !== "string") return { type: "unknown", frame: "a binary frame" };
    try {
      return meaning(JSON.parse(frame)) ?? unknown;
    } catch {
      return unknown;
    }
  };
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

function sound(payload: unknown): Sent | null {
  if (typeof payload !== "string" || payload === "") return null;
  return { type: "audio", samples: fromMulaw(Buffer.from(payload, "base64")) };
}

function mark(name: unknown): Sent | null {
  return typeof name === "string" ? { type: "mark", name } : null;
}

const twilio: Dialect = {
  ...mulaw,
  first: (session_token, call_id) => [
    { event: "connected", protocol: "Call", version: "1.0.0" },
    {
      event: "start",
      sequenceNumber: "1",
      streamSid: STREAM,
      start: {
        streamSid: STREAM,
        accountSid: "AC00000000000000000000000000000001",
        callSid: "CA00000000000000000000000000000001",
        tracks: ["inbound"],
        mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
        customParameters: { session_token, call_id },
      },
    },
  ],
  audio: (samples, n) => ({
    event: "media",
    sequenceNumber: String(n + 1),
    streamSid: STREAM,
    media: { track: "inbound", chunk: String(n), timestamp: String(20 * n), payload: base64(samples) },
  }),
  played: (name) => ({ event: "mark", streamSid: STREAM, mark: { name } }),
  read: reader((frame) => {
    // Twilio ignores frames of another stream.
    if (frame.streamSid !== STREAM) return null;
    if (frame.event === "media") return sound(field(frame.media, "payload"));
    if (frame.event === "mark") return mark(field(frame.mark, "name"));
    return frame.event === "clear" ? { type: "clear" } : null;
  }),
  stop: { event: "stop", streamSid: STREAM, stop: { callSid: "CA00000000000000000000000000000001" } },
};

/**
 * On outbound calls the token is also in the header x-telnyx-streaming-auth-token; on inbound calls it is only here.
 */
const telnyx: Dialect = {
  ...mulaw,
  first: (session_token, call_id) => [
    { event: "connected", version: "1.0.0" },
    {
      event: "start",
      sequence_number: "1",
      stream_id: "32DE0DEA-53CB-4B21-89A4-9E1819C043BC",
      start: {
        call_control_id: "v3:0000000000000000000001",
        call_session_id: "ff55a038-6f5d-11ef-9692-02420aeffb1f",
        from: "+12025550100",
        to: "+12025550199",
        client_state: Buffer.from(JSON.stringify({ call_id, session_token })).toString("base64"),
        media_format: { encoding: "PCMU", sample_rate: 8000, channels: 1 },
      },
    },
  ],
  audio: (samples, n) => ({
    event: "media",
    sequence_number: String(n + 1),
    stream_id: "32DE0DEA-53CB-4B21-89A4-9E1819C043BC",
    media: { track: "inbound", chunk: String(n), timestamp: String(20 * n), payload: base64(samples) },
  }),
  played: (name) => ({ event: "mark", stream_id: "32DE0DEA-53CB-4B21-89A4-9E1819C043BC", mark: { name } }),
  read: reader((frame) => {
    if (frame.event === "media") return sound(field(frame.media, "payload"));
    if (frame.event === "mark") return mark(field(frame.mark, "name"));
    return frame.event === "clear" ? { type: "clear" } : null;
  }),
  stop: { event: "stop", stream_id: "32DE0DEA-53CB-4B21-89A4-9E1819C043BC", stop: {} },
};

const plivo: Dialect = {
  ...mulaw,
  address: (url, token) => `${url}${url.includes("?") ? "&" : "?"}session_token=${encodeURIComponent(token)}`,
  first: (_, call_id) => [
    {
      event: "start",
      sequenceNumber: 1,
      start: {
        callId: "12345678-1234-1234-1234-123456789abc",
        streamId: PLIVO_STREAM,
        accountId: "MA000000000000000001",
        tracks: ["inbound"],
        mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000 },
      },
      extra_headers: `callid=${call_id.replaceAll("-", "")}`,
    },
  ],
  audio: (samples, n) => ({
    event: "media",
    sequenceNumber: n + 1,
    streamId: PLIVO_STREAM,
    media: { track: "inbound", timestamp: String(Date.now()), chunk: n, payload: base64(samples) },
  }),
  played: (name) => ({ event: "playedStream", streamId: PLIVO_STREAM, name }),
  read: reader((frame) => {
    const { media } = frame;
    if (frame.event === "playAudio") {
      if (field(media, "contentType") !== "audio/x-mulaw" || Number(field(media, "sampleRate")) !== 8000) return null;
      return sound(field(media, "payload"));
    }
    if (frame.event === "checkpoint") return mark(frame.name);
    return frame.event === "clearAudio" ? { type: "clear" } : null;
  }),
  stop: null,
};

const vonage: Dialect = {
  rate: 16_000,
  address: (url) => url,
  first: (session_token) => [{ event: "websocket:connected", "content-type": "audio/l16;rate=16000", session_token }],
  audio: (samples) => toL16(samples),
  played: (name) => ({ event: "websocket:notify", payload: { name } }),
  read: (frame) => {
    if (typeof frame !== "string") return { type: "audio", samples: fromL16(frame) };
    return reader((message) => {
      if (message.action === "clear") return { type: "clear" };
      return message.action === "notify" ? mark(field(message.payload, "name") ?? "") : null;
    })(frame);
  },
  stop: null,
};

/** The carriers by their names in Switchboard. SignalWire uses Twilio's protocol. */
export const DIALECTS = { twilio, signalwire: twilio, telnyx, plivo, vonage } as const satisfies Record<
  string,
  Dialect
>;
export type CarrierName = keyof typeof DIALECTS;
