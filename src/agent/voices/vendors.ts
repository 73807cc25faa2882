/*
 * Requests to the vendors of voices. Looked up 2026-11 in the vendors' own libraries: cartesia-js@c73dca0 (2026-07-22),
 * elevenlabs-js@8710089 (2026-07-01), deepgram-js-sdk@1913abc (2026-08-14); what else is known stands beside the fact.
 */

import { agents } from "../../kernel/db/schema/agents.ts";
import { type EgressReason, EgressRefused, type OutRequest, openOut } from "../../kernel/egress/open-out.ts";
import { SECOND_MS } from "../../kernel/time.ts";
import { subtagOf } from "../speech/language.ts";

/** The vendors, by the names that agents use in `voice_provider`; their integrations have the same names. */
export const VOICE_PROVIDERS = agents.voice_provider.enumValues;
export type VoiceProvider = (typeof VOICE_PROVIDERS)[number];

/** The environment variables that say where the vendors' APIs are. */
export type VoiceSettings = Pick<Env, "CARTESIA_API_URL" | "ELEVENLABS_API_URL" | "DEEPGRAM_API_URL">;

/** What is to be said, by which voice. */
export interface Speech {
  voice_id: string;
  /** BCP 47. */
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

/** The version of Cartesia's API, which each request has to name. */
const CARTESIA_VERSION = "2025-11-04";
/** 42 languages (docs.cartesia.ai/build-with-cartesia/tts-models/sonic-3-5). */
const CARTESIA_MODEL = "sonic-3.5";
/** Made for conversations (about 75 ms); any of its voices speaks all its languages (elevenlabs.io/docs/overview/models). */
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
    // The model is voice and language. Sample rate and bit rate of an mp3 are Deepgram's own: 128 kbit/s is not among
    // those it lists (developers.deepgram.com/docs/tts-bit-rate).
    speak: (voice, { text }) => ({ path: `/v1/speak?model=${voice}&encoding=mp3`, json: { text } }),
  },
};

/** Returns a vendor's code of a language: its subtag, except for a few that differ from BCP 47. */
function vendorLanguage(provider: VoiceProvider, language: string): string {
  const subtag = subtagOf(language);
  if (subtag === "nb" || subtag === "nn") return "no";
  return provider === "cartesia" && subtag === "fil" ? "tl" : subtag;
}

/** Returns the request; null for a voice id that no voice can have (see isVoiceId) and for an empty one. */
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

/** Returns the vendor's address without a slash at its end. */
export function baseOf(env: VoiceSettings, provider: VoiceProvider): string {
  return VENDORS[provider].base(env).replace(/\/+$/, "");
}

/** The time a vendor has for the first byte, ms, and for all of a text of 500 characters. */
const FIRST_BYTE_MS = 2 * SECOND_MS;
const WHOLE_MS = 60 * SECOND_MS;
/** The longest that a vendor may send nothing while it speaks, ms. */
const IDLE_MS = 10 * SECOND_MS;
/** Most bytes of one text: more than four minutes of mp3 at 128 kbit/s. */
const MOST_SPEECH_BYTES = 4 * 1024 * 1024;

/** Why a vendor made no speech: it refused the key, the voice or text, or too many requests, or it is down. */
export type VoiceFailure = "key" | "voice" | "busy" | "outage";

/** Thrown if a vendor makes no speech. The message is a sentence without secrets. */
export class VoiceUnavailable extends Error {
  override readonly name = "VoiceUnavailable";
  readonly failure: VoiceFailure;

  constructor(failure: VoiceFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** What a request to a vendor is made with; a client that leaves aborts it by `signal`. */
export interface VoiceNetwork {
  fetch: typeof fetch;
  signal?: AbortSignal;
}

/**
 * Has a vendor speak and returns the mp3 as it comes, unread: it fails where the vendor breaks off, says nothing for 10 s
 * or sends more than 4 MB. @throws VoiceUnavailable if no audio begins within 2 s
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
  throw new VoiceUnavailable("outage", `${VENDORS[provider].name} sent something else than audio`);
}

/** The bounds of a request to a vendor; see openOut. */
type Bounds = { total_ms: number; max_bytes: number; head_ms?: number; idle_ms?: number };

/**
 * Asks a vendor at its own address, without following redirects: they would take the key elsewhere.
 * @throws VoiceUnavailable unless it answers with 200
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
    return url.origin === base.origin ? { url } : { refused: "it is not the vendor's" };
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
  broken: "broke off its response",
  aborted: "was not waited for",
};

function failureOf(status: number): VoiceFailure {
  if (status === 401 || status === 403) return "key";
  if (status === 402 || status === 429) return "busy";
  return status >= 400 && status < 500 ? "voice" : "outage";
}
