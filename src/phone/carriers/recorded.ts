import type { CallOrder, MediaSession, SpokenMessage, SpokenText } from "./carrier.ts";
import { attributes, xml } from "./media.ts";
import { voiceAttributes } from "./voices.ts";

type Beginning = Pick<MediaSession, "disclosure" | "recording" | "language">;

/**
 * The texts that the carrier speaks before the runtime is connected, in their order: what the agent is comes first, in
 * the language of that text, and in the agent's variety of it if the text names none.
 */
export function firstTexts({ disclosure, recording, language }: Beginning): SpokenText[] {
  const spokenAs = (tag: string) => (language.startsWith(`${tag}-`) ? language : tag);
  return [
    ...(disclosure ? [{ text: disclosure.text, language: spokenAs(disclosure.language) }] : []),
    ...(recording?.announcement != null ? [{ text: recording.announcement, language }] : []),
  ];
}

/** The same as instructions with the carrier's verb for speech; "" for none. */
export function spokenFirst(session: Beginning, carrier: string): string {
  return firstTexts(session)
    .map((text) => spokenVerb(carrier, text))
    .join("");
}

/** The texts of a message for a machine, in their order. */
export function messageTexts({ before, text, language }: SpokenMessage): SpokenText[] {
  return [...(before ? [before] : []), { text, language }];
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
