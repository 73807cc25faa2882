import type { CallOrder, MediaSession, SpokenMessage, SpokenText } from "./carrier.ts";
import { attributes, xml } from "./media.ts";
import { voiceAttributes } from "./voices.ts";

type Beginning = Pick<MediaSession, "disclosure" | "recording" | "language">;

/**
 * Returns the texts that the carrier speaks before the runtime is connected, in order. The disclosure comes first, in
 * its own language; if that names no region, in the agent's regional variety.
 */
export function firstTexts({ disclosure, recording, language }: Beginning): SpokenText[] {
  const spokenAs = (tag: string) => (language.startsWith(`${tag}-`) ? language : tag);
  return [
    ...(disclosure ? [{ text: disclosure.text, language: spokenAs(disclosure.language) }] : []),
    ...(recording?.announcement != null ? [{ text: recording.announcement, language }] : []),
  ];
}

/** Returns the first texts as instructions with the carrier's verb for speech; "" if there are none. */
export function spokenFirst(session: Beginning, carrier: string): string {
  return firstTexts(session)
    .map((text) => spokenVerb(carrier, text))
    .join("");
}

export function messageTexts({ before, text, language }: SpokenMessage): SpokenText[] {
  return [...(before ? [before] : []), { text, language }];
}

/** Returns a text as an instruction with the carrier's verb for speech. */
export function spokenVerb(carrier: string, { text, language }: SpokenText): string {
  const verb = carrier === "plivo" ? "Speak" : "Say";
  return `<${verb}${attributes(voiceAttributes(carrier, language))}>${xml(text)}</${verb}>`;
}

/**
 * Returns the form fields that make a carrier with Twilio's API record a call from its answer on. The recording is
 * reported at `callback`.
 */
export function recordingFields({ recording }: Pick<CallOrder, "recording">, callback: string): [string, string][] {
  return recording ? [["Record", "true"], ...channelsAndCallback(callback)] : [];
}

/** Returns the form that starts recording a running call. */
export const channelsAndCallback = (callback: string): [string, string][] => [
  ["RecordingChannels", "dual"],
  ["RecordingStatusCallback", callback],
  ["RecordingStatusCallbackMethod", "POST"],
];

/** Returns TwiML that starts recording its call; the next verb does not wait for it. */
export function recordingVerb(callback: string): string {
  const reported = `recordingStatusCallback="${xml(callback)}" recordingStatusCallbackMethod="POST"`;
  return `<Start><Recording channels="dual" ${reported}/></Start>`;
}
