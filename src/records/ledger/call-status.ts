/** The statuses of a call, in Twilio's vocabulary. */
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

/** Checks whether the call is over. Such a status is final. */
export function isTerminal(status: CallStatus): boolean {
  return PROGRESS[status] === 4;
}

/** Checks whether an event with the status `next` advances a call in `current`. Late and repeated events don't. */
export function advances(current: CallStatus, next: CallStatus): boolean {
  return PROGRESS[next] > PROGRESS[current];
}

/**
 * How a machine takes messages: its greeting is playing, it is recording (or the carrier waits until it does), or it
 * takes no messages, such as a fax machine.
 */
export const MACHINES = ["greeting", "recording", "no_voicemail"] as const;
export type Machine = (typeof MACHINES)[number];
