import { OpenAPIHono } from "@hono/zod-openapi";
import pMap from "p-map";
import { previewSentence } from "../../agent/voices/preview-sentences.ts";
import {
  speak,
  speakRequest,
  VOICE_PROVIDERS,
  type VoiceNetwork,
  type VoiceProvider,
  VoiceUnavailable,
} from "../../agent/voices/vendors.ts";
import { keptVoices } from "../../agent/voices/voice-cache.ts";
import { openVoiceKey, type VoiceInstall, voiceInstall, voiceInstalls } from "../../agent/voices/voice-keys.ts";
import { listVoices, speaks, type Voice } from "../../agent/voices/voice-list.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { AppEnv, Bindings } from "../../kernel/http/context.ts";
import { ApiError, conflict, invalidField, tooMany } from "../../kernel/http/errors.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import { carrierVoices, effectiveOn, type OfferedVoice } from "./carrier-voices.ts";
import * as contract from "./contract.ts";

export const voices = new OpenAPIHono<AppEnv>();

const NETWORK: VoiceNetwork = { fetch: (...args) => fetch(...args) };

serve(voices, contract.listVoices, async ({ env, store, query: { provider, language }, now }) => {
  const [installs] = await store.read(voiceInstalls(store));
  const asked = provider === undefined ? VOICE_PROVIDERS : [provider];
  const lists = await pMap(asked, (one) => offered(env, { provider: one, language }, installs, now));
  return {
    voices: lists.flatMap((list) => list.voices),
    unavailable: lists.flatMap(({ unavailable }) => unavailable ?? []),
  };
});

serve(
  voices,
  contract.previewVoice,
  async ({ env, store, body: { voice_provider, voice_id, language }, now }) => {
    if (voice_id.trim() === "")
      throw invalidField("voice_id", "no_voice", "is empty: carriers' own voices have no preview");
    const text = previewSentence(language);
    if (text === undefined) throw invalidField("language", "no_sentence", "has no sentence for previews");
    const [installs] = await store.read(voiceInstalls(store));
    const ready = voiceInstall(voice_provider, installs);
    if ("reason" in ready) throw conflict("integration_not_ready", ready.reason);
    const key = await openVoiceKey(new Vault(env.ENCRYPTION_KEYS), ready.install);
    // If the vendor has no list, it must be asked whether it has the voice.
    const listed = await vendorVoices(env, voice_provider, ready.install, key, now).catch(onlyUnavailable);
    const voice = listed?.find((one) => one.voice_id === voice_id.trim());
    if (voice && !speaks(voice, language)) {
      const message = `is not among the languages of this voice: ${voice.languages.join(", ")}`;
      throw invalidField("language", "voice_lacks_language", message);
    }
    const request = speakRequest(env, voice_provider, key, { voice_id, language, text });
    if (request === null) throw invalidField("voice_id", "invalid_voice_id", "is not a valid id of a voice");
    const waitMs = await accountGate(env, store.account).countVoicePreview();
    if (waitMs > 0)
      throw tooMany(
        "too_many_previews",
        `the account can request ${contract.PREVIEWS_AN_HOUR} previews an hour`,
        waitMs,
      );
    const audio = await speak(env, voice_provider, request, NETWORK).catch((error: unknown) => {
      throw error instanceof VoiceUnavailable ? refusalOf(error) : error;
    });
    return new Response(audio, { headers: { "content-type": "audio/mpeg", "cache-control": "no-store" } });
  },
  idempotent("the vendor speaks the sentence again"),
);

/** Returns the voices of one provider, or why its list is missing. */
async function offered(
  env: Bindings,
  { provider, language }: { provider: VoiceProvider; language: string | undefined },
  installs: readonly VoiceInstall[],
  now: number,
): Promise<{ voices: OfferedVoice[]; unavailable?: { voice_provider: VoiceProvider; reason: string } }> {
  const ready = voiceInstall(provider, installs);
  if ("reason" in ready) return { voices: carrierVoices(env, provider, language) };
  const effective_on = effectiveOn(env, provider);
  try {
    const key = await openVoiceKey(new Vault(env.ENCRYPTION_KEYS), ready.install);
    const all = await vendorVoices(env, provider, ready.install, key, now);
    const found = language === undefined ? all : all.filter((voice) => speaks(voice, language));
    return { voices: found.map((voice) => Object.assign({ voice_provider: provider, effective_on }, voice)) };
  } catch (error) {
    if (!(error instanceof VoiceUnavailable)) throw error;
    return { voices: [], unavailable: { voice_provider: provider, reason: error.message } };
  }
}

function vendorVoices(
  env: Bindings,
  provider: VoiceProvider,
  { account, revision }: VoiceInstall,
  key: string,
  now: number,
): Promise<Voice[]> {
  return keptVoices({ account, provider, revision }, now, () => listVoices(env, provider, key, NETWORK));
}

function onlyUnavailable(error: unknown): null {
  if (error instanceof VoiceUnavailable) return null;
  throw error;
}

function refusalOf({ failure, message }: VoiceUnavailable): ApiError {
  if (failure === "voice") return invalidField("voice_id", "voice_refused", `is refused: ${message}`);
  if (failure === "key") return conflict("voice_key_refused", message);
  return new ApiError(502, "voice_unavailable", message);
}
