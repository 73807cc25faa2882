/* The pages of vendors' lists. test/oracles compares them with the vendors' own libraries. */

export const cartesiaVoice = (id: string, language = "de", gender: string | null = "feminine") => ({
  id,
  name: `Voice ${id}`,
  description: "Calm",
  language,
  locales: [{ is_native: true, locale: `${language}-DE` }],
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
