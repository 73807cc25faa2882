import { z } from "@hono/zod-openapi";
import { agentChanges } from "../../agent/agents/contract.ts";
import { languageFields } from "../../agent/agents/language-fields.ts";
import { VOICE_PROVIDERS } from "../../agent/voices/vendors.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { bytes } from "../../kernel/http/fields.ts";
import { CHANNELS } from "../effect/effect.ts";

/** The most previews of an account within an hour. */
export const PREVIEWS_AN_HOUR = 30;

const provider = z.enum(VOICE_PROVIDERS);
const voiceProvider = provider.openapi({
  description: "The provider of the voice, as in an agent's `voice_provider`.",
  example: "elevenlabs",
});

const voice = z
  .object({
    voice_provider: voiceProvider,
    voice_id: z.string().openapi({
      description:
        "The id to use as an agent's `voice_id`; empty for the carrier's own voice, which depends on the language.",
      example: "JBFqnCBsd6RMkjVDRZzb",
    }),
    name: z.string().openapi({ description: "Its name for people.", example: "George" }),
    languages: z.array(z.string()).openapi({
      description:
        "The languages that the voice speaks (BCP 47), according to its vendor; empty if the vendor lists none.",
      example: ["en-GB", "de-DE"],
    }),
    gender: z.enum(["female", "male", "neutral"]).nullable().openapi({
      description: "The vendor's description of the voice; null if there is none.",
      example: "male",
    }),
    preview_url: z.string().nullable().openapi({
      description:
        "A sample from the vendor, if it has one that any browser can play. See previewVoice for another sample.",
      example: "https://storage.googleapis.com/eleven-public-prod/premade/voices/JBFqnCBsd6RMkjVDRZzb/preview.mp3",
    }),
    effective_on: z.array(z.enum(CHANNELS)).openapi({
      description:
        "The channels where the voice is heard, as in getAgentEffect for `voice_provider` and `voice_id`. A runtime " +
        "of your own gets any voice.",
      example: ["twilio", "own_runtime"],
    }),
  })
  .openapi("Voice");

export const listVoices = endpoint({
  access: "account",
  tag: "Agents",
  method: "get",
  path: "/api/v1/voices",
  scope: ["read"],
  operationId: "listVoices",
  summary: "List the voices that agents can speak with",
  description:
    "If the integration (`cartesia`, `elevenlabs`, `deepgram`) is ready, returns the vendor's list with the " +
    "voices of your account there, up to 1,000 and at most an hour old. Otherwise returns the carriers' own " +
    "voices, which callers hear instead.",
  query: z.object({
    provider: provider.optional().openapi({ description: "Only voices of this provider.", example: "elevenlabs" }),
    language: languageFields.language.optional().openapi({
      description:
        "Only voices that speak this language (BCP 47) in any region. Includes voices whose languages are unknown.",
      example: "de-DE",
    }),
  }),
  status: 200,
  response: z.object({
    voices: z.array(voice).openapi({ description: "The voices, by provider." }),
    unavailable: z
      .array(
        z
          .object({
            voice_provider: voiceProvider,
            reason: z.string().openapi({
              description: "The error, in a sentence.",
              example: "ElevenLabs did not answer in time",
            }),
          })
          .openapi("UnavailableVoices"),
      )
      .openapi({
        description:
          "The providers whose integration is ready but whose list could not be fetched. Their voices are missing.",
        example: [],
      }),
  }),
});

export const previewVoice = endpoint({
  access: "account",
  tag: "Agents",
  method: "post",
  path: "/api/v1/voices/preview",
  scope: ["build"],
  operationId: "previewVoice",
  summary: "Preview a voice",
  description:
    "Returns an mp3 in which the vendor speaks a fixed sentence in the language, through the account's own " +
    `integration. The account has ${PREVIEWS_AN_HOUR} an hour; those that the vendor refuses count too. The ` +
    "response is not stored for an Idempotency-Key, so a repeated request gets 409 `idempotency_answer_not_kept`.",
  body: z.object({
    voice_provider: voiceProvider,
    voice_id: agentChanges.shape.voice_id.unwrap().openapi({
      description: "The provider's id of the voice, as listVoices gives it. The carriers' own voices have no preview.",
      example: "JBFqnCBsd6RMkjVDRZzb",
    }),
    language: languageFields.language.openapi({
      description:
        "The language of the sentence (BCP 47). A language that the voice lacks is 400 `voice_lacks_language`.",
      example: "de-DE",
    }),
  }),
  status: 200,
  stream: { "audio/mpeg": { schema: bytes } },
  errors: {
    409: "the integration is not ready (`integration_not_ready`), or its key does not work (`voice_key_refused`)",
    429: `over ${PREVIEWS_AN_HOUR} previews within an hour (\`too_many_previews\`)`,
    502: "the vendor failed, took too long, or did not send audio (`voice_unavailable`)",
    503: "encryption is not available",
  },
});
