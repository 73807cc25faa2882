import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { variablesUpTo } from "../../kernel/http/fields.ts";
import { secretText } from "../../kernel/http/secret-fields.ts";

/** Limited because the variables are part of the token, which is sent in a header. */
const MAX_VARIABLES_KB = 4;

const agentSession = z
  .object({
    access_token: secretText({
      description:
        "A JWT (ES256) to send in the first frame at `runtime_url`. It opens this one conversation and nothing else.",
      example: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTlhYTVjNCJ9.c2lnbmF0dXJl",
    }),
    token_type: z.literal("Bearer").openapi({ description: "How a runtime sends it: `Authorization: Bearer`." }),
    expires_in: z.number().int().openapi({
      description: "How many seconds it is valid: an hour, or what is left of the requesting console session.",
      example: 3600,
    }),
    runtime_url: z.string().nullable().openapi({
      description:
        "The WebSocket address at which you can talk to the agent with the widget's frames; null if there is none.",
      example: "wss://api.example.com/runtime",
    }),
    agent_id: idOf("agent", "The agent that answers."),
    conversation_id: idOf("conversation", "The id that the conversation will have once it starts."),
  })
  .openapi("AgentSession");

export const createAgentSession = endpoint({
  access: "account",
  tag: "Agents",
  method: "post",
  path: "/api/v1/agents/{id}/session",
  scope: ["build", "listen"],
  ofAgents: "path",
  operationId: "createAgentSession",
  summary: "Start a session to try an agent yourself, by text or voice",
  description:
    "You need no widget key, and neither `auth_mode` nor the agent's status matters. Connect to `runtime_url`, " +
    'send `{"type": "session", "access_token": "…"}`, and continue like the widget. The agent is used as it is ' +
    "when the conversation begins, and its tools really run. The conversation is listed with `kind` `test`. The " +
    "token is refused once the agent is deleted, the account disabled, or the key or console session that " +
    "requested it is no longer valid. Each conversation needs its own session. `connect` is needed too if one of " +
    "its tools names an integration, and `manage` if more of the conversation would be stored than of live ones.",
  params: z.object({ id: idOf("agent", "The agent to try, by its id from listAgents.") }),
  bodyOptional: true,
  body: z.object({
    variables: variablesUpTo(MAX_VARIABLES_KB)
      .default({})
      .openapi({
        description: `The variables of a call: up to 64 named texts, ${MAX_VARIABLES_KB} KB of JSON at most.`,
      }),
    version: z
      .union([z.int().min(1), z.enum(["draft", "live"])])
      .default("draft")
      .openapi({
        description:
          "The version of the agent to use: the `draft` (the default), the `live` version, or a version by its number, " +
          "which never has more rights than the live one.",
        example: "draft",
      }),
  }),
  status: 200,
  response: agentSession,
  errors: { 404: "unknown agent or version", 409: "`not_published`: `live` of an agent that was never published" },
});
