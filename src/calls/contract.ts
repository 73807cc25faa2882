import { z } from "@hono/zod-openapi";
import { CALL_STATUSES } from "../carriers/call-status.ts";
import { carrierInstructions, carrierReport } from "../carriers/documents.ts";
import { endpoint } from "../http/endpoint.ts";
import { e164, instant, jsonBytes, textsByName, timestamp, uuid } from "../http/fields.ts";
import { pageOf, paging } from "../http/paging.ts";
import { END_REASONS } from "./end-reason.ts";

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
    variables: textsByName.openapi({
      description: "What the agent is told of this call: as given, or the columns of a campaign's contact up to 16 KB.",
    }),
    conversation_id: uuid.nullable().openapi({ description: "What was said on it; null where nothing was." }),
    metadata: z.record(z.string(), z.unknown()).openapi({
      description:
        "As given, with what is noted beside: `answered_by`, `hangup_requested`, and `carrier_reason`, the word behind `end_reason` where it says more. What is noted stands in front of what was given by the same name, and only what is noted counts.",
    }),
  })
  .openapi("Call");

/** A call as it is answered to who asked for it. */
export const placedCall = call.pick({
  call_id: true,
  status: true,
  agent_id: true,
  from_number: true,
  to_number: true,
  provider: true,
  provider_call_id: true,
  created_at: true,
  variables: true,
  metadata: true,
});

const KB = 1024;
/** Most names, and bytes as JSON, of what a call's agent is told; and most bytes of its metadata. */
const MAX_VARIABLES = 64;
export const MAX_VARIABLES_BYTES = 16 * KB;
const MAX_METADATA_BYTES = 8 * KB;

const variables = z
  .record(z.string(), z.string())
  .refine((texts) => Object.keys(texts).length <= MAX_VARIABLES, `must not have more than ${MAX_VARIABLES} names`)
  .refine((texts) => jsonBytes(texts) <= MAX_VARIABLES_BYTES, "must not be over 16 KB as JSON")
  .openapi({ description: "Up to 64 texts by name, for the agent's prompt and greeting; 16 KB as JSON at most." });
const metadata = z
  .record(z.string(), z.unknown())
  .refine((given) => jsonBytes(given) <= MAX_METADATA_BYTES, "must not be over 8 KB as JSON")
  .openapi({ description: "Kept and given back with the call; 8 KB as JSON at most." });

const slice = { access: "account", tag: "Calls" } as const;
const params = z.object({ id: uuid });

export const originateCall = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/calls/originate",
  operationId: "originateCall",
  summary: "Call a number from one of the account's own",
  description:
    "Counts against the caps, checks the do-not-call list, and has the number's carrier place the call. Answers once the carrier has taken it; do not repeat it blindly after a broken connection, look under the calls first.",
  body: z.object({
    agent_id: z.string().min(1),
    from_number: e164,
    to_number: e164,
    variables: variables.optional(),
    metadata: metadata.optional(),
  }),
  status: 200,
  response: placedCall,
  errors: {
    404: "the account has no such number or agent",
    409: "the agent is archived, the carrier would have nothing to connect the call to, or no model answers for the agent",
    429: "a cap is reached; x-error-code says which",
    500: "the carrier's reason",
  },
});

export const listCalls = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/calls",
  operationId: "listCalls",
  summary: "List calls, newest first",
  description: "Single, inbound and campaign calls, with how each went.",
  query: z.object({
    agent_id: z.string().optional(),
    campaign_id: z.string().optional(),
    status: z.enum(CALL_STATUSES).optional(),
    since: instant.optional().openapi({ description: "Made not before this time." }),
    until: instant.optional().openapi({ description: "Made before this time." }),
    ...paging(),
  }),
  status: 200,
  response: pageOf("calls", call),
});

export const getCall = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/calls/{id}",
  operationId: "getCall",
  summary: "Get a call",
  description: "How the call stands, or how it went.",
  params,
  status: 200,
  response: call,
  errors: { 404: "unknown call" },
});

export const hangUpCall = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/calls/{id}/hangup",
  operationId: "hangUpCall",
  summary: "End a call",
  description:
    "Gives the call as it then is at the carrier. A call that is over is left as it is. Where the carrier does not say " +
    "that it hung up, the answer is 500 and the hang-up is tried again until the call's limit.",
  params,
  status: 200,
  response: call,
  errors: { 404: "unknown call", 409: "the credentials it goes by are gone", 500: "the carrier's reason" },
});

export const callWebhook = endpoint({
  method: "post",
  path: "/api/telephony/webhooks/{provider}/{account}/{call_id}",
  access: "public",
  tag: "Carriers",
  operationId: "receiveCallWebhook",
  summary: "Take a carrier's report about a call, signed by the carrier",
  description:
    "Carriers are given this address with each call. Twilio, SignalWire and Plivo send forms, Telnyx, Vonage and the sandbox JSON. Late and repeated reports change nothing. A carrier that asks for instructions gets them.",
  params: z.object({ provider: z.string(), account: z.string(), call_id: z.string() }),
  query: z.object({
    campaign: uuid.optional(),
    credentials: uuid.optional(),
    transfer: z
      .string()
      .optional()
      .openapi({ description: "Where the call is handed over to, as the service has signed it for this call." }),
  }),
  rawBody: carrierReport,
  status: 204,
  others: {
    200: { description: "Instructions for the call, in the carrier's own words.", stream: carrierInstructions },
  },
  errors: {
    403: "not signed by the carrier, of another call, or asks for a transfer that was not ordered",
    404: "unknown carrier or call",
    413: "over 64 KiB",
    429: "too many that were not signed came from this address in this minute",
  },
});
