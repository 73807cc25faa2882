import { z } from "@hono/zod-openapi";
import { content } from "../../kernel/http/content.ts";
import { forSpreadsheet } from "../../kernel/http/csv.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { eventStream, lastEventId } from "../../kernel/http/event-stream.ts";
import { EXAMPLE_IDS } from "../../kernel/http/example-ids.ts";
import { agentVersionFilter, instant, numberInQuery } from "../../kernel/http/fields.ts";
import { cursorPageOf, cursorPaging } from "../../kernel/http/paging.ts";
import { VERDICTS } from "../analysis/analysis.ts";
import { valueStates } from "../analysis/value-states.ts";
import { analysis } from "./analysis-contract.ts";
import { conversation, conversationDetail, conversationId, kind } from "./conversation-schema.ts";
import { disclosedFilter } from "./disclosed-contract.ts";
import { STREAMED } from "./events.ts";
import { otlpTraces } from "./otlp.ts";

const text = z.string();

const conversationAnalysis = z.object({
  conversation_id: conversationId,
  analysis: content(analysis, { description: "The requested analysis." }),
});

const slice = { access: "account", tag: "Conversations" } as const;
const params = z.object({ id: conversationId });
const errors = { 404: "unknown conversation" } as const;

/** Limits of one search: the number of values, and the characters of each. */
const MAX_DATA_FILTERS = 5;
const MAX_DATA_CHARS = 500;

const filters = {
  agent_id: text
    .optional()
    .openapi({ description: "Only conversations that the agent with this id held.", example: EXAMPLE_IDS.agent }),
  agent_version: agentVersionFilter("conversations"),
  campaign_id: text
    .optional()
    .openapi({ description: "Only of this campaign's calls.", example: EXAMPLE_IDS.campaign }),
  contact_id: text.optional().openapi({
    description: "Only conversations with the campaign's contact with this id.",
    example: EXAMPLE_IDS.contact,
  }),
  call_id: text
    .optional()
    .openapi({ description: "Only the conversation held in the call with this id.", example: EXAMPLE_IDS.call }),
  kind: kind.optional(),
  disposition: text.optional().openapi({
    description: "Only conversations with exactly this disposition; requires the scope `listen`.",
    example: "appointment_booked",
  }),
  phone_number: numberInQuery.optional().openapi({
    description: "Only conversations with this number, in any notation; in a query the plus may be written `%2B`.",
    example: "+12025550143",
  }),
  disclosed: disclosedFilter("conversations"),
  successful: z
    .enum(VERDICTS)
    .optional()
    .openapi({ description: "Only conversations whose analysis has this result.", example: "success" }),
  data: z
    .record(
      text.regex(/^[a-z][a-z0-9_]{0,62}$/, "must be the name of a value of analyses"),
      text.min(1).max(MAX_DATA_CHARS),
    )
    .refine((data) => Object.keys(data).length <= MAX_DATA_FILTERS, `must be ${MAX_DATA_FILTERS} values at most`)
    .optional()
    .openapi({
      param: { style: "deepObject", explode: true },
      description:
        `Only with these values found by their analysis, up to ${MAX_DATA_FILTERS}, as ` +
        "`data.preferred_day=2026-11-27` or `data[preferred_day]=2026-11-27`: texts are compared without case and " +
        "punctuation. Requires the scope `listen`.",
      example: { preferred_day: "2026-11-27" },
    }),
  state: valueStates("The states of values that `data` matches:"),
  since: instant
    .optional()
    .openapi({ description: "Only conversations that started at this time or later (ISO 8601 with an offset)." }),
  until: instant
    .optional()
    .openapi({ description: "Only conversations that started before this time (ISO 8601 with an offset)." }),
};
/** The filters of conversations; an omitted filter does not restrict the list. */
export type ConversationFilters = { [K in keyof typeof filters]?: z.output<(typeof filters)[K]> | undefined };

export const listConversations = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/conversations",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "listConversations",
  summary: "List conversations, newest first",
  description:
    "Returns conversations on the phone, in the widget and in tests, including live ones. The counts of a live " +
    "conversation are those from its start. For the next page, send `next` as `after`; it is null at the end of the list. An " +
    "`after` that is not from this list is a 400.",
  query: z.object({
    ...filters,
    limit: cursorPaging().limit,
    after: cursorPaging().after,
  }),
  status: 200,
  response: z.object({
    conversations: z.array(conversation).openapi({ description: "The conversations of this page, newest first." }),
    limit: z.number().int().openapi({ description: "The requested page size.", example: 10 }),
    next: cursorPageOf("conversations", conversation).shape.next,
  }),
});

const CONVERSATIONS_CSV =
  "id,started_at,kind,direction,phone_number,contact_name,status,disposition,end_reason,transferred_to,ended_at,duration_ms,turn_count,agent_id,agent_version,campaign_id,contact_id,call_id,disclosed,disclosed_at,disclosed_text,successful,summary,data.preferred_day,data.preferred_day.state\r\n" +
  `${EXAMPLE_IDS.conversation},2026-11-21T09:30:00.000Z,call,outbound,+12025550143,Ada Lovelace,ended,appointment_booked,caller_hung_up,,2026-11-21T09:31:12.000Z,72000,6,${EXAMPLE_IDS.agent},3,,,${EXAMPLE_IDS.call},spoken,2026-11-21T09:30:00.000Z,You are talking to an AI assistant of Acme Dental.,success,The caller took the appointment on Friday.,2026-11-27,found\r\n`;

export const exportConversations = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/conversations/export",
  scope: ["listen"],
  ofAgents: "handler",
  operationId: "exportConversations",
  summary: "Download conversations as CSV, newest first",
  description:
    "Exports all conversations, or those that match the list's filters, without their turns. Each value that any " +
    "agent of the account currently looks for has the columns `data.<name>` and `data.<name>.state`, including " +
    "unverified values; long texts are cut. Cells that a spreadsheet would evaluate begin with an apostrophe, " +
    "except phone numbers. The audit log records the export before the file is sent.",
  query: z.object(filters).extend(forSpreadsheet),
  status: 200,
  stream: { "text/csv": { schema: z.string().openapi({ example: CONVERSATIONS_CSV }) } },
  responseHeaders: ["Content-Disposition"],
});

export const getConversation = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/conversations/{id}",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "getConversation",
  summary: "Get a conversation with all its turns",
  description:
    "Live conversations are returned in their current state. If the turns were lost, `turns` is empty and " +
    "`complete` is false, but the record still has its counts.",
  params,
  status: 200,
  response: conversationDetail,
  errors,
});

const TRANSCRIPT = `Conversation: ${EXAMPLE_IDS.conversation}
Date: 2026-11-21 09:30:00 UTC
Kind: outbound call
Agent: Reception
Number: +12025550143
Duration: 1:12
Ended: caller_hung_up
Disposition: appointment_booked

[0:01] Agent: Good morning, Acme Dental. How can I help you?
[0:06] Caller: Do you have time on Friday?
`;

export const getTranscript = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/conversations/{id}/transcript",
  scope: ["listen"],
  ofAgents: "handler",
  operationId: "getConversationTranscript",
  summary: "Read a conversation as text",
  description:
    "Begins with the date, agent, number, duration and disposition. Then follows one line for each turn, with " +
    "the time since the beginning.",
  params,
  status: 200,
  stream: { "text/plain": { schema: text.openapi({ example: TRANSCRIPT }) } },
  errors,
});

export const getTrace = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/conversations/{id}/trace",
  scope: ["listen"],
  ofAgents: "handler",
  operationId: "getConversationTrace",
  summary: "Read a conversation as a trace",
  description:
    "Returns OTLP/JSON with OpenTelemetry's semantic conventions for generative AI, which a collector accepts at " +
    "`/v1/traces`: the conversation, each turn with the time to its first word, requests to the model with their " +
    "tokens, and tool runs. The trace's id is the conversation's, so sending it again replaces it. It contains " +
    "turns as far as the agent's `storage` allows, and adds no phone number. Requests of a runtime of your own " +
    "have no times.",
  params,
  status: 200,
  response: otlpTraces,
  errors,
});

/** The schema of each event's data, by event name. */
export const EVENTS = Object.assign({ snapshot: conversationDetail }, STREAMED);

export const streamConversation = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/conversations/{id}/events",
  scope: ["listen"],
  ofAgents: "handler",
  operationId: "streamConversationEvents",
  summary: "Watch a conversation live",
  description:
    "Server-sent events: a `snapshot`, the conversation with its turns, then its events, named by their type. " +
    "The schema is that of an event's `data`, by its name. An event's id follows the order of arrival, and its " +
    "`seq` the order of the conversation, because a runtime's reports can arrive in any order. Reconnect with " +
    "Last-Event-ID, as an EventSource does automatically, to get the events that you missed. An ended " +
    "conversation is sent as one `snapshot`, after which the stream ends. With Last-Event-ID the response is " +
    "204, so that an EventSource stops reconnecting; then get the conversation. An account has a quota of open " +
    "streams.",
  params,
  headers: lastEventId,
  status: 200,
  stream: eventStream("ConversationStreamEvent", EVENTS),
  others: { 204: { description: "It has ended, and no more events follow." } },
  errors: { ...errors, 429: "the quota of open event streams is reached" },
});

export const analyzeConversation = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/conversations/{id}/analyze",
  scope: ["build", "listen"],
  ofAgents: "handler",
  operationId: "analyzeConversation",
  summary: "Analyze a conversation again",
  description:
    "Uses the agent's current analysis settings, even if they are off. The new results replace the earlier ones. " +
    "The tokens count like those of any analysis. Wait for the event `conversation.analyzed`, or for another " +
    "`status` than `pending`.",
  params,
  status: 202,
  response: conversationAnalysis,
  errors: {
    ...errors,
    409: "`conversation_live`, `analysis_pending` (an analysis is in progress), or `agent_deleted`",
  },
});

export const undoOptOut = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/conversations/{id}/undo-opt-out",
  scope: ["dial"],
  ofAgents: "handler",
  operationId: "undoOptOut",
  summary: "Undo an opt-out from a conversation",
  description:
    "Removes the number from the do-not-call list if this conversation put it there, because of the person's " +
    "words or the agent's tool. An entry from an API request stays. The audit log names the conversation.",
  params,
  status: 200,
  response: z.object({
    on_list: z.boolean().openapi({
      description: "Whether the number is still on the list, because a request or another conversation added it.",
      example: false,
    }),
  }),
  errors: { ...errors, 409: "`no_number`: the conversation has no phone number" },
});

export const deleteConversation = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/conversations/{id}",
  scope: ["manage"],
  ofAgents: "handler",
  operationId: "deleteConversation",
  summary: "Delete a conversation completely",
  description:
    "Deletes the conversation's turns, its record and its campaign's data about it, for good. A live " +
    "conversation ends. Late reports of a runtime don't bring it back. After an error, repeat the request.",
  params,
  status: 204,
  errors: { ...errors, 503: "its use cannot be recorded at the moment; see Retry-After" },
});
