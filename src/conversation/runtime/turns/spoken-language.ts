import { spokenLanguages } from "../../../agent/speech/language.ts";
import { telnyxTranscription, twilioLanguage } from "../../../phone/carriers/voices.ts";
import type { ConversationEvent } from "../../../records/conversations/events.ts";
import type { SessionSnapshot } from "../session/session.ts";

/** The built-in tool that changes the language of a conversation. */
export const SET_LANGUAGE = "set_language";

/**
 * Returns a language in the form that the client's frame for changing recognition and voice uses; null if the carrier
 * has no such frame or does not list the language. Sandbox calls accept every language.
 */
export function frameLanguage({ call }: Pick<SessionSnapshot, "call">, language: string): string | null {
  if (call === null || call.provider === "sandbox") return language;
  if (call.provider === "twilio") return twilioLanguage(language) ?? null;
  const isKnown = call.provider === "telnyx" && telnyxTranscription(language, []) !== undefined;
  return isKnown ? language : null;
}

/** Returns the current language of a conversation: the one it changed to last, otherwise the agent's. */
export function languageNow(events: readonly ConversationEvent[], { language, languages }: SessionSnapshot["agent"]) {
  if (languages.length === 0) return language;
  const changed = new Set(
    events.flatMap((event) => (event.type === "tool_result" && event.ok ? [event.tool_call_id] : [])),
  );
  const last = events.findLast(
    (event) => event.type === "tool_call" && event.name === SET_LANGUAGE && changed.has(event.tool_call_id),
  );
  const wanted = last?.type === "tool_call" ? last.arguments.language : undefined;
  return spokenLanguages({ language, languages }).find((tag) => tag === wanted) ?? language;
}
