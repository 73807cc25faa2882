import { SIGN_IN_FIRST } from "./panel.ts";

export const UNAVAILABLE = "This chat is not available right now.";

/** Whether the runtime refuses because of a cap or a budget (`conversation_cap`, `budget_reached`). */
export const isFull = (reason: string): boolean => /_(cap|reached)$/.test(reason);

/** Why there is no chat, in a visitor's words; of most reasons they learn no more than that there is none. */
export function refusalWords(reason: string): string {
  if (reason === "guest_not_allowed") return SIGN_IN_FIRST;
  if (isFull(reason)) return "This chat is busy. Please try again later.";
  return /revoked|expired/.test(reason) ? "This chat has ended." : UNAVAILABLE;
}
