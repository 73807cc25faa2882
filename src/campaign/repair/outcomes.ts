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

export const OUTCOMES = Object.values(EACH);
/** Contacts that were never called and that no user canceled. A stop leaves them canceled. */
export const NOT_CALLED = "not_called";
/** How contacts can be chosen: by the outcome of their latest call, or because they had none. */
export const CHOICES = [...OUTCOMES, NOT_CALLED] as const;
export type Choice = (typeof CHOICES)[number];
export type ChoiceCounts = Record<Choice, number>;

/** The outcomes of failed contacts. A contact that answered is never called again. */
export const FAILED_OUTCOMES = OUTCOMES.filter((outcome) => outcome !== "answered");
