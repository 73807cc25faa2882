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
/** The outcomes of contacts that failed: who was answered is never called again. */
export const FAILED_OUTCOMES = OUTCOMES.filter((outcome) => outcome !== "answered");
