import { spokenLanguages } from "../../../agent/speech/language.ts";
import type { Speaker } from "../../../phone/calls/relay-settings.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { languageNow } from "../turns/spoken-language.ts";

/**
 * Returns where the caller is, for a carrier that asks what to do next: transferred to a number, gone, or still with
 * the agent and its voice. Null if no conversation has begun, or the object no longer holds it.
 */
export function whereCallerIs(store: ConversationStore): "handed_over" | "over" | Speaker | null {
  const { row, erasedAt } = store;
  if (row === null) return erasedAt === null ? null : "over";
  if (row.transferred_to !== null || row.transfer_requested !== null) return "handed_over";
  if (row.ended_at !== null) return "over";
  const { agent } = store.session.snapshot;
  const { greeting_mode, voice_provider, voice_id, key_terms, noise_suppression_enabled } = agent;
  const language = languageNow(store.events, agent);
  return {
    greeting_mode,
    voice_provider,
    voice_id,
    language,
    languages: spokenLanguages(agent).filter((tag) => tag !== language),
    key_terms,
    noise_suppression_enabled,
  };
}
