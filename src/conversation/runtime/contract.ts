import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { enteredNumber, smallJson } from "../../kernel/http/fields.ts";
import { conversationEvent } from "../../records/conversations/events.ts";
import { sessionSnapshot } from "./session/snapshot-document.ts";

const slice = { access: "runtime", tag: "Runtime" } as const;
const ended = {
  401: "the session token, or the visitor's token sent with the API key, is invalid",
  403:
    "the session has ended, or the visitor may no longer use it; `not_a_runtime` for only the token of a visitor, tester or " +
    "carrier; `visitor_not_yours` for a visitor of another account than the API key's",
  429: "`conversation_cap`: too many conversations are live, so the visitor's cannot begin",
};

export const getSession = endpoint({
  ...slice,
  method: "get",
  path: "/api/runtime/v1/session",
  scope: ["runtime"],
  operationId: "getRuntimeSession",
  summary: "Get everything a runtime needs to hold the conversation",
  description:
    "Returns a snapshot that is taken at the first request and never changes: the agent with its rendered prompt " +
    "and greeting, its knowledge, and its tools.",
  status: 200,
  response: sessionSnapshot,
  errors: ended,
});

/** The most events of one request, and the most bytes. */
export const MAX_EVENTS = 500;
const MAX_EVENTS_BYTES = 256 * 1024;

export const postEvents = endpoint({
  ...slice,
  method: "post",
  path: "/api/runtime/v1/session/events",
  scope: ["runtime"],
  operationId: "reportRuntimeEvents",
  summary: "Report what happened in the conversation",
  description:
    "Number events from 1 without gaps. Repeated events are ignored, so you can repeat a request that got no " +
    "response. The response contains the last number before the first gap.",
  bodyLimit: { kept: MAX_EVENTS_BYTES, read: 4 * MAX_EVENTS_BYTES },
  body: z.object({
    // Too many are answered by 413, like a body that is too large, so that a runtime splits its report.
    events: z
      .array(conversationEvent)
      .min(1)
      .openapi({ maxItems: MAX_EVENTS, description: `Up to ${MAX_EVENTS} events, in any order.` }),
  }),
  status: 200,
  response: z.object({
    accepted_through: z.number().int().openapi({
      description:
        "The last number before the first gap. Everything up to it is stored. 0 if the first event is missing.",
      example: 3,
    }),
  }),
  errors: { ...ended, 413: "over 500 events or 256 KB" },
});

export const useSessionTool = endpoint({
  ...slice,
  method: "post",
  path: "/api/runtime/v1/session/tools/{name}",
  scope: ["runtime"],
  operationId: "useRuntimeTool",
  summary: "Run one of the session's tools on the platform",
  description:
    "Every outcome is a result that you can give to a model: `ok` is false if the arguments do not match the " +
    "tool's schema, an integration is not ready, or the tool's service fails. The conversation records the call " +
    "automatically. Sending the same `tool_call_id` again returns the same result and runs nothing; another id " +
    "with the same arguments waits for the run in progress. A write whose outcome is unknown is not repeated.",
  params: z.object({
    name: z.string().openapi({ description: "The tool, as the session names it.", example: "check_availability" }),
  }),
  body: z.object({
    tool_call_id: z.string().min(1).max(200).optional().openapi({
      description: "The model's id of this tool call, up to 200 characters. Sending it a second time runs nothing.",
      example: "call_7f3a",
    }),
    arguments: smallJson(z.record(z.string(), z.unknown()))
      .default({})
      .openapi({ description: "The tool's arguments, up to 64 KB.", example: { day: "2026-11-27" } }),
  }),
  status: 200,
  response: z.object({
    run_id: idOf(
      "toolRun",
      "The run's id, as sent to the tool's service in `Idempotency-Key`; null for a call that was reported as an " +
        "event.",
    ).nullable(),
    state: z.enum(["ok", "failed", "unknown"]).openapi({
      description: "The outcome: `unknown` if the action may have happened or not, so it must not be repeated.",
      example: "ok",
    }),
    ok: z.boolean().openapi({ description: "Whether the tool succeeded.", example: true }),
    result: z.unknown().openapi({ description: "The result for the model: any JSON.", example: ["10:00", "14:30"] }),
    duration_ms: z.number().int().openapi({ description: "The duration, in milliseconds.", example: 184 }),
  }),
  errors: {
    ...ended,
    404: "the session has no such tool",
    409: "the tool runs in the runtime, or this tool call is in progress",
    429: "too many tool calls in this minute, or by this visitor today",
  },
});

export const hangUpSession = endpoint({
  ...slice,
  method: "post",
  path: "/api/runtime/v1/session/hangup",
  scope: ["runtime"],
  operationId: "hangUpRuntimeSession",
  summary: "End the conversation",
  description: "Hangs up the call; ends a visitor's conversation.",
  status: 204,
  errors: {
    ...ended,
    409: "the caller was transferred, or the credentials of the call were deleted",
    500: "the carrier refuses or does not respond; the body says why",
  },
});

const transfer = z
  .object({
    to_number: enteredNumber.openapi({
      description: "The number to transfer to: that of one of the agent's `transfer_targets`.",
      example: "+12025550177",
    }),
  })
  .openapi("Transfer");

export const transferSession = endpoint({
  ...slice,
  method: "post",
  path: "/api/runtime/v1/session/transfer",
  scope: ["runtime"],
  operationId: "transferRuntimeSession",
  summary: "Transfer the caller to one of the agent's transfer targets",
  description:
    "The conversation ends with `end_reason` `transferred`. The call continues with the person who picks up, or " +
    "ends at once if no one does. Close the media stream if the carrier doesn't; late events are accepted for 60 " +
    "s. Repeated requests for the same number transfer the caller once. After 500 `carrier_unknown`, the caller " +
    "may have been transferred or not: if so, the carrier closes the media stream and the conversation becomes " +
    "`transferred`. Further transfers of this caller get the same error, because they could call the target twice.",
  body: transfer,
  status: 200,
  response: transfer,
  errors: {
    403:
      "the session has ended; `not_a_target`: no transfer target of the agent has this number; " +
      "`destination_not_allowed`: the account's call settings do not allow it; `do_not_call`: it is on the do-not-call list",
    400: "not an E.164 number, or one that is already on the call",
    429: "the account's caps leave no room for the transferred leg",
    409:
      "there is no call, it has ended or is not answered yet, or the caller is being or was transferred to another " +
      "number",
    500: "the carrier refuses or does not respond; the body says why",
  },
});
