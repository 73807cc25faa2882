import { spokenLanguages, withRegion } from "../../agent/speech/language.ts";
import type { CallOrder, MediaSession, RelaySettings } from "./carrier.ts";
import { mediaUrl, seconds } from "./media.ts";
import { firstTexts } from "./recorded.ts";
import { interruptible } from "./relay.ts";
import { announcing } from "./telnyx-announcement.ts";
import { stateOf } from "./telnyx-state.ts";
import { pollyVoice, telnyxTranscription, telnyxVoice } from "./voices.ts";

/** Telnyx's maximum duration of a call, s. */
const MAX_DURATION_S = 14_400;
const RECORD = { record: "record-from-answer", record_channels: "dual", record_format: "mp3" };
export const recording = (session: MediaSession) => (session.recording ? RECORD : {});

/** Returns the parameters that connect the call as soon as it is answered, or first speak to it. */
export function atAnswer(session: MediaSession) {
  const texts = firstTexts(session);
  if (texts.length === 0) return connection(session);
  // Fails now rather than after the call was answered if the address is unusable.
  mediaUrl(session);
  const announces = session.recording?.announcement != null;
  return { client_state: announcing(session.call_id, texts, announces, quieted(session.relay)) };
}

/** Returns the parameters that connect an answered call to the runtime, in text or by an audio stream. */
function connection(session: MediaSession) {
  const { call_id, session_token, relay } = session;
  if (relay) {
    const client_state = stateOf(Object.assign({ call_id }, quieted(relay)));
    return { client_state, conversation_relay_config: relayConfig(session, relay) };
  }
  return {
    // The runtime receives the state in the stream's first message.
    client_state: stateOf({ call_id, session_token }),
    stream_url: mediaUrl(session),
    stream_track: "inbound_track",
    stream_bidirectional_mode: "rtp",
  };
}

/** Returns the command that connects a call to the runtime after its announcement. */
export function started(session: MediaSession) {
  const { call_id, session_token, relay } = session;
  if (!relay) return { ...connection(session), stream_auth_token: session_token };
  return Object.assign(relayConfig(session, relay), { client_state: stateOf({ call_id }) });
}

/** Returns the state that marks a call whose noise is suppressed once it is answered. */
const quieted = (relay: RelaySettings | null) => (relay?.suppresses_noise ? { suppresses_noise: true } : {});

/**
 * Returns the settings of Telnyx's relay. Telnyx cannot speak with an account's own voices, which need a key stored at
 * Telnyx, so its own voice for the language is used. The fields are those of `conversation_relay_config` in
 * telnyx-python (action_answer_params).
 */
export function relayConfig(session: MediaSession, relay: RelaySettings) {
  const greeting = relay.greeting.trim();
  const languages = spokenLanguages(relay).filter((language) => telnyxTranscription(language, []) !== undefined);
  const greets = greeting !== "";
  return {
    url: mediaUrl(session),
    custom_parameters: { session_token: greets ? session.greeted_token : session.session_token },
    ...(greets && { greeting, interruptible_greeting: interruptible(relay.greeting_interruptible) }),
    interruptible: interruptible(true),
    dtmf_detection: true,
    ...inLanguage(relay, relay.language),
    ...(languages.length > 1 && { languages: languages.map((language) => inLanguage(relay, language)) }),
  };
}

/**
 * Returns how a language is recognized and spoken. For a language that Telnyx does not list it returns nothing, so that
 * Telnyx uses English.
 */
function inLanguage({ key_terms }: RelaySettings, language: string) {
  const transcription = telnyxTranscription(language, key_terms);
  if (transcription === undefined) return {};
  const voice = pollyVoice(language);
  return {
    language,
    // Telnyx's own voice for American English is better than Polly's.
    ...(voice !== undefined && withRegion(language) !== "en-US" && { voice: telnyxVoice(language) }),
    ...transcription,
  };
}

export function dial(order: CallOrder, connection_id: string) {
  return {
    connection_id,
    to: order.to_number,
    from: order.from_number,
    command_id: order.call_id,
    webhook_url: order.webhook_url,
    webhook_url_method: "POST",
    ...atAnswer(order),
    ...(!order.relay && firstTexts(order).length === 0 && { stream_auth_token: order.session_token }),
    ...(order.detects_machines && { answering_machine_detection: order.leaves_message ? "greeting_end" : "detect" }),
    ...recording(order),
    timeout_secs: seconds(order.ring_timeout, 5, 600),
    time_limit_secs: seconds(order.max_duration, 30, MAX_DURATION_S),
  };
}
