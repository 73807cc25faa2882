import { z } from "zod";
import { limit, looking, type Tool } from "../tool.ts";

const model = z.object({
  llm_model: z.string(),
  label: z.string(),
  available: z.boolean(),
  reason: z.string().nullable(),
  input_micros_per_million: z.number().nullable(),
  output_micros_per_million: z.number().nullable(),
  ends_at: z.string().nullable(),
  replaced_by: z.string().nullable(),
});
const models = z.object({ models: z.array(model) });

const listModels = looking(
  {
    name: "list_models",
    title: "List language models",
    description:
      "Shows the models that agents can name: whether one answers or what is missing, prices of a million tokens in millionths of a dollar, and announced ends.",
    scopes: ["read"],
    input: z.strictObject({}),
    output: models,
  },
  async ({ api }) => api.get("/api/v1/models", models),
);

const voice = z.object({
  voice_provider: z.string(),
  voice_id: z.string(),
  name: z.string(),
  languages: z.array(z.string()),
  gender: z.string().nullable(),
  effective_on: z.array(z.string()),
});
const voices = z.object({
  voices: z.array(voice),
  unavailable: z.array(z.object({ voice_provider: z.string(), reason: z.string() })),
});

const listVoices = looking(
  {
    name: "list_voices",
    title: "List voices",
    description:
      "Shows the voices that agents can speak with, where each is heard, and which vendors' lists are missing. `total` counts those that match.",
    scopes: ["read"],
    input: z.strictObject({
      provider: z.enum(["cartesia", "elevenlabs", "deepgram"]).optional().describe("Only voices of this vendor."),
      language: z.string().max(35).optional().describe("Only voices that speak this language, such as de-DE."),
      limit: limit(50),
    }),
    output: voices.extend({ total: z.number() }),
  },
  async ({ api }, { provider, language, limit: most }) => {
    const found = await api.get("/api/v1/voices", voices, { provider, language });
    return { voices: found.voices.slice(0, most), unavailable: found.unavailable, total: found.voices.length };
  },
);

export const modelTools: readonly Tool[] = [listModels, listVoices];
