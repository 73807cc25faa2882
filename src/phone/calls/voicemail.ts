import type { Machine } from "../../records/ledger/call-status.ts";
import type { CallVoicemail } from "../call-settings/settings.ts";

/**
 * How far the message to a machine is: its greeting is waited for, it is due, the carrier was asked to speak it and has
 * not said whether it does, the carrier speaks it, it could not be left.
 */
export const MESSAGE_STATES = ["greeting", "due", "asked", "left", "failed"] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** How long a call waits for a machine's greeting to end, and lasts beside its message from when that is due, ms. */
export const voicemailTimeoutMs = (env: Pick<Env, "CALL_VOICEMAIL_TIMEOUT_S">): number =>
  Number(env.CALL_VOICEMAIL_TIMEOUT_S) * 1000;
/** How long a character takes to be spoken at the most, ms: voices say some 13 in a second. */
const SPOKEN_CHAR_MS = 120;

/** When (ms) a message that is about to be spoken is over at the latest. */
export function messageUntil(text: string, timeoutMs: number, now: number): number {
  return now + timeoutMs + text.length * SPOKEN_CHAR_MS;
}

/** What the carrier is asked to listen for: it charges for that, so nobody listens where nothing follows from it. */
export function detectionFor(voicemail: CallVoicemail | "retry") {
  return { detects_machines: voicemail !== "off", leaves_message: voicemail === "leave_message" };
}

/**
 * What follows from a machine that is on the line of a running call, told for the first time or again: it is hung up
 * (`hang_up`), its greeting is waited for (`greeting`), the message is `due`, or nothing new (null).
 */
export function machineStep(
  voicemail: CallVoicemail | "retry",
  machine: Machine | undefined,
  message: MessageState | null,
): "hang_up" | "greeting" | "due" | null {
  if (message !== null && message !== "greeting") return null;
  if (voicemail === "continue" || voicemail === "off") return null;
  if (voicemail !== "leave_message" || machine === "no_voicemail") return "hang_up";
  const next = machine === "recording" ? "due" : "greeting";
  return next === message ? null : next;
}
