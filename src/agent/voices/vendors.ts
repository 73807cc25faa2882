/*
 * Requests to the voice vendors. The facts come from the vendors' own libraries, read in November 2026:
 * cartesia-js@c73dca0 (2026-07-22), elevenlabs-js@8710089 (2026-07-01), deepgram-js-sdk@1913abc (2026-08-14). Other
 * sources are named next to the fact.
 */

import { agents } from "../../kernel/db/schema/agents.ts";
import { type EgressReason, EgressRefused, type OutRequest, openOut } from "../../kernel/egress/open-out.ts";
import { SECOND_MS } from "../../kernel/time.ts";
import { subtagOf } from "../speech/language.ts";

/** The vendors, by the names that agents use in `voice_provider`; their integrations have the same names. */
export const VOICE_PROVIDERS = agents.voice_provider.enumValues;
export type VoiceProvider = (typeof VOICE_PROVIDERS)[number];

/** The environment variables that set the addresses of the vendors' APIs. */
export type VoiceSettings = Pick<Env, "CARTESIA_API_URL" | "ELEVENLABS_API_URL" | "DEEPGRAM_API_URL">;

/** A text, and the voice and language in which to speak it. */
export interface Speech {
  voice_id: string;
  /** The language of the text, BCP 47. */
  language: string;
  text: string;
}

interface Vendor {
  name: string;
  base: (env: VoiceSettings) => string;
  headers: (key: string) => Record<string, string>;
  /** Returns the path and body of a request for speech. The voice's id is encoded as one segment of the path. */
  speak: (voice: string, speech: Speech) => { path: string; json: object };
}

/** The version of Cartesia's API, which every request must name. */
const CARTESIA_VERSION = "2025-11-04";
/** The model has 42 languages (docs.cartesia.ai/build-with-cartesia/tts-models/sonic-3-5). */
const CARTESIA_MODEL = "sonic-3.5";
/**
 * The model is made for conversations (about 75 ms), and any voice speaks all its languages
 * (elevenlabs.io/docs/overview/models).
 */
const ELEVENLABS_MODEL = "eleven_flash_v2_5";
export const ELEVENLABS_LANGUAGES =
  "en ja zh de hi fr ko pt it es id nl tr fil pl sv bg ro ar cs el fi hr ms sk da ta uk ru hu no vi".split(" ");

export const VENDORS: Record<VoiceProvider, Vendor> = {
  cartesia: {
    name: "Cartesia",
    base: (env) => env.CARTESIA_API_URL,
    headers: (key) => ({ authorization: `Bearer ${key}`, "cartesia-version": CARTESIA_VERSION }),
    speak: (_, { voice_id, language, text }) => ({
      path: "/tts/bytes",
      json: {
        model_id: CARTESIA_MODEL,
        transcript: text,
        voice: { mode: "id", id: voice_id },
        language: vendorLanguage("cartesia", language),
        output_format: { container: "mp3", sample_rate: 44_100, bit_rate: 128_000 },
      },
    }),
  },
  elevenlabs: {
    name: "ElevenLabs",
    base: (env) => env.ELEVENLABS_API_URL,
    headers: (key) => ({ "xi-api-key": key }),
    speak: (voice, { language, text }) => {
      const language_code = vendorLanguage("elevenlabs", language);
      const json = { text, model_id: ELEVENLABS_MODEL };
      return {
        path: `/v1/text-to-speech/${voice}/stream?output_format=mp3_44100_128`,
        json: ELEVENLABS_LANGUAGES.includes(language_code) ? Object.assign({ language_code }, json) : json,
      };
    },
  },
  deepgram: {
    name: "Deepgram",
    base: (env) => env.DEEPGRAM_API_URL,
    headers: (key) => ({ authorization: `Token ${key}` }),
    // The model's name determines the voice and language. The sample rate and bit rate of the mp3 are Deepgram's
    // defaults, because 128 kbit/s is not among the rates that it lists (developers.deepgram.com/docs/tts-bit-rate).
    speak: (voice, { text }) => ({ path: `/v1/speak?model=${voice}&encoding=mp3`, json: { text } }),
  },
};

/** Returns a vendor's code for a language: its subtag, except for a few that differ from BCP 47. */
function vendorLanguage(provider: VoiceProvider, language: string): string {
  const subtag = subtagOf(language);
  if (subtag === "nb" || subtag === "nn") return "no";
  return provider === "cartesia" && subtag === "fil" ? "tl" : subtag;
}

/** Returns the request; null if the voice id is empty or invalid (see isVoiceId). */
export function speakRequest(
  env: VoiceSettings,
  provider: VoiceProvider,
  key: string,
  speech: Speech,
): OutRequest | null {
  const voice = speech.voice_id.trim();
  if (voice === "" || !isVoiceId(voice)) return null;
  const vendor = VENDORS[provider];
  const { path, json } = vendor.speak(encodeURIComponent(voice), {
    voice_id: voice,
    language: speech.language,
    text: speech.text,
  });
  const headers = Object.assign(vendor.headers(key), { "content-type": "application/json", accept: "audio/mpeg" });
  return { method: "POST", url: baseOf(env, provider) + path, headers, body: JSON.stringify(json) };
}

/**
 * Checks whether a text can be the id of a voice, which must be one segment of a path after it is encoded. An empty text
 * is valid and selects the carrier's own voice.
 */
export function isVoiceId(text: string): boolean {
  return !/[/\\\p{Cc}\p{Cs}]/u.test(text) && !/^\s*\.+\s*$/.test(text);
}

/** Returns the vendor's address without a final slash. */
export function baseOf(env: VoiceSettings, provider: VoiceProvider): string {
  return VENDORS[provider].base(env).replace(/\/+$/, "");
}

/** A vendor's time limits, ms: for the first byte, and for a whole text of 500 characters. */
const FIRST_BYTE_MS = 2 * SECOND_MS;
const WHOLE_MS = 60 * SECOND_MS;
/** The longest pause within a vendor's response, ms. */
const IDLE_MS = 10 * SECOND_MS;
/** The maximum size of one text's audio, bytes: more than four minutes of mp3 at 128 kbit/s. */
const MOST_SPEECH_BYTES = 4 * 1024 * 1024;

/** Why a vendor returned no speech: it refused the key, refused the voice or text, is overloaded, or is down. */
export type VoiceFailure = "key" | "voice" | "busy" | "outage";

/** Thrown if a vendor returns no speech. The message is a sentence without secrets. */
export class VoiceUnavailable extends Error {
  override readonly name = "VoiceUnavailable";
  readonly failure: VoiceFailure;

  constructor(failure: VoiceFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** The network of a request to a vendor. `signal` aborts the request when the client disconnects. */
export interface VoiceNetwork {
  fetch: typeof fetch;
  signal?: AbortSignal;
}

/**
 * Returns a text spoken by a vendor as a stream of mp3. The stream fails if the vendor breaks off, sends nothing for 10
 * s, or sends more than 4 MB. @throws VoiceUnavailable if no audio begins within 2 s
 */
export async function speak(
  env: VoiceSettings,
  provider: VoiceProvider,
  request: OutRequest,
  network: VoiceNetwork,
): Promise<ReadableStream<Uint8Array>> {
  const bounds = { head_ms: FIRST_BYTE_MS, idle_ms: IDLE_MS, total_ms: WHOLE_MS, max_bytes: MOST_SPEECH_BYTES };
  const { headers, body } = await askVendor(env, provider, request, network, bounds);
  const type = headers.get("content-type") ?? "";
  if (body && /^audio\/(mpeg|mp3)\b/i.test(type)) return body;
  await body?.cancel();
  throw new VoiceUnavailable("outage", `${VENDORS[provider].name} did not send audio`);
}

/** The limits of a request to a vendor; see openOut. */
type Bounds = { total_ms: number; max_bytes: number; head_ms?: number; idle_ms?: number };

/**
 * Sends a request to a vendor's own address. Redirects are not followed, because they would send the key elsewhere.
 * @throws VoiceUnavailable unless the vendor answers with 200
 */
export async function askVendor(
  env: VoiceSettings,
  provider: VoiceProvider,
  request: OutRequest,
  { fetch, signal }: VoiceNetwork,
  bounds: Bounds,
) {
  const { name } = VENDORS[provider];
  const base = new URL(baseOf(env, provider));
  const judge = (address: string) => {
    const url = new URL(address);
    return url.origin === base.origin ? { url } : { refused: "it is not an address of the vendor" };
  };
  const limits = Object.assign({ judge, redirects: "none" as const, fetch }, bounds, signal && { signal });
  const response = await openOut(request, limits).catch((error: unknown) => {
    if (error instanceof EgressRefused) throw new VoiceUnavailable("outage", `${name} ${UNANSWERED[error.reason]}`);
    throw error;
  });
  const { status, body } = response;
  if (status === 200) return response;
  await body?.cancel().catch(() => undefined);
  throw new VoiceUnavailable(failureOf(status), `${name} refused the request (${status})`);
}

const UNANSWERED: Record<EgressReason, string> = {
  refused_header: "cannot be sent this key",
  refused_address: "is not at the configured address",
  refused_redirect: "redirected the request",
  unreachable: "could not be reached",
  timeout: "did not answer in time",
  too_large: "sent too much",
  broken: "ended its response early",
  aborted: "did not answer before the request was canceled",
};

function failureOf(status: number): VoiceFailure {
  if (status === 401 || status === 403) return "key";
  if (status === 402 || status === 429) return "busy";
  return status >= 400 && status < 500 ? "voice" : "outage";
}
