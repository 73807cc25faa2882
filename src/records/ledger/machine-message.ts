import type { Machine } from "./call-status.ts";

/**
 * How far the message to a machine is: its greeting is waited for, it is due, the carrier was asked to speak it and has
 * not said whether it does, the carrier speaks it, it could not be left.
 */
export const MESSAGE_STATES = ["greeting", "due", "asked", "left", "failed"] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** What happens when a machine answers; `retry` is for campaigns only. */
export type Voicemail = "hang_up" | "leave_message" | "continue" | "off" | "retry";

/** What follows from a machine on the line. */
export type MachineStep = "hang_up" | "greeting" | "due";

/**
 * What follows when a machine is reported on a running call, for the first time or again: it is hung up (`hang_up`),
 * its greeting is waited for (`greeting`), the message is `due`, or nothing new (null).
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
