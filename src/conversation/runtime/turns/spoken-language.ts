import { spokenLanguages } from "../../../agent/speech/language.ts";
import type { ConversationEvent } from "../../../records/conversations/events.ts";
import type { SessionSnapshot } from "../session/session.ts";

/** The built-in tool by which an agent changes the language of a conversation. */
export const SET_LANGUAGE = "set_language";

/** The carriers that change the language of a call by a frame; the sandbox's people understand every language. */
const CHANGING_CARRIERS: readonly string[] = ["twilio", "telnyx", "sandbox"];

/** Checks whether the client of this conversation can change its speech recognition and voice while it goes on. */
export function canChangeLanguage({ call }: Pick<SessionSnapshot, "call">): boolean {
  return call === null || CHANGING_CARRIERS.includes(call.provider);
}

/** Returns the language that a conversation is in: the one that it changed to last, else the agent's. */
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
