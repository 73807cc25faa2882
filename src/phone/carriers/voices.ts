/*
 * The voices by which carriers speak fixed texts (announcements, messages, rejections), and the languages that they
 * recognize. Looked up 2026-11 in their own libraries: twilio-node 6 (SayLanguage, SayVoice), telnyx-python
 * (action_speak_params, deepgram_nova3_config_param, google_transcription_language), @vonage/voice 1.21 (TTSLanguages).
 */
import { languageNamed, subtagOf, withRegion } from "../../agent/speech/language.ts";

/**
 * Amazon Polly's standard voices by language. The first voice of a language is used for its other regions too. Twilio,
 * SignalWire and Plivo name them `Polly.<name>`, Telnyx `AWS.Polly.<name>`.
 */
const POLLY: Record<string, string> = {
  "en-US": "Joanna",
  "en-GB": "Amy",
  "en-AU": "Nicole",
  "en-IN": "Raveena",
  "de-DE": "Vicki",
  "es-ES": "Lucia",
  "es-MX": "Mia",
  "es-US": "Lupe",
  "fr-FR": "Lea",
  "fr-CA": "Chantal",
  "it-IT": "Bianca",
  "nl-NL": "Lotte",
  "pl-PL": "Ewa",
  "pt-BR": "Camila",
  "pt-PT": "Ines",
  arb: "Zeina",
  "cmn-CN": "Zhiyu",
  "cy-GB": "Gwyneth",
  "da-DK": "Naja",
  "hi-IN": "Aditi",
  "is-IS": "Dora",
  "ja-JP": "Mizuki",
  "ko-KR": "Seoyeon",
  "nb-NO": "Liv",
  "ro-RO": "Carmen",
  "ru-RU": "Tatyana",
  "sv-SE": "Astrid",
  "tr-TR": "Filiz",
};

const listOf = (text: string): readonly string[] => text.split(" ");

/** The languages that Twilio speaks and recognizes. */
const TWILIO = listOf(
  "af-ZA am-ET ar-AE arb bg-BG bn-IN ca-ES cmn-CN cmn-TW cs-CZ cy-GB da-DK de-DE de-AT el-GR en-US en-AU en-CA en-GB en-IE en-IN en-NZ en-ZA es-ES es-MX es-US fi-FI fil-PH fr-FR fr-BE fr-CA gu-IN he-IL hi-IN hu-HU id-ID is-IS it-IT ja-JP kn-IN ko-KR lv-LV ml-IN mr-IN ms-MY nb-NO nl-NL nl-BE pa-IN pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sr-RS sv-SE ta-IN te-IN th-TH tr-TR uk-UA vi-VN yue-HK zh-CN zh-HK zh-TW",
);
/** The languages that Twilio speaks only with Google's standard voices, `Google.<tag>-Standard-A`. */
const GOOGLE = listOf(
  "af-ZA am-ET bg-BG bn-IN ca-ES cs-CZ el-GR fi-FI fil-PH gu-IN he-IL hu-HU id-ID kn-IN lv-LV ml-IN mr-IN ms-MY pa-IN sk-SK sr-RS ta-IN te-IN th-TH uk-UA vi-VN yue-HK",
);
/** The languages that Vonage's action `talk` speaks. */
const VONAGE = listOf(
  "af-ZA ar bg-BG bn-IN ca-ES cmn-CN cmn-TW cs-CZ cy-GB da-DK de-DE de-AT el-GR en-US en-AU en-GB en-IE en-IN en-NZ en-ZA es-ES es-CO es-MX es-US eu-ES fi-FI fil-PH fr-FR fr-CA gl-ES gu-IN he-IL hi-IN hu-HU id-ID is-IS it-IT ja-JP kn-IN ko-KR lv-LV ml-IN ms-MY nb-NO nl-NL nl-BE pa-IN pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sr-RS sv-SE ta-IN te-IN th-TH tr-TR uk-UA vi-VN yue-CN",
);
/** The languages that Deepgram's nova-3 recognizes at Telnyx, and those that Google recognizes there. */
const NOVA_3 = listOf("en-US en-AU en-GB en-IN en-NZ de nl sv-SE da-DK es es-419 fr fr-CA pt-BR pt-PT");
const GOOGLE_TRANSCRIPTION = listOf(
  "af sq am ar hy az eu bn bs bg my ca yue zh hr cs da nl en et fil fi fr gl ka de el gu iw hi hu is id it ja jv kn kk km ko lo lv lt mk ms ml mr mn ne no fa pl pt pa ro ru rw sr si sk sl ss st es su sw sv ta te th tn tr ts uk ur uz ve vi xh zu",
);

/** Languages that carriers name differently than BCP 47. */
const OTHERWISE: Record<string, readonly string[]> = {
  ar: ["arb"],
  zh: ["cmn"],
  he: ["iw"],
  no: ["nb"],
  nb: ["no"],
};

/**
 * Returns the tag of a carrier's list for a language: the one with the same region if there is one, otherwise the first
 * of the language; undefined if there is none.
 */
function inList(list: readonly string[], language: string): string | undefined {
  const whole = withRegion(language);
  const subtags = [subtagOf(language), ...(OTHERWISE[subtagOf(language)] ?? [])];
  const region = whole.slice(subtagOf(whole).length);
  const exact = subtags.map((subtag) => `${subtag}${region}`);
  return (
    list.find((tag) => exact.includes(tag)) ??
    subtags.map((subtag) => list.find((tag) => subtagOf(tag) === subtag)).find((tag) => tag !== undefined)
  );
}

/** The languages that Twilio speaks, as agents name them. */
export const TWILIO_LANGUAGES: readonly string[] = [...new Set(TWILIO.flatMap((tag) => languageNamed(tag) ?? []))];

/** Returns Amazon Polly's voice for a language; undefined if it has none. */
export function pollyVoice(language: string): string | undefined {
  return POLLY[inList(Object.keys(POLLY), language) ?? ""];
}

/**
 * Returns Telnyx's voice for fixed texts, which needs no key of the account. For a language without a voice, the voice
 * is English.
 */
export const telnyxVoice = (language: string): string => `AWS.Polly.${pollyVoice(language) ?? POLLY["en-US"]}`;

/**
 * Returns the Amazon Polly voice that speaks a conversation's language at Telnyx. Null means Telnyx's own voice,
 * which speaks American English and the languages without a Polly voice. Undefined for a language that Telnyx does not
 * recognize.
 */
export function telnyxConversationVoice(language: string): string | null | undefined {
  if (telnyxTranscription(language, []) === undefined) return undefined;
  return withRegion(language) === "en-US" ? null : (pollyVoice(language) ?? null);
}

/** Returns the language in the form of Twilio's ConversationRelay; undefined if Twilio does not list it. */
export const twilioLanguage = (language: string): string | undefined => inList(TWILIO, language);

/** Returns the language in the form of Vonage's `talk`; undefined if Vonage does not speak it. */
export const vonageLanguage = (language: string): string | undefined => inList(VONAGE, language);

/**
 * Returns the attributes with which a carrier's verb for speech speaks a language. There are none for American English,
 * which is every carrier's default, nor for languages that the carrier does not speak. Plivo's Polly voices take no
 * language.
 */
export function voiceAttributes(carrier: string, language: string): Record<string, string> {
  const tag = inList(Object.keys(POLLY), language);
  if (tag === "en-US") return {};
  const voice = tag === undefined ? undefined : `Polly.${POLLY[tag]}`;
  if (tag !== undefined && voice !== undefined) return carrier === "plivo" ? { voice } : { language: tag, voice };
  const google = carrier === "twilio" ? inList(GOOGLE, language) : undefined;
  return google === undefined ? {} : { language: google, voice: `Google.${google}-Standard-A` };
}

/**
 * Returns how Telnyx recognizes a language: with nova-3 if possible, otherwise with Google; undefined if neither
 * recognizes it.
 */
export function telnyxTranscription(language: string, keyTerms: readonly string[]) {
  const terms = keyTerms.length > 0 ? [...keyTerms] : undefined;
  const nova = inList(NOVA_3, language);
  if (nova !== undefined) {
    const config = { transcription_model: "deepgram/nova-3", language: nova, ...(terms && { keyterms: terms }) };
    return { transcription_engine: "Deepgram", transcription_engine_config: config };
  }
  const google = inList(GOOGLE_TRANSCRIPTION, language);
  if (google === undefined) return undefined;
  const config = { language: google, ...(terms && { hints: terms }) };
  return { transcription_engine: "Google", transcription_engine_config: config };
}
