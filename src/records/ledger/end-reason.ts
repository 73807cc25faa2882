import type { CallStatus } from "./call-status.ts";

/** Why a call ended: one vocabulary for single, inbound and campaign calls. */
export const END_REASONS = [
  "answered",
  "busy",
  "no_answer",
  "failed",
  "rejected",
  "machine",
  "canceled",
  "hangup",
  "do_not_call",
  "caller_limit",
  "budget",
  "no_final_event",
  "unknown",
] as const;
export type EndReason = (typeof END_REASONS)[number];

export interface CallEnd {
  status: CallStatus;
  /** The carrier's word for the end, or the service's if the carrier gave none. */
  reason: string | null;
  answered_by: string | null;
  /** The service's own reason: a requested hang-up, or the outcome of a campaign's attempt. */
  own?: string | null;
}

/** The reason that a status alone implies. */
const PLAIN: Record<CallStatus, EndReason> = {
  queued: "unknown",
  initiated: "unknown",
  ringing: "unknown",
  "in-progress": "unknown",
  completed: "answered",
  busy: "busy",
  "no-answer": "no_answer",
  failed: "failed",
  canceled: "canceled",
};

/** Reasons that are more specific than a status: those valid for any status, and those valid for one status. */
const ALWAYS: EndReason[] = ["machine", "no_final_event"];
const MORE_SPECIFIC: Partial<Record<CallStatus, EndReason[]>> = {
  busy: ["caller_limit", "budget"],
  completed: ["hangup"],
  canceled: ["hangup"],
  failed: ["rejected", "do_not_call", "unknown"],
};

/** Carriers' words with the same meaning as one of the reasons. */
const SYNONYMS: Record<string, EndReason> = { call_rejected: "rejected" };

/** Returns why a call ended. Idempotent: passing the result as `reason` returns the same result. */
export function endReason({ status, reason, answered_by, own = null }: CallEnd): EndReason {
  if (answered_by === "machine") return "machine";
  const possible = [...ALWAYS, ...(MORE_SPECIFIC[status] ?? [])];
  const words = [reason, own].map(wordOf);
  return possible.find((word) => words.includes(word)) ?? PLAIN[status];
}

/**
 * Returns what to store with a call's end: who answered, and the carrier's word if it is more specific than
 * `end_reason`.
 */
export function endNotes(end: CallEnd): { answered_by?: string; carrier_reason?: string } {
  const { reason, answered_by, status } = end;
  const word = wordOf(reason);
  const isMoreSpecific = word !== "" && word !== endReason(end) && word !== wordOf(status);
  return {
    ...(answered_by !== null && { answered_by }),
    ...(reason !== null && isMoreSpecific && { carrier_reason: reason }),
  };
}

/** Returns why a recorded call ended; null while it runs. */
export function recordedEndReason(row: {
  status: string;
  end_reason: string | null;
  ended_at: string | null;
  hangup_requested: boolean;
  metadata: Record<string, unknown>;
}): EndReason | null {
  if (row.ended_at === null) return null;
  return endReason({
    status: row.status as CallStatus,
    reason: row.end_reason,
    answered_by: row.metadata.answered_by === "machine" ? "machine" : null,
    own: row.hangup_requested ? "hangup" : null,
  });
}

/** Normalizes a carrier's word. */
function wordOf(text: string | null): string {
  const word = (text ?? "")
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return Object.hasOwn(SYNONYMS, word) ? (SYNONYMS[word] ?? word) : word;
}
