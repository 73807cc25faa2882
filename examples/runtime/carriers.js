/* The frames of the carriers' media streams, as Switchboard has the carriers open them (docs/carrier-streams.md). No I/O. */

import { fromL16, fromMulaw, toL16, toMulaw } from "./audio.js";

const base64 = (bytes) => Buffer.from(bytes).toString("base64");
const mulaw = { rate: 8000, decode: fromMulaw, encode: toMulaw };

/** Twilio, and SignalWire that speaks as it does. */
const twilio = {
  ...mulaw,
  name: "twilio",
  audio: (streamSid, bytes) => ({ event: "media", streamSid, media: { payload: base64(bytes) } }),
  clear: (streamSid) => ({ event: "clear", streamSid }),
};

const telnyx = {
  ...mulaw,
  name: "telnyx",
  audio: (_, bytes) => ({ event: "media", media: { payload: base64(bytes) } }),
  clear: () => ({ event: "clear" }),
};

const plivo = {
  ...mulaw,
  name: "plivo",
  audio: (_, bytes) => ({
    event: "playAudio",
    media: { contentType: "audio/x-mulaw", sampleRate: 8000, payload: base64(bytes) },
  }),
  clear: (streamId) => ({ event: "clearAudio", streamId }),
};

/** Sound goes as it is, in binary frames. */
const vonage = {
  name: "vonage",
  rate: 16_000,
  decode: fromL16,
  encode: toL16,
  audio: (_, bytes) => bytes,
  clear: () => ({ action: "clear" }),
};

/**
 * Whose stream it is, and the session's token, by the frame that begins it; null for a frame before that one.
 * @param {any} frame
 * @param {{ url?: string, headers: Record<string, unknown> }} request the handshake
 */
export function recognise(frame, request) {
  if (frame.event === "websocket:connected") {
    return { dialect: vonage, streamId: "", token: frame.session_token ?? frame.headers?.session_token };
  }
  const { start } = frame;
  if (frame.event !== "start" || typeof start !== "object" || start === null) return null;
  if (start.call_control_id !== undefined) {
    const token = request.headers["x-telnyx-streaming-auth-token"] ?? tokenIn(start.client_state);
    return { dialect: telnyx, streamId: frame.stream_id, token };
  }
  if (start.streamId !== undefined) {
    const query = new URLSearchParams(request.url?.split("?")[1]);
    return { dialect: plivo, streamId: start.streamId, token: query.get("session_token") };
  }
  const streamId = frame.streamSid ?? start.streamSid;
  return { dialect: twilio, streamId, token: start.customParameters?.session_token };
}

/** The token in what Telnyx was given to remember: base64 of JSON. */
function tokenIn(state) {
  try {
    return JSON.parse(Buffer.from(state, "base64").toString()).session_token;
  } catch {
    return undefined;
  }
}

/**
 * What a frame says: sound of the caller, a key, the end of the stream; null for all else, also for what a carrier may
 * add one day.
 * @param {any} frame
 */
export function meaning(frame) {
  switch (frame.event) {
    case "media":
      if (typeof frame.media?.payload !== "string" || /^outbound/.test(frame.media.track ?? "")) return null;
      return { type: "audio", bytes: Buffer.from(frame.media.payload, "base64") };
    case "dtmf":
      return { type: "digit", digit: String(frame.dtmf?.digit ?? "") };
    case "websocket:dtmf":
      return { type: "digit", digit: String(frame.digit ?? "") };
    case "stop":
      return { type: "stop" };
    default:
      return null;
  }
}
