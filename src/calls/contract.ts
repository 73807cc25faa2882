import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { e164, timestamp, uuid } from "../http/fields.ts";
import { pageOf, paging } from "../http/paging.ts";
import { END_REASONS } from "./end-reason.ts";
import { CALL_STATUSES } from "./status.ts";

const endReason = z.enum(END_REASONS).openapi("EndReason");

const call = z
  .object({
    call_id: uuid,
    direction: z.enum(["outbound", "inbound"]),
    status: z.enum(CALL_STATUSES),
    agent_id: z.string(),
    campaign_id: uuid.nullable(),
    from_number: z.string(),
    to_number: z.string(),
    provider: z.string(),
    provider_call_id: z.string().nullable(),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    connected_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    duration_ms: z.number().int().nullable().openapi({ description: "From the answer to the end." }),
    end_reason: endReason.nullable().openapi({ description: "Why the call ended; null while it runs." }),
    recording_id: uuid.nullable(),
    metadata: z.record(z.string(), z.unknown()).openapi({
      description:
        "What is noted beside: `answered_by`, `hangup_requested`, and `carrier_reason`, the word behind `end_reason` where it says more.",
    }),
  })
  .openapi("Call");

const slice = { access: "account", tag: "Calls" } as const;
const params = z.object({ id: uuid });

export const originateCall = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/calls/originate",
  summary: "Call a number from one of the account's own",
  body: z.object({ agent_id: z.string().min(1), from_number: e164, to_number: e164 }),
  status: 200,
  response: call.pick({
    call_id: true,
    status: true,
    agent_id: true,
    from_number: true,
    to_number: true,
    provider: true,
    provider_call_id: true,
    created_at: true,
  }),
  errors: {
    404: "the account has no such number or agent",
    429: "a cap is reached; x-error-code says which",
    500: "the carrier's reason",
  },
});

export const listCalls = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/calls",
  summary: "List calls, newest first",
  query: z.object({
    agent_id: z.string().optional(),
    campaign_id: z.string().optional(),
    status: z.enum(CALL_STATUSES).optional(),
    ...paging(),
  }),
  status: 200,
  response: pageOf("calls", call),
});

export const getCall = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/calls/{id}",
  summary: "Get a call",
  params,
  status: 200,
  response: call,
  errors: { 404: "unknown call" },
});

export const hangUpCall = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/calls/{id}/hangup",
  summary: "End a call; its final status arrives with the carrier's word for it",
  params,
  status: 200,
  response: call,
  errors: { 404: "unknown call", 409: "the call is over" },
});

export const callWebhook = endpoint({
  method: "post",
  path: "/api/telephony/webhooks/{provider}/{account}/{call_id}",
  access: "public",
  tag: "Carriers",
  summary: "Take a carrier's report about a call, signed by the carrier",
  params: z.object({ provider: z.string(), account: z.string(), call_id: z.string() }),
  query: z.object({ campaign: uuid.optional() }),
  rawBody: { contentType: "application/json", schema: z.unknown() },
  status: 204,
  errors: { 403: "not signed by the carrier", 404: "unknown carrier or call" },
});
