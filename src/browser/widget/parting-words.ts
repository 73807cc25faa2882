import { SIGN_IN_FIRST } from "./panel.ts";

export const UNAVAILABLE = "This chat is not available right now.";

/** What a visitor reads for the runtime's reason to refuse a session; others say no more than that there is no chat. */
const WORDS: Record<string, string> = {
  widget_disabled: "This chat has been switched off.",
  guest_not_allowed: SIGN_IN_FIRST,
  access_revoked: "Your access to this chat has ended.",
  expired: "Your session has expired.",
  signed_out: "You have been signed out.",
  conversation_cap: "Too many conversations are open right now. Please try again in a moment.",
  budget_reached: "This chat has reached its limit for now. Please try again later.",
};

/** Why there is no chat, in a visitor's words. */
export function refusalWords(reason: string): string {
  return Object.hasOwn(WORDS, reason) ? (WORDS[reason] ?? UNAVAILABLE) : UNAVAILABLE;
}
