import { z } from "@hono/zod-openapi";
import { conversationEvent } from "../conversations/events.ts";
import { endpoint } from "../http/endpoint.ts";
import { e164, smallJson, timestamp, uuid } from "../http/fields.ts";

const text = z.string();

/** What a runtime is told of its session. */
export const sessionSnapshot = z
  .object({
    session_id: uuid.openapi({ description: "The conversation's id." }),
    kind: z.enum(["call", "widget"]),
    account: text,
    expires_at: timestamp,
    call: z
      .object({
        id: uuid,
        direction: z.enum(["outbound", "inbound"]),
        from_number: text,
        to_number: text,
        provider: text,
        campaign_id: uuid.nullable(),
        contact_id: uuid.nullable(),
      })
      .nullable(),
    visitor: z.object({ id: text, type: z.enum(["guest", "user"]) }).nullable(),
    agent: z.object({
      id: text,
      name: text,
      llm_model: text,
      voice_provider: text,
      voice_id: text,
      system_prompt: text.openapi({ description: "As rendered with the session's variables." }),
      greeting_message: text.openapi({ description: "As rendered with the session's variables." }),
      greeting_mode: z.enum(["interruptible", "locked"]),
      background_audio_enabled: z.boolean(),
      background_audio_volume: z.number(),
      noise_suppression_enabled: z.boolean(),
      ringing_enabled: z.boolean(),
      prompt_id: text.nullable(),
    }),
    variables: z.record(z.string(), z.string()),
    missing_variables: z.array(text).openapi({ description: "Names that had no value and no default." }),
    playbooks: z.array(z.object({ name: text, display_name: text, content: text })),
    faqs: z.array(z.object({ name: text, title: text, summary: text, content: text })),
    tools: z.array(
      z.object({
        name: text,
        description: text,
        parameters: z.record(z.string(), z.unknown()).openapi({ description: "JSON Schema of the arguments." }),
        runs: z.enum(["platform", "runtime"]),
        code: text.optional().openapi({ description: "Python, of a tool that the runtime runs." }),
      }),
    ),
    unavailable_tools: z.array(z.object({ name: text, reason: text })),
    limits: z.object({ max_duration_s: z.number().int() }),
  })
  .openapi("RuntimeSession");

const slice = { access: "runtime", tag: "Runtime" } as const;
const ended = { 403: "the session has ended, or the visitor may no longer use it" };

export const getSession = endpoint({
  ...slice,
  method: "get",
  path: "/api/runtime/v1/session",
  operationId: "getRuntimeSession",
  summary: "Get all that a runtime needs to hold the conversation",
  description:
    "One snapshot, made at the first request and the same from then on: the agent with its prompt and greeting rendered, what it knows, and its tools.",
  status: 200,
  response: sessionSnapshot,
  errors: ended,
});

/** Most events of one request, and most bytes. */
export const MAX_EVENTS = 500;
const MAX_EVENTS_BYTES = 256 * 1024;

export const postEvents = endpoint({
  ...slice,
  method: "post",
  path: "/api/runtime/v1/session/events",
  operationId: "reportRuntimeEvents",
  summary: "Report what happened in the conversation",
  description:
    "Numbered from 1 without gaps. An event that is sent again is ignored, so that a request without an answer is simply repeated. Gives the last number before the first gap.",
  bodyLimit: { kept: MAX_EVENTS_BYTES, read: 4 * MAX_EVENTS_BYTES },
  body: z.object({ events: z.array(conversationEvent).min(1) }),
  status: 200,
  response: z.object({ accepted_through: z.number().int() }),
  errors: { ...ended, 413: "over 500 events or 256 KB" },
});

export const useSessionTool = endpoint({
  ...slice,
  method: "post",
  path: "/api/runtime/v1/session/tools/{name}",
  operationId: "useRuntimeTool",
  summary: "Use one of the session's tools that run on the platform",
  description:
    "Whatever comes of it is a result that a model can speak about: `ok` is false where the arguments do not fit the tool's schema, an integration is not ready, or the service that it asks fails. It is logged with the conversation by itself. The same `tool_call_id` again gives the same result and runs nothing.",
  params: z.object({ name: text }),
  body: z.object({
    tool_call_id: z.string().min(1).max(200).optional(),
    arguments: smallJson(z.record(z.string(), z.unknown())).default({}),
  }),
  status: 200,
  response: z.object({ ok: z.boolean(), result: z.unknown(), duration_ms: z.number().int() }),
  errors: {
    ...ended,
    404: "the session has no such tool",
    409: "the tool runs in the runtime, or this call of it is under way",
    429: "too many uses of tools in this minute",
  },
});

export const hangUpSession = endpoint({
  ...slice,
  method: "post",
  path: "/api/runtime/v1/session/hangup",
  operationId: "hangUpRuntimeSession",
  summary: "End the conversation",
  description: "Hangs up the call; ends a visitor's conversation.",
  status: 204,
  errors: {
    ...ended,
    409: "the caller was handed over, or the credentials the call goes by are gone",
    500: "the carrier's reason",
  },
});

export const transferSession = endpoint({
  ...slice,
  method: "post",
  path: "/api/runtime/v1/session/transfer",
  operationId: "transferRuntimeSession",
  summary: "Hand the caller over to a number",
  description:
    "The conversation ends with `end_reason` `transferred`, the call goes on and ends with whoever picks up, or at once " +
    "where nobody does. Close the media stream then where the carrier does not: late events are taken for 60 s. Asked " +
    "twice for the same number it is done once. After 500 `carrier_unknown` the caller may have been handed over or not: " +
    "the carrier closes the media stream where they were, and the conversation is found to be `transferred`.",
  body: z.object({ to_number: e164 }),
  status: 200,
  response: z.object({ to_number: e164 }),
  errors: {
    ...ended,
    400: "no E.164 number, or one that is on the call already",
    409: "there is no call, it is over or not answered yet, or the caller is being or was handed over to another number",
    500: "the carrier's reason",
  },
});
