import type { Body } from "../../api/client.ts";
import { formatSentence } from "../../texts/format.ts";
import { calls as t } from "../../texts/index.ts";
import type { Tone } from "../../ui/tone.ts";

type Call = Body<"Call">;

export function otherNumber({ direction, from_number, to_number }: Call): string {
  return direction === "outbound" ? to_number : from_number;
}

/** Checks whether the other party's number is known: neither withheld nor erased. */
export function isNumber(number: string): boolean {
  return number.startsWith("+");
}

export function isRunning({ ended_at }: Call): boolean {
  return ended_at === null;
}

/** Returns the outcome or the current state of a call as a sentence. */
export function outcomeInWords({ end_reason, status }: Call): string {
  return end_reason === null ? formatSentence(t.statuses[status]) : t.outcomes[end_reason];
}

export function toneOf(call: Call): Tone {
  if (isRunning(call)) return "live";
  if (call.end_reason === "machine" || call.end_reason === "unknown" || call.end_reason === "no_final_event")
    return "warn";
  return TONES[call.status];
}

const TONES: Record<Call["status"], Tone> = {
  queued: "live",
  initiated: "live",
  ringing: "live",
  "in-progress": "live",
  completed: "ok",
  busy: "idle",
  "no-answer": "idle",
  failed: "bad",
  canceled: "idle",
};
