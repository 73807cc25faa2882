/* Determines whether each setting of an agent has an effect on a channel, and what happens instead if it has none. */

import { newAgentFields } from "../../agent/agents/contract.ts";
import { DEFAULT_LANGUAGE, spokenLanguages } from "../../agent/speech/language.ts";
import { BUILT_IN_LANGUAGES, languagesWithoutPhrases } from "../../agent/speech/sentences.ts";
import type { agents } from "../../kernel/db/schema/index.ts";
import { PROVIDERS } from "../carriers/carrier.ts";
import { speaksText } from "../carriers/no-runtime.ts";
import { telnyxConversationVoice, telnyxTranscription, twilioLanguage } from "../carriers/voices.ts";

/** The channels on which an agent speaks. */
export const CHANNELS = [...PROVIDERS, "widget", "own_runtime"] as const;
export type Channel = (typeof CHANNELS)[number];

/**
 * Who converts between the agent's text and speech: the carrier, the sandbox, a visitor's browser or a custom runtime.
 * `none` if a carrier streams audio and no custom runtime is configured for it.
 */
export type Speaker = "twilio" | "telnyx" | "sandbox" | "widget" | "runtime" | "none";

type AgentRow = typeof agents.$inferSelect;
export const SETTINGS = Object.keys(newAgentFields.shape) as (keyof typeof newAgentFields.shape)[];
export type Setting = (typeof SETTINGS)[number];
/** The settings that may have no effect on speech. Plans and number checks read them. */
export const EFFECT_COLUMNS = [
  "voice_provider",
  "voice_id",
  "background_audio_enabled",
  "background_audio_volume",
  "noise_suppression_enabled",
  "ringing_enabled",
  "language",
  "languages",
  "key_terms",
  "phrases",
] as const satisfies readonly Setting[];
/** The settings that a custom runtime receives in its session and may ignore. */
const HANDED_OVER: readonly Setting[] = [
  ...EFFECT_COLUMNS,
  "name",
  "llm_model",
  "fallback_model",
  "system_prompt",
  "greeting_message",
  "greeting_mode",
  "max_output_tokens",
  "filler_after_ms",
];
export type SpeechSettings = Pick<AgentRow, (typeof EFFECT_COLUMNS)[number]>;

/** Why a setting has no effect; `instead` is what happens. */
interface Without {
  instead: string;
  reason: string;
}

/** A remark about a setting that has an effect; each part is null if there is nothing to say. */
type Note = Pick<Effect, "instead" | "reason">;

export interface Effect {
  field: Setting;
  value: unknown;
  effective: boolean;
  instead: string | null;
  reason: string | null;
}

/** Returns who speaks for an agent on a channel, given the configured runtime. */
export function speakerOn(env: Pick<Env, "VOICE_RUNTIME_URL">, channel: Channel): Speaker {
  if (channel === "widget") return "widget";
  if (channel === "own_runtime") return "runtime";
  if (env.VOICE_RUNTIME_URL !== "") return "runtime";
  if (channel === "sandbox") return "sandbox";
  return (channel === "twilio" || channel === "telnyx") && speaksText(env, channel) ? channel : "none";
}

const NAMES: Record<Speaker, string> = {
  twilio: "Twilio",
  telnyx: "Telnyx",
  sandbox: "the sandbox",
  widget: "the visitor's browser",
  runtime: "your runtime",
  none: "the carrier",
};

const NO_CALLS: Without = {
  instead: "no calls",
  reason: "the carrier streams audio, and VOICE_RUNTIME_URL is not set to your own runtime",
};

/**
 * Returns every setting of an agent with its effect if `speaker` speaks for it. In the widget, the vendor of the
 * agent's voice speaks instead of the browser if `isVendorReady`.
 */
export function effectOf(agent: AgentRow, speaker: Speaker, isVendorReady: boolean): Effect[] {
  return SETTINGS.map((field) => {
    const without = withoutEffect(agent, speaker, isVendorReady)[field] ?? null;
    const { instead, reason } = without ?? noteOn(field, agent, speaker);
    return { field, value: agent[field], effective: without === null, instead, reason };
  });
}

const NOTHING: Note = { instead: null, reason: null };

function noteOn(field: Setting, agent: AgentRow, speaker: Speaker): Note {
  if (speaker === "runtime")
    return { instead: null, reason: HANDED_OVER.includes(field) ? "your runtime gets it in its session" : null };
  if (field === "voice_id" && agent.voice_id.trim() === "") return { instead: ownVoice(agent, speaker), reason: null };
  return field === "phrases" ? noteOnPhrases(agent, speaker) : NOTHING;
}

/** Returns a remark about phrases that take effect only in part. */
function noteOnPhrases(agent: AgentRow, speaker: Speaker): Note {
  if (speaker === "widget" && SAID_ON_CALLS.some((use) => agent.phrases[use] !== null))
    return { instead: `nothing for ${SAID_ON_CALLS.join(", ")}`, reason: "these are only said on calls" };
  const others = languagesWithoutPhrases(agent);
  if (others.length === 0) return NOTHING;
  return { instead: `English sentences in ${others.join(", ")}`, reason: withoutPhrases(agent) };
}

/** The sentences for moments that occur only on calls. */
const SAID_ON_CALLS = ["silence", "goodbye", "filler", "unavailable"] as const;

/** Returns the voice that speaks a language on a channel if the agent's own voice is not heard there. */
function ownVoice(
  { voice_provider, language }: Pick<SpeechSettings, "voice_provider" | "language">,
  speaker: Exclude<Speaker, "runtime">,
): string {
  if (speaker === "twilio") {
    const spoken = twilioLanguage(language) === undefined ? DEFAULT_LANGUAGE : language;
    return `${twilioVoice(voice_provider)} for ${spoken}`;
  }
  if (speaker === "telnyx") return telnyxSpeaks(language);
  return speaker === "widget" ? `a voice of the visitor's browser for ${language}` : "text";
}

/** Returns the name of the voice that Twilio uses if the agent names none. */
export const twilioVoice = (provider: AgentRow["voice_provider"]): string =>
  provider === "elevenlabs" ? "Twilio's default voice of ElevenLabs" : "Twilio's own voice";

/**
 * Returns sentences about the settings that were changed from their defaults but have no effect on calls where
 * `speaker` speaks.
 */
export function settingsWithoutEffect(agent: SpeechSettings, speaker: Speaker): string[] {
  const without = speechWithoutEffect(agent, speaker, false);
  return EFFECT_COLUMNS.flatMap((field) => {
    const found = without[field];
    // The warning language_without_phrases already covers phrases.
    const isSaid = found === undefined || field === "phrases" || isDefault(field, agent);
    return isSaid ? [] : [`${field}: ${found.reason} (${found.instead})`];
  });
}

function isDefault(field: (typeof EFFECT_COLUMNS)[number], agent: SpeechSettings): boolean {
  return JSON.stringify(newAgentFields.shape[field].parse(undefined)) === JSON.stringify(agent[field]);
}

/** Returns a warning about the languages in which callers hear English sentences; null if there are none. */
export function withoutPhrases(agent: Pick<SpeechSettings, "language" | "languages" | "phrases">): string | null {
  const languages = languagesWithoutPhrases(agent);
  if (languages.length === 0) return null;
  const phrases = languages.includes(agent.language) ? `set all phrases, which are for ${agent.language}, or ` : "";
  return (
    `there are no built-in sentences in ${languages.join(", ")}, so that callers hear English ones when the agent waits, ` +
    `fails or says goodbye: ${phrases}choose among ${BUILT_IN_LANGUAGES.join(", ")}`
  );
}

/** Returns the settings without an effect, by field. This is the one table of all settings and speakers. */
function withoutEffect(agent: AgentRow, speaker: Speaker, isVendorReady: boolean): Partial<Record<Setting, Without>> {
  if (speaker === "none") return Object.fromEntries(SETTINGS.map((field) => [field, NO_CALLS]));
  const onPhone: Without = { instead: "callers need not sign in", reason: "only visitors of the widget sign in" };
  const inChat = (what: string, reason: string): Without => ({ instead: what, reason });
  const isWidget = speaker === "widget";
  return Object.assign({}, speechWithoutEffect(agent, speaker, isVendorReady), {
    ...(!isWidget && speaker !== "runtime" && { auth_mode: onPhone }),
    ...(isWidget && agent.voicemail_message !== "" && { voicemail_message: inChat("nothing", "no machine answers") }),
    ...(isWidget &&
      agent.transfer_targets.length > 0 && { transfer_targets: inChat("nothing", "there is no call to transfer") }),
    ...(isWidget &&
      agent.filler_after_ms > 0 && {
        filler_after_ms: inChat("the widget shows that the agent is writing", "fillers are only spoken on calls"),
      }),
  });
}

function speechWithoutEffect(
  agent: SpeechSettings,
  speaker: Speaker,
  isVendorReady: boolean,
): Partial<Record<Setting, Without>> {
  // A custom runtime decides for itself how to use its session. If there is no speaker, the plan already says so.
  if (speaker === "runtime" || speaker === "none") return {};
  const name = NAMES[speaker];
  const noSound = (instead: string): Without => ({ instead, reason: `${name} plays no such sound` });
  const { background_audio_enabled: hasSound, ringing_enabled, noise_suppression_enabled } = agent;
  return {
    ...voiceOf(agent, speaker, isVendorReady),
    ...(hasSound && { background_audio_enabled: noSound("silence"), background_audio_volume: noSound("silence") }),
    ...(ringing_enabled && { ringing_enabled: noSound("the greeting comes at once") }),
    ...(noise_suppression_enabled && speaker !== "telnyx" && { noise_suppression_enabled: noiseOf(speaker) }),
    ...languagesOf(agent, speaker),
    ...(agent.key_terms.length > 0 && termsOf(agent, speaker)),
    ...(languagesWithoutPhrases(agent).includes(agent.language) && {
      phrases: { instead: "English sentences", reason: withoutPhrases(agent) ?? "" },
    }),
  };
}

function noiseOf(speaker: Speaker): Without {
  if (speaker === "twilio")
    return { instead: "Twilio's default", reason: "the values of Twilio's attribute for it are not documented" };
  if (speaker === "widget")
    return { instead: "the browser's own behavior", reason: "a page cannot set this for speech recognition" };
  return { instead: "nothing", reason: "the sandbox exchanges text" };
}

/**
 * Checks whether a provider's voices are heard if `speaker` speaks, whatever integrations the account has. A custom
 * runtime receives the voices and decides for itself.
 */
export function hearsVoice(provider: AgentRow["voice_provider"], speaker: Speaker): boolean {
  return speaker === "runtime" || (speaker === "twilio" && provider === "elevenlabs");
}

function voiceOf(agent: SpeechSettings, speaker: Exclude<Speaker, "runtime">, isVendorReady: boolean) {
  const { voice_provider, voice_id } = agent;
  const isOwn = speaker === "widget" && isVendorReady && voice_id.trim() !== "";
  if (isOwn || hearsVoice(voice_provider, speaker)) return {};
  const reasons: Partial<Record<Speaker, string>> = {
    twilio: `Twilio has no voices of ${voice_provider}`,
    telnyx: "Telnyx speaks with an account's own voices only if their key is stored there",
    sandbox: "the sandbox exchanges text",
    widget: isVendorReady
      ? "the visitor's browser speaks, since the agent names no voice"
      : `the visitor's browser speaks, since the integration ${voice_provider} is not ready`,
  };
  const without: Without = { instead: ownVoice(agent, speaker), reason: reasons[speaker] ?? "" };
  return { voice_provider: without, ...(voice_id.trim() !== "" && { voice_id: without }) };
}

/**
 * Returns the name of the voice that Telnyx uses: the given one, or its own voice. For a language that it does not
 * recognize, it speaks English.
 */
function telnyxSpeaks(language: string): string {
  const voice = telnyxConversationVoice(language);
  const spoken = voice === undefined ? DEFAULT_LANGUAGE : language;
  return voice ? `Amazon Polly's voice ${voice}` : `Telnyx's own voice for ${spoken}`;
}

/** Returns the languages that the speaker cannot recognize or speak, according to its vendor's lists. */
function languagesOf(agent: SpeechSettings, speaker: Speaker): Partial<Record<Setting, Without>> {
  const knows: Partial<Record<Speaker, (tag: string) => boolean>> = {
    twilio: (tag) => twilioLanguage(tag) !== undefined,
    telnyx: (tag) => telnyxTranscription(tag, []) !== undefined,
  };
  const isKnown = knows[speaker] ?? (() => true);
  const [first = "", ...others] = spokenLanguages(agent);
  const unknown = others.filter((tag) => !isKnown(tag));
  const without = (tags: string[], instead: string): Without => ({
    instead,
    reason: `${NAMES[speaker]} does not list ${tags.join(", ")}`,
  });
  return {
    ...(!isKnown(first) && { language: without([first], "en-US") }),
    ...(unknown.length > 0 && { languages: without(unknown, "the other languages") }),
  };
}

function termsOf({ language }: SpeechSettings, speaker: Speaker): Partial<Record<Setting, Without>> {
  if (speaker === "twilio" || (speaker === "telnyx" && telnyxTranscription(language, []) !== undefined)) return {};
  const reason = speaker === "sandbox" ? "the sandbox exchanges text" : `${NAMES[speaker]} takes no key terms`;
  return { key_terms: { instead: "nothing", reason } };
}
