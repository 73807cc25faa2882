import { z } from "@hono/zod-openapi";
import { columns, personNumber } from "../../kernel/http/content.ts";
import { forSpreadsheet } from "../../kernel/http/csv.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import {
  createdAt,
  enteredNumber,
  jsonBytes,
  textsByName,
  timestamp,
  variablesUpTo,
} from "../../kernel/http/fields.ts";
import { named } from "../../kernel/http/named-schemas.ts";
import { cursorPageOf, cursorPaging } from "../../kernel/http/paging.ts";
import { disclosed } from "../../records/conversations/disclosed-contract.ts";
import { CALL_STATUSES } from "../../records/ledger/call-status.ts";
import { END_REASONS } from "../../records/ledger/end-reason.ts";
import { CALL_VOICEMAIL, CALL_VOICEMAIL_WORDS } from "../call-settings/settings.ts";
import { carrierName } from "../carriers/documents.ts";
import { callFilters } from "./filters.ts";

const endReason = named(
  "EndReason",
  "Why a call ended, in the same terms for single, inbound and campaign calls.",
  z.enum(END_REASONS).openapi({ example: "answered" }),
);

const call = z
  .object({
    call_id: idOf("call", "The call's id, for getCall; the carrier's own id is `provider_call_id`."),
    direction: z.enum(["outbound", "inbound"]).openapi({
      description: "`outbound`: the agent called; `inbound`: someone called one of the account's numbers.",
      example: "outbound",
    }),
    status: z.enum(CALL_STATUSES).openapi({
      description: "The call's status; `completed`, `busy`, `no-answer`, `failed` and `canceled` are final.",
      example: "completed",
    }),
    agent_id: z.string().openapi({ description: "The id of the agent on the call.", example: EXAMPLE_IDS.agent }),
    agent_version: z
      .number()
      .int()
      .nullable()
      .openapi({
        description:
          "The number of the agent's version in its conversation, or the version to which its campaign is pinned; " +
          "null if there is none.",
        example: 3,
      }),
    campaign_id: idOf("campaign", "The campaign that placed it; null for single and inbound calls.").nullable(),
    from_number: personNumber(z.string(), { description: "The calling number, in E.164.", example: "+12025550100" }),
    to_number: personNumber(z.string(), { description: "The called number, in E.164.", example: "+13035550110" }),
    provider: carrierName,
    provider_call_id: z.string().nullable().openapi({
      description: "The carrier's id of the call; null until the carrier has given one.",
      example: "CA0123456789abcdef0123456789abcdef",
    }),
    created_at: createdAt.openapi({ description: "When the call was created (UTC); it never changes." }),
    started_at: timestamp
      .nullable()
      .openapi({ description: "When the call was placed or came in (UTC); null while it waits to be placed." }),
    connected_at: timestamp
      .nullable()
      .openapi({ description: "When a person or a machine answered (UTC); null if there was no answer." }),
    ended_at: timestamp.nullable().openapi({ description: "When the call ended (UTC); null while it is in progress." }),
    duration_ms: z.number().int().nullable().openapi({
      description:
        "Milliseconds from the answer to the end; null if nobody answered, and while the call is in progress.",
      example: 42_000,
    }),
    end_reason: endReason.nullable().openapi({
      description:
        "Why the call ended, in the same terms for single, inbound and campaign calls; null while it is in progress.",
      example: "answered",
    }),
    recorded: z.boolean().openapi({
      description:
        "Whether the call is recorded, according to its own `record`, its campaign's, or the call settings. The " +
        "recording is available once `recording_id` is set.",
      example: true,
    }),
    disclosed: disclosed.nullable().openapi({
      description:
        "How the disclosure was made on the call (see the call settings); null while that is not decided, and if no " +
        "person answered.",
    }),
    recording_id: idOf("recording", "Its latest recording, for getRecording; null if there is none yet.").nullable(),
    variables: columns(textsByName, {
      description:
        "The agent's data about this call: the variables given, or the columns of the campaign's contact, up to 16 " +
        "KB.",
      example: { first_name: "Ann" },
    }),
    conversation_id: idOf(
      "conversation",
      "The conversation held on it, for getConversation; null if there was none.",
    ).nullable(),
    metadata: columns(z.record(z.string(), z.unknown()), {
      description:
        "As sent, plus what the service adds: `answered_by`, `hangup_requested`, `message_left` if the agent left " +
        "its greeting on a machine, and `carrier_reason`, the carrier's own reason if it says more than " +
        "`end_reason`. The service's values replace values that you sent under the same names.",
      example: { order: 7, answered_by: "human" },
    }),
  })
  .openapi("Call");

export const placedCall = call
  .pick({
    call_id: true,
    status: true,
    agent_id: true,
    from_number: true,
    to_number: true,
    provider: true,
    provider_call_id: true,
    created_at: true,
    recorded: true,
    variables: true,
    metadata: true,
  })
  .openapi("PlacedCall", { description: "A call right after it was placed." });

const KB = 1024;
/** Maximum size of a call's variables as JSON, in KB and in bytes, and of its metadata in bytes. */
const MAX_VARIABLES_KB = 16;
export const MAX_VARIABLES_BYTES = MAX_VARIABLES_KB * KB;
const MAX_METADATA_BYTES = 8 * KB;

const metadata = z
  .record(z.string(), z.unknown())
  .refine((given) => jsonBytes(given) <= MAX_METADATA_BYTES, "must not be larger than 8 KB as JSON")
  .openapi({ description: "Stored and returned with the call; at most 8 KB of JSON.", example: { order: 7 } });

const slice = { access: "account", tag: "Calls" } as const;
const params = z.object({ id: idOf("call", "The call's id: `call_id` of originateCall and listCalls.") });

export const originateCall = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/calls/originate",
  scope: ["dial"],
  ofAgents: "handler",
  operationId: "originateCall",
  summary: "Call a number from one of the account's own",
  description:
    "Counts against the caps, checks the do-not-call list, and has the number's carrier place the call. Responds " +
    "once the carrier has accepted it. With an `Idempotency-Key`, you can always repeat the request, and the " +
    "number is dialed once.",
  body: z.object({
    agent_id: z.string().toLowerCase().min(1).openapi({
      description: "The id of the agent that makes the call; not an archived one.",
      example: EXAMPLE_IDS.agent,
    }),
    from_number: enteredNumber.openapi({
      description:
        "The number to call from, with its country code: one of the account's that is enabled for outbound calls.",
    }),
    to_number: enteredNumber.openapi({
      description: "The number to call, with its country code, in any notation.",
      example: "+13035550110",
    }),
    variables: variablesUpTo(MAX_VARIABLES_KB).optional(),
    metadata: metadata.optional(),
    voicemail: z
      .enum(CALL_VOICEMAIL)
      .optional()
      .openapi({
        description: `${CALL_VOICEMAIL_WORDS} Default: as \`voicemail\` of the call settings.`,
        example: "leave_message",
      }),
    record: z.boolean().optional().openapi({
      description: "Whether the call is recorded. Default: `record_outbound` of the call settings.",
      example: false,
    }),
  }),
  status: 200,
  response: placedCall,
  errors: {
    403: "`destination_not_allowed`: the account's call settings do not allow calls to this destination",
    404: "the account has no such number or agent",
    409: "the agent is archived, there is no runtime for the carrier's call, or no model answers for the agent",
    429: "a cap is reached, or a budget (`budget_reached`); x-error-code says which, Retry-After when to try again",
    500: "the carrier refuses or does not respond; the body says why",
  },
});

export const listCalls = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/calls",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "listCalls",
  summary: "List calls, newest first",
  description:
    "Returns single, inbound and campaign calls with their outcomes. Continue with `after`; `total` is exact up " +
    "to 10,000, and beyond that for all calls, those of an agent or a campaign, and windows of whole hours (UTC).",
  query: z.object({
    ...callFilters,
    ...cursorPaging(),
  }),
  status: 200,
  response: cursorPageOf("calls", call),
});

const CALLS_CSV =
  "call_id,created_at,direction,from_number,to_number,status,end_reason,connected_at,ended_at,duration_ms,agent_id,agent_version,campaign_id,conversation_id,disclosed,disclosed_at,disclosed_text,recording_id\r\n" +
  `${EXAMPLE_IDS.call},2026-11-21T09:30:00.000Z,outbound,+12025550100,+13035550110,busy,busy,,2026-11-21T09:30:08.000Z,,${EXAMPLE_IDS.agent},,,,not_required,,,\r\n`;

export const exportCalls = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/calls/export",
  scope: ["listen"],
  ofAgents: "handler",
  operationId: "exportCalls",
  summary: "Download calls as CSV, newest first",
  description:
    "Exports all calls, or those that match the list's filters. Cells that a spreadsheet would evaluate begin " +
    "with an apostrophe, except phone numbers. The audit log records the export before the file is sent.",
  query: z.object(callFilters).extend(forSpreadsheet),
  status: 200,
  stream: { "text/csv": { schema: z.string().openapi({ example: CALLS_CSV }) } },
  responseHeaders: ["Content-Disposition"],
});

export const getCall = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/calls/{id}",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "getCall",
  summary: "Get a call",
  description: "Returns the call's current state or its outcome.",
  params,
  status: 200,
  response: call,
  errors: { 404: "unknown call" },
});

export const hangUpCall = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/calls/{id}/hangup",
  scope: ["dial"],
  ofAgents: "handler",
  operationId: "hangUpCall",
  summary: "End a call",
  description:
    "Returns the call's new state at the carrier. A call that has ended does not change. If the carrier does not " +
    "confirm the hang-up, the response is 500 and the hang-up is retried until the call's limit.",
  params,
  status: 200,
  response: call,
  errors: {
    404: "unknown call",
    409: "the credentials of the call were deleted",
    500: "the carrier refuses or does not respond; the body says why",
  },
});
