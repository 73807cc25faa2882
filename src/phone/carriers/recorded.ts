import type { CallOrder, MediaSession } from "./carrier.ts";
import { xml } from "./media.ts";

/** What is said before the agent says a word; null for nothing. */
export function announcementOf({ recording }: Pick<MediaSession, "recording">): string | null {
  return recording?.announcement ?? null;
}

/** The announcement as an instruction of a carrier, by the verb that speaks there; "" where there is none. */
export function spokenFirst(session: Pick<MediaSession, "recording">, verb: "Say" | "Speak"): string {
  const announcement = announcementOf(session);
  return announcement === null ? "" : `<${verb}>${xml(announcement)}</${verb}>`;
}

/** What has a call recorded from its answer that is placed by a form of Twilio's kind, reported at `callback`. */
export function recordingFields({ recording }: Pick<CallOrder, "recording">, callback: string): [string, string][] {
  return recording ? [["Record", "true"], ...channelsAndCallback(callback)] : [];
}

/** The form that begins the recording of a call which runs. */
export const channelsAndCallback = (callback: string): [string, string][] => [
  ["RecordingChannels", "dual"],
  ["RecordingStatusCallback", callback],
  ["RecordingStatusCallbackMethod", "POST"],
];

/** TwiML that begins the recording of the call it is given to; whatever comes next does not wait for it. */
export function recordingVerb(callback: string): string {
  const reported = `recordingStatusCallback="${xml(callback)}" recordingStatusCallbackMethod="POST"`;
  return `<Start><Recording channels="dual" ${reported}/></Start>`;
}
