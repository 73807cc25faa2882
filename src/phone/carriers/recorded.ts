import type { CallOrder, MediaSession, SpokenText } from "./carrier.ts";
import { attributes, xml } from "./media.ts";
import { voiceAttributes } from "./voices.ts";

/** The announcement spoken before the agent; null for none. */
export function announcementOf({ recording }: Pick<MediaSession, "recording">): string | null {
  return recording?.announcement ?? null;
}

/** The announcement as an instruction with the carrier's verb for speech; "" for none. */
export function spokenFirst(session: Pick<MediaSession, "recording" | "language">, carrier: string): string {
  const text = announcementOf(session);
  return text === null ? "" : spokenVerb(carrier, { text, language: session.language });
}

/** A text as an instruction with the carrier's verb for speech. */
export function spokenVerb(carrier: string, { text, language }: SpokenText): string {
  const verb = carrier === "plivo" ? "Speak" : "Say";
  return `<${verb}${attributes(voiceAttributes(carrier, language))}>${xml(text)}</${verb}>`;
}

/** What has a call recorded from its answer that is placed by a form of Twilio's kind, reported at `callback`. */
export function recordingFields({ recording }: Pick<CallOrder, "recording">, callback: string): [string, string][] {
  return recording ? [["Record", "true"], ...channelsAndCallback(callback)] : [];
}

/** The form that starts recording a running call. */
export const channelsAndCallback = (callback: string): [string, string][] => [
  ["RecordingChannels", "dual"],
  ["RecordingStatusCallback", callback],
  ["RecordingStatusCallbackMethod", "POST"],
];

/** TwiML that starts recording its call; the next verb does not wait for it. */
export function recordingVerb(callback: string): string {
  const reported = `recordingStatusCallback="${xml(callback)}" recordingStatusCallbackMethod="POST"`;
  return `<Start><Recording channels="dual" ${reported}/></Start>`;
}
