import type { CallOrder, MediaSession } from "./carrier.ts";
import { xml } from "./media.ts";

/** The texts that the carrier speaks before the runtime is connected, in their order: what the agent is comes first. */
export function firstTexts({ disclosure, recording }: Pick<MediaSession, "disclosure" | "recording">): string[] {
  return [disclosure?.text, recording?.announcement].filter((text) => text != null);
}

/** The same as instructions with the carrier's verb for speech; "" for none. */
export function spokenFirst(session: Pick<MediaSession, "disclosure" | "recording">, verb: "Say" | "Speak"): string {
  return firstTexts(session)
    .map((text) => `<${verb}>${xml(text)}</${verb}>`)
    .join("");
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
