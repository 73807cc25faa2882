import { SIGN_IN_FIRST } from "./panel.ts";

export const UNAVAILABLE = "This chat is not available right now.";

/** Checks whether the runtime refused because of a cap or a budget (`conversation_cap`, `budget_reached`). */
export const isFull = (reason: string): boolean => /_(cap|reached)$/.test(reason);

/** Tells visitors why they cannot chat. Most reasons are not disclosed. */
export function refusalWords(reason: string): string {
  if (reason === "guest_not_allowed") return SIGN_IN_FIRST;
  if (isFull(reason)) return "This chat is busy. Please try again later.";
  return /revoked|expired/.test(reason) ? "This chat has ended." : UNAVAILABLE;
}
