import { vi } from "vitest";
import type { VoiceProvider } from "../../../src/agent/voices/vendors.ts";
import type { Tenant } from "../../support/client.ts";

/** Installs the account's own key at a voice vendor. */
export async function connect({ user }: Tenant, provider: VoiceProvider, api_key = "secret-key"): Promise<void> {
  const { status } = await user.post(`/api/v1/integrations/${provider}/install`, { secrets: { api_key } });
  if (status !== 200) throw new Error(`${provider} was not installed: ${status}`);
}

type Answer = Response | Promise<Response>;

/** A request that reached a vendor. */
interface Asked {
  url: string;
  headers: Headers;
  body: string;
}

/** Simulates the vendors on the internet; returns the requests that reached them. */
export function vendors(answer: (request: Request) => Answer | undefined): Asked[] {
  const asked: Asked[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { url, headers } = request;
    asked.push({ url, headers, body: String(init?.body ?? "") });
    const response = await answer(request);
    if (!response) throw new TypeError(`nobody is at ${request.url}`);
    return response;
  });
  return asked;
}

/** The first bytes of an mp3 frame. */
export const MP3 = new Uint8Array([0xff, 0xfb, 0x90, 0x64]);
export const mp3 = (body: BodyInit = MP3) => new Response(body, { headers: { "content-type": "audio/mpeg" } });

/* Pages as the vendors' own libraries describe them. */

export const cartesiaVoice = (id: string, language = "de", gender: string | null = "feminine") => ({
  id,
  name: `Voice ${id}`,
  description: "Calm",
  language,
  gender,
  country: "DE",
  is_owner: false,
  is_public: true,
  created_at: "2026-01-01T00:00:00Z",
});

export const elevenLabsVoice = (voice_id: string, more: object = {}) =>
  Object.assign(
    {
      voice_id,
      name: "George",
      category: "premade",
      labels: { gender: "male", accent: "british" },
      preview_url: "https://storage.example/george.mp3",
      verified_languages: [
        { language: "en", model_id: "eleven_flash_v2_5", locale: "en-GB", preview_url: null },
        { language: "de", model_id: "eleven_flash_v2_5", locale: null },
      ],
    },
    more,
  );

export const DEEPGRAM_MODELS = {
  stt: [{ name: "general", canonical_name: "nova-3-general", languages: ["en"] }],
  tts: [
    {
      name: "zeus",
      canonical_name: "aura-2-zeus-en",
      architecture: "aura-2",
      languages: ["en", "en-US"],
      version: "2025-04-07.0",
      uuid: "2baf189d-91ac-481d-b6d1-750888667b31",
      metadata: {
        accent: "American",
        sample: "https://static.deepgram.example/zeus.wav",
        tags: ["masculine", "deep"],
      },
    },
    { name: "viktoria", canonical_name: "aura-2-viktoria-de", languages: ["de", "de-DE"], metadata: {} },
  ],
};
