import type { VoiceProvider } from "../../agent/voices/vendors.ts";
import type { Voice } from "../../agent/voices/voice-list.ts";
import { TWILIO_LANGUAGES, telnyxConversationVoice, twilioLanguage } from "../carriers/voices.ts";
import { CHANNELS, type Channel, hearsVoice, speakerOn, twilioVoice } from "../effect/effect.ts";

type Environment = Pick<Env, "VOICE_RUNTIME_URL">;

/** A voice, and the channels on which it is heard. */
export interface OfferedVoice extends Voice {
  voice_provider: VoiceProvider;
  effective_on: Channel[];
}

/** Returns the channels on which a vendor's voices are heard if its integration is ready. */
export function effectiveOn(env: Environment, provider: VoiceProvider): Channel[] {
  return CHANNELS.filter((channel) => channel === "widget" || hearsVoice(provider, speakerOn(env, channel)));
}

/**
 * Returns the carriers' own voices, for agents without a voice of their own. The empty voice id stands for all of them,
 * and the language determines which one is heard. Carriers that stream audio have none, because a custom runtime speaks
 * there. With a language, the result contains only voices that are heard in it, including its region.
 */
export function carrierVoices(env: Environment, provider: VoiceProvider, language?: string): OfferedVoice[] {
  const own = (name: string, languages: string[], channel: Channel): OfferedVoice[] =>
    speakerOn(env, channel) === channel
      ? [
          {
            voice_provider: provider,
            voice_id: "",
            name,
            languages,
            gender: null,
            preview_url: null,
            effective_on: [channel],
          },
        ]
      : [];
  const isSpoken = language === undefined || twilioLanguage(language) !== undefined;
  const telnyx = [...TELNYX_VOICES].filter(
    ([voice]) => language === undefined || telnyxConversationVoice(language) === voice,
  );
  return [
    ...(isSpoken ? own(twilioVoice(provider), [...TWILIO_LANGUAGES], "twilio") : []),
    ...telnyx.flatMap(([voice, languages]) =>
      own(voice === null ? "Telnyx's own voice" : `Amazon Polly ${voice}`, languages, "telnyx"),
    ),
  ];
}

/** The languages of each voice at Telnyx, among the languages that carriers list; null is Telnyx's own voice. */
const TELNYX_VOICES = Map.groupBy(
  TWILIO_LANGUAGES.filter((language) => telnyxConversationVoice(language) !== undefined),
  (language) => telnyxConversationVoice(language) ?? null,
);
