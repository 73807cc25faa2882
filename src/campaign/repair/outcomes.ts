import type { Outcome } from "../decide/state.ts";

const EACH: { [K in Outcome]: K } = {
  answered: "answered",
  busy: "busy",
  no_answer: "no_answer",
  failed: "failed",
  rejected: "rejected",
  machine: "machine",
  canceled: "canceled",
  do_not_call: "do_not_call",
  unknown: "unknown",
};

/** Every outcome a contact may have. */
export const OUTCOMES = Object.values(EACH);
/** Contacts that were never attempted and that nobody cancelled by hand; a stop leaves them cancelled. */
export const NOT_CALLED = "not_called";
/** What contacts can be chosen by: how their latest call ended, or that they had none. */
export const CHOICES = [...OUTCOMES, NOT_CALLED] as const;
export type Choice = (typeof CHOICES)[number];
/** How many contacts there are of each choice. */
export type ChoiceCounts = Record<Choice, number>;

/** The outcomes of contacts that failed: who was answered is never called again. */
export const FAILED_OUTCOMES = OUTCOMES.filter((outcome) => outcome !== "answered");
