import { speechTime } from "../../kernel/speech-time.ts";
import type { CallVoicemail } from "../call-settings/settings.ts";

/**
 * Returns how long a call waits for the end of a machine's greeting, and how long it may last in addition to its
 * message, counted from when the message is due, ms.
 */
export const voicemailTimeoutMs = (env: Pick<Env, "CALL_VOICEMAIL_TIMEOUT_S">): number =>
  Number(env.CALL_VOICEMAIL_TIMEOUT_S) * 1000;
/** How many times longer than usual the slowest voice takes. */
const SLOWEST_VOICE = 1.8;

/** Returns when (ms) a message that is about to be spoken must be over. */
export function messageUntil(text: string, timeoutMs: number, now: number): number {
  return now + timeoutMs + Math.ceil(SLOWEST_VOICE * speechTime(text));
}

/** Returns the machine detection to order. Carriers charge for it, so it is only on if it has an effect. */
export function detectionFor(voicemail: CallVoicemail | "retry") {
  return { detects_machines: voicemail !== "off", leaves_message: voicemail === "leave_message" };
}
