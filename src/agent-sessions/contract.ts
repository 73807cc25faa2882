import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { idOf } from "../http/example-ids.ts";
import { variablesUpTo } from "../http/fields.ts";
import { secretText } from "../http/secret-fields.ts";

/** They go with the token, which is shown in a header. */
const MAX_VARIABLES_KB = 4;

const agentSession = z
  .object({
    access_token: secretText({
      description:
        "What is shown at `runtime_url` in the first frame: a JWT (ES256). It opens this one conversation and nothing else.",
      example: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTlhYTVjNCJ9.c2lnbmF0dXJl",
    }),
    token_type: z.literal("Bearer").openapi({ description: "How a runtime sends it: `Authorization: Bearer`." }),
    expires_in: z.number().int().openapi({
      description: "For how many seconds it is good: an hour, or what is left of the console session that asks.",
      example: 3600,
    }),
    runtime_url: z.string().nullable().openapi({
      description:
        "The WebSocket address at which the agent is talked to, in the widget's frames; null where there is none.",
      example: "wss://api.example.com/runtime",
    }),
    agent_id: idOf("agent", "The agent that answers."),
    conversation_id: idOf("conversation", "What the conversation will be known by, once it has begun."),
  })
  .openapi("AgentSession");

export const createAgentSession = endpoint({
  access: "account",
  tag: "Agents",
  method: "post",
  path: "/api/v1/agents/{id}/session",
  operationId: "createAgentSession",
  summary: "Begin a session to try an agent yourself, by text or voice",
  description:
    "No widget key is needed, and neither `auth_mode` nor the agent's status keeps you out. Connect to `runtime_url`, send " +
    '`{"type": "session", "access_token": "…"}`, and go on as the widget does. The agent is as it is when the conversation ' +
    "begins, and its tools do what they do in any other. The conversation is listed with `kind` `test`. The token is " +
    "refused once the agent is deleted, the account disabled, or the key or console session that asked for it is no longer " +
    "good. Each conversation takes a session of its own.",
  params: z.object({ id: idOf("agent", "The agent to be tried, as listAgents gives it.") }),
  bodyOptional: true,
  body: z.object({
    variables: variablesUpTo(MAX_VARIABLES_KB)
      .default({})
      .openapi({
        description: `What a call would tell the agent: up to 64 texts by name, ${MAX_VARIABLES_KB} KB as JSON at most.`,
      }),
  }),
  status: 200,
  response: agentSession,
  errors: { 404: "unknown agent" },
});
