import type { CarrierContext, MediaSession, NextOfCall, RelaySettings, Webhook } from "./carrier.ts";
import { instructions, mediaUrl, attributes as written } from "./media.ts";
import { fieldsOf } from "./signature.ts";
import { twilioLanguage } from "./voices.ts";

/** Maximum length of the instructions in a request that places a call, characters. */
export const MAX_INLINE_CHARS = 4_000;
/** Maximum number of reconnections of a call whose WebSocket broke. */
export const MAX_RECONNECTIONS = 3;
/** Maximum wait before the first reconnection, ms. */
const RECONNECT_WITHIN_MS = 1_000;

/**
 * Returns the maximum wait before a call is connected again, ms. A deployment breaks the sockets of all calls at once,
 * so they are spread out, and further apart after each failure.
 */
export const reconnectWithinMs = (reconnected: number) => RECONNECT_WITHIN_MS * 2 ** reconnected;

const HANG_UP = instructions("<Hangup/>");

/*
 * The attributes are those of twilio-node 6 (ConversationRelayAttributes, LanguageAttributes). `language` applies to
 * both recognition and speech. The attribute for noise is not sent: twilio-node types it as `backgroundnoisereduction`,
 * its change log (2026-04) writes `backgroundNoiseReduction`, and no source lists its values.
 */

/**
 * Returns TwiML that has the carrier speak with the runtime in text, after `first` (verbs). A greeting that would make
 * it too long is left to the runtime. The end of the session is reported at `action`.
 */
export function relayDocument(session: MediaSession, relay: RelaySettings, action: string, first: string): string {
  const greeting = relay.greeting.trim();
  const greeted = connect(session, { ...relay, greeting }, action, first);
  return greeted.length <= MAX_INLINE_CHARS ? greeted : connect(session, { ...relay, greeting: "" }, action, first);
}

function connect(session: MediaSession, relay: RelaySettings, action: string, first = ""): string {
  const { greeting } = relay;
  const language = twilioLanguage(relay.language);
  const greets = greeting !== "";
  const attributes = {
    url: mediaUrl(session),
    ...(greets && {
      welcomeGreeting: greeting,
      welcomeGreetingInterruptible: interruptible(relay.greeting_interruptible),
    }),
    interruptible: interruptible(true),
    dtmfDetection: "true",
    ...(language !== undefined && { language }),
    ...(relay.key_terms.length > 0 && { hints: relay.key_terms.join(",") }),
    ...VOICES[relay.voice_provider]?.(relay.voice_id),
  };
  const value = greets ? session.greeted_token : session.session_token;
  const parameter = `<Parameter${written({ name: "session_token", value })}/>`;
  const relayed = `<ConversationRelay${written(attributes)}>${languagesOf(relay)}${parameter}</ConversationRelay>`;
  return instructions(first, `<Connect${written({ action })}>${relayed}</Connect>`);
}

/** Returns what may interrupt the carrier's speech. */
export const interruptible = (yes: boolean) => (yes ? "any" : "none");

/** The agents' voices that Twilio has too; Twilio's default voice speaks for all others. */
const VOICES: Partial<Record<string, (id: string) => Record<string, string>>> = {
  elevenlabs: (id) => {
    const ttsProvider = "ElevenLabs";
    const voice = id.trim();
    return voice === "" ? { ttsProvider } : { ttsProvider, voice };
  },
};

/**
 * Returns the languages that the session may change to by a frame, each with the agent's voice; "" if there is a single
 * one.
 */
function languagesOf({ language, languages, voice_provider, voice_id }: RelaySettings): string {
  if (languages.length === 0) return "";
  const codes = new Set([language, ...languages].flatMap((tag) => twilioLanguage(tag) ?? []));
  const voice = VOICES[voice_provider]?.(voice_id);
  return [...codes].map((code) => `<Language${written(Object.assign({ code }, voice))}/>`).join("");
}

/**
 * Returns the next step after the report that a ConversationRelay session is over; null for other webhooks. The call is
 * connected again if the WebSocket broke during a conversation that continues, and hung up otherwise. `fragment` is
 * appended to the address where the next end is reported.
 */
export function afterRelay(
  { url, body }: Webhook,
  fragment: string,
  pause: CarrierContext["pause"],
): ((next: () => Promise<NextOfCall>) => Promise<string>) | null {
  const fields = fieldsOf(body);
  if (!["SessionId", "SessionStatus", "HandoffData"].some((name) => fields.has(name))) return null;
  const field = (name: string) => fields.get(name)?.[0] ?? "";
  const reconnected = Number(new URL(url).searchParams.get(RECONNECTED) ?? 0);
  // The service sends handoff data with every session that it ends.
  const isOver =
    field("HandoffData") !== "" || field("CallStatus") !== "in-progress" || reconnected >= MAX_RECONNECTIONS;
  return async (next) => {
    if (isOver) return HANG_UP;
    await pause?.(reconnectWithinMs(reconnected));
    const session = await next();
    if (typeof session === "string" || !session.relay) return HANG_UP;
    const action = reconnectedAddress(session.webhook_url, reconnected + 1);
    return connect(session, { ...session.relay, greeting: "" }, `${action}${fragment}`);
  };
}

/** The parameter with the number of reconnections, in the address for the report of the session's end. */
const RECONNECTED = "reconnected";

function reconnectedAddress(webhookUrl: string, times: number): string {
  const url = new URL(webhookUrl);
  url.searchParams.set(RECONNECTED, String(times));
  return url.href;
}

/** Returns the addresses that a carrier may have signed for a WebSocket's handshake at this address. */
export function atHandshake(url: string): string[] {
  const socket = url.replace(/^http/, "ws");
  return [socket, url].flatMap((one) => (one.endsWith("/") ? [one] : [one, `${one}/`]));
}
