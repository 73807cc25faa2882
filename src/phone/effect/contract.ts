import { z } from "@hono/zod-openapi";
import { agentId } from "../../agent/agents/contract.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { CHANNELS, SETTINGS } from "./effect.ts";

export const getAgentEffect = endpoint({
  access: "account",
  tag: "Agents",
  method: "get",
  path: "/api/v1/agents/{id}/effect",
  scope: ["read"],
  ofAgents: "path",
  operationId: "getAgentEffect",
  summary: "See which of an agent's settings have an effect on a channel",
  description:
    "Returns each saved setting of the agent, and whether it has an effect on the channel. Carriers support " +
    "different settings. If your own runtime is configured, it decides.",
  params: z.object({ id: agentId }),
  query: z.object({
    channel: z.enum(CHANNELS).default("sandbox").openapi({
      description:
        "Where the agent speaks: a carrier, the `sandbox` (the default), the `widget`, or a runtime of your own (`own_runtime`).",
      example: "twilio",
    }),
  }),
  status: 200,
  response: z.object({
    settings: z
      .array(
        z
          .object({
            field: z.enum(SETTINGS).openapi({ description: "The setting's field.", example: "voice_id" }),
            value: z.unknown().openapi({
              description: "The agent's value, in the field's own type.",
              example: "sonic-english-1",
            }),
            effective: z
              .boolean()
              .openapi({ description: "Whether the setting has its effect on this channel.", example: false }),
            instead: z.string().nullable().openapi({
              description: "What happens instead; null if the setting is effective.",
              example: "Twilio's own voice for de-DE",
            }),
            reason: z.string().nullable().openapi({
              description: "Why the setting has no effect, or what decides about it; null if there is nothing to add.",
              example: "Twilio has no voices of cartesia",
            }),
          })
          .openapi("SettingEffect"),
      )
      .openapi({ description: "Every setting of the agent, each with its effect." }),
  }),
  errors: { 404: "unknown agent" },
});
