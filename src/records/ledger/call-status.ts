/** The status of a call, in Twilio's words. */
export const CALL_STATUSES = [
  "queued",
  "initiated",
  "ringing",
  "in-progress",
  "completed",
  "busy",
  "no-answer",
  "failed",
  "canceled",
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

const PROGRESS: Record<CallStatus, number> = {
  queued: 0,
  initiated: 1,
  ringing: 2,
  "in-progress": 3,
  completed: 4,
  busy: 4,
  "no-answer": 4,
  failed: 4,
  canceled: 4,
};

/** Whether the call is over; such a status is final. */
export function isTerminal(status: CallStatus): boolean {
  return PROGRESS[status] === 4;
}

/** Whether an event of `next` advances a call in `current`; late and repeated events do not. */
export function advances(current: CallStatus, next: CallStatus): boolean {
  return PROGRESS[next] > PROGRESS[current];
}

/**
 * Whether a machine takes a message: its greeting is still playing, it records (or the carrier waits until it does), or
 * it keeps no messages, such as a fax.
 */
export const MACHINES = ["greeting", "recording", "no_voicemail"] as const;
export type Machine = (typeof MACHINES)[number];
