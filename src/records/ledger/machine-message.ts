import type { Machine } from "./call-status.ts";

/**
 * The state of the message to a machine: the call waits for the greeting; the message is due; the carrier was asked to
 * speak it and has not answered; the carrier speaks it; or it failed.
 */
export const MESSAGE_STATES = ["greeting", "due", "asked", "left", "failed"] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** What happens when a machine answers; `retry` is for campaigns only. */
export type Voicemail = "hang_up" | "leave_message" | "continue" | "off" | "retry";

/** What to do about a machine on the line. */
export type MachineStep = "hang_up" | "greeting" | "due";

/**
 * Returns what to do about a machine that is reported on a running call, for the first time or again: hang up
 * (`hang_up`), wait for its greeting (`greeting`), leave the message (`due`), or nothing new (null).
 */
export function machineStep(
  voicemail: Voicemail,
  machine: Machine | undefined,
  message: MessageState | null,
): MachineStep | null {
  if (message !== null && message !== "greeting") return null;
  if (voicemail === "continue" || voicemail === "off") return null;
  if (voicemail !== "leave_message" || machine === "no_voicemail") return "hang_up";
  const next = machine === "recording" ? "due" : "greeting";
  return next === message ? null : next;
}
