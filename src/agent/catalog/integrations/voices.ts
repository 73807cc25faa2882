import type { CatalogIntegration } from "../types.ts";
import { needed } from "./fields.ts";

/** The voice providers, under the names that agents use in `voice_provider`. */
export const voiceIntegrations: CatalogIntegration[] = [
  {
    id: "019aa3b5-ec20-7c4a-9d17-5e82b6f0a394",
    name: "cartesia",
    display_name: "Cartesia",
    description: "Agents speak with Cartesia's voices, billed to your own account there.",
    category: "voices",
    hosts: ["api.cartesia.ai"],
    auth: "token",
    params: [],
    secrets: [needed("api_key", "API key", "From play.cartesia.ai → API keys; starts with sk_car_")],
    checks: {
      method: "GET",
      url: "https://api.cartesia.ai/voices?limit=1",
      headers: { "cartesia-version": "2025-11-04" },
      auth: { type: "bearer", token: "{{cartesia.api_key}}" },
    },
  },
  {
    id: "019aa3b5-ec21-71f8-8b3e-c04d97a5e612",
    name: "elevenlabs",
    display_name: "ElevenLabs",
    description: "Agents speak with ElevenLabs' voices, billed to your own account there.",
    category: "voices",
    hosts: ["api.elevenlabs.io"],
    auth: "token",
    params: [],
    secrets: [needed("api_key", "API key", "With access to text to speech and to voices; from Developers → API keys")],
    checks: {
      method: "GET",
      url: "https://api.elevenlabs.io/v2/voices?page_size=1",
      auth: { type: "header", name: "xi-api-key", value: "{{elevenlabs.api_key}}" },
    },
  },
  {
    id: "019aa3b5-ec22-7ea5-a6c1-3f9b08d25e7f",
    name: "deepgram",
    display_name: "Deepgram",
    description: "Agents speak with Deepgram's Aura voices, billed to your own account there.",
    category: "voices",
    hosts: ["api.deepgram.com"],
    auth: "token",
    params: [],
    secrets: [needed("api_key", "API key", "From console.deepgram.com → API keys")],
    checks: {
      method: "GET",
      url: "https://api.deepgram.com/v1/projects",
      auth: { type: "header", name: "authorization", value: "Token {{deepgram.api_key}}" },
    },
  },
];
