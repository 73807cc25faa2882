import { z } from "@hono/zod-openapi";
import { STORAGE } from "../../kernel/db/schema/index.ts";
import { columns, content, personNumber } from "../../kernel/http/content.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { eventStream, lastEventId } from "../../kernel/http/event-stream.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { agentVersionFilter, instant, timestamp } from "../../kernel/http/fields.ts";
import { cursorPageOf, cursorPaging } from "../../kernel/http/paging.ts";
import { VERDICTS } from "../analysis/analysis.ts";
import { currency, unit } from "../usage/prices-contract.ts";
import { analysis, listedAnalysis } from "./analysis-contract.ts";
import { STREAMED } from "./events.ts";
import { otlpTraces } from "./otlp.ts";
import { TOOL_STATES } from "./record.ts";

const text = z.string();
const whole = z.number().int();
const kind = z.enum(["call", "widget", "test"]).openapi({
  description:
    "Where it was held: on the phone, in the widget on a page, or by someone in the account trying the agent (`test`).",
  example: "call",
});
const conversationId = idOf("conversation", "The conversation's id, also found on its call and its contact.");
const count = (description: string, example: number) => whole.openapi({ description, example });
const ms = (description: string, example: number) => whole.nullable().openapi({ description, example });

const usage = z.object({
  input_tokens: count("Tokens the model read.", 4_210),
  cached_tokens: count("Those of `input_tokens` that the model's provider took from its cache.", 3_072),
  output_tokens: count("Tokens it wrote.", 356),
  audio_ms: count("Milliseconds of audio reported; 0 if the carrier turns speech into text.", 0),
  speech_chars: count(
    "Characters of the agent's words that were sent to be spoken, those of an interrupted turn up to where it stopped; " +
      "0 if it was not a call.",
    412,
  ),
  carrier_s: count("Seconds of the call from answer to end; 0 until it has ended, and if it was not a call.", 72),
  tool_runs: count("Tool runs of which the request was sent.", 1),
});
const item = z.object({
  what: text.openapi({ description: "What was used, as the price list names it.", example: "model/gpt-4o/output" }),
  unit,
  quantity: z.number().openapi({ description: "How many units, to six decimals.", example: 0.000356 }),
  unit_micros: whole.nullable().openapi({
    description: "The price of a unit in millionths of the currency; null where it is unknown.",
    example: 10_000_000,
  }),
  amount_micros: whole.nullable().openapi({
    description: "What it came to, rounded half up to whole millionths; null where the price is unknown.",
    example: 3_560,
  }),
});
const cost = z.object({
  amount_micros: count("The sum of the items whose price is known, in millionths of the currency.", 3_560),
  currency,
  items: z.array(item).openapi({ description: "What was used, each at its price; what was not used is no item." }),
  complete: z.boolean().openapi({
    description: "Whether the price of every item is known; otherwise the conversation cost more than `amount_micros`.",
    example: true,
  }),
});
const latency = z.object({
  first_ms: ms("Of the first answer; null where there was none.", 720),
  median_ms: ms("Of half of the answers at most; null where there was none.", 640),
  max_ms: ms("Of the slowest answer; null where there was none.", 980),
});

const conversation = z
  .object({
    id: conversationId,
    kind,
    status: z.enum(["ended", "live"]).openapi({ description: "`live` while it is in progress, then `ended`." }),
    direction: z.enum(["outbound", "inbound"]).nullable().openapi({
      description:
        "Who placed the call: the account (`outbound`) or the other side (`inbound`). Null if it was not a call.",
      example: "outbound",
    }),
    agent_id: text.openapi({
      description: "The agent that held it; the agent may be deleted by now.",
      example: EXAMPLE_IDS.agent,
    }),
    agent_version: z
      .number()
      .int()
      .nullable()
      .openapi({
        description:
          "The number of the agent's version that it was held with, for getAgentVersion; null for conversations from before " +
          "agents had versions.",
        example: 3,
      }),
    prompt_id: text.nullable().openapi({
      description: "The version of the agent's prompt that was used; null if the agent had none.",
      example: EXAMPLE_IDS.prompt,
    }),
    call_id: idOf("call", "The call it was held on; null if it was not a call.").nullable(),
    campaign_id: idOf("campaign", "The campaign that placed the call; null for any other.").nullable(),
    contact_id: idOf("contact", "The campaign's contact that was called; null for any other.").nullable(),
    visitor_id: text.nullable().openapi({
      description:
        "The visitor of the page, a user by the id your server gave; of a test who tried the agent, as the audit log " +
        "names them. Null on the phone.",
      example: null,
    }),
    visitor_type: z.enum(["guest", "user"]).nullable().openapi({
      description: "Whether the visitor is known to your server (`user`); null on the phone.",
      example: null,
    }),
    phone_number: personNumber(text.nullable(), {
      description: "The other side's number; null if it was not a call.",
      example: "+12025550143",
    }),
    contact_name: columns(text, {
      description:
        "The other person's name: the variable `name`, otherwise `first_name` and `last_name`; null if there is none.",
      example: "Ada Lovelace",
    }),
    variables: content(z.record(text, text), {
      description: "The variables available to the agent's texts: the contact's columns and the call's variables.",
      example: { name: "Ada" },
    }),
    started_at: timestamp.openapi({ description: "When it started (UTC)." }),
    ended_at: timestamp.nullable().openapi({
      description: "When it ended (UTC); null while it is live.",
      example: "2026-11-21T09:31:12.000Z",
    }),
    duration_ms: ms("From the beginning to the end, in milliseconds; null while it is live.", 72_000),
    end_reason: text.nullable().openapi({
      description:
        "Why it ended, in a word: `agent_ended`, `caller_hung_up`, `hangup`, `transferred`, `machine` (one had answered the " +
        "call), `silence`, `max_duration`, `max_length`, `model_failed`, `visitor_left`, `call_ended`; or why whoever was " +
        "talked to was no longer admitted: `account_closed`, `key_disabled`, `signed_out`, `widget_disabled`, " +
        "`guest_not_allowed`, `access_revoked`, `expired`; or what a runtime of your own said. Null while it is live.",
      example: "caller_hung_up",
    }),
    transferred_to: personNumber(text.nullable(), {
      description:
        "The number that the caller was handed over to, null for nobody. The call goes on with whoever picked up.",
      example: null,
    }),
    disposition: content(text, {
      description: "How it turned out, as last noted by the agent; null if it noted nothing.",
      example: "appointment_booked",
    }),
    turn_count: count("Turns of either side, not counting tools.", 6),
    tool_call_count: count("How often the agent used a tool.", 1),
    usage: usage.openapi({ description: "What the conversation used, over all turns." }),
    cost: cost.nullable().openapi({
      description:
        "What it cost, at the prices in force when it ended (`GET /api/v1/prices`); null while it is live, and for a moment " +
        "after. Transfers and what happens on a call without a conversation are not in it.",
    }),
    latency: latency.openapi({
      description: "Milliseconds from the end of the user's words to the agent's first.",
    }),
    complete: z.boolean().openapi({
      description:
        "Whether the end, every event before it and the result of every tool that still ran have arrived, and are kept.",
      example: true,
    }),
    analysis: listedAnalysis
      .nullable()
      .default(null)
      .openapi({ description: "How its analysis stands; null where it was never to be analyzed." }),
  })
  .openapi("Conversation");

const toolUse = z.object({
  tool_call_id: text.openapi({ description: "The model's id of this tool call.", example: "call_7f3a" }),
  run_id: idOf(
    "toolRun",
    "The tool's run, as the service that it asks got it in `Idempotency-Key`; calls that ask for the same while it runs share one. Null for what a runtime runs and reports itself, and for tools that are built in.",
  ).nullable(),
  name: text.openapi({ description: "The name of the tool that the agent used.", example: "check_availability" }),
  arguments: z.record(text, z.unknown()).openapi({
    description: "The tool's arguments, matching its schema.",
    example: { day: "2026-11-27" },
  }),
  state: z.enum(TOOL_STATES).openapi({
    description:
      "How it stands: `running`, `ok`, `failed`, or `unknown` where it may have happened or not: its request left, and no answer came.",
    example: "ok",
  }),
  ok: z.boolean().nullable().openapi({
    description: "Whether it succeeded; null until there is a result.",
    example: true,
  }),
  result: z.unknown().openapi({
    description: "What the model was given; null until there is a result.",
    example: ["10:00", "14:30"],
  }),
  duration_ms: ms("How long it took, in milliseconds; null until there is a result.", 184),
});

const turn = z
  .object({
    seq: count("The turn's place: that of its event in the conversation.", 3),
    at: timestamp.openapi({ description: "When it was said, or the tool was called (UTC)." }),
    role: z.enum(["user", "agent", "tool"]).openapi({ description: "Who spoke; `tool` for the use of one." }),
    text: text.openapi({
      description: "What was said; of an agent that was interrupted what was heard of it; of a tool its name.",
      example: "Do you have time on Friday?",
    }),
    interrupted: z.boolean().openapi({ description: "Whether the user interrupted the agent.", example: false }),
    lang: text.nullable().openapi({
      description: "The language of the turn as a BCP 47 tag; null where it is unknown.",
      example: "en-US",
    }),
    finish: z
      .enum(["length", "content_filter"])
      .nullable()
      .openapi({
        description:
          "Why the model's answer was cut short: it reached its maximum length (after being asked once to continue), or " +
          "the provider's content filter stopped it. Null for a complete answer.",
        example: null,
      }),
    tool_call: toolUse.nullable().openapi({ description: "The tool call; null for spoken turns." }),
  })
  .openapi("ConversationTurn");

/** A conversation with its turns, as it goes out. */
export const conversationDetail = conversation
  .extend({
    storage: z.enum(STORAGE).openapi({
      description:
        "What of it is stored, as its agent was set when it began: everything (`all`), everything with what the agent's " +
        "`redact` names replaced (`redacted`), or no turns at all (`metadata`).",
      example: "all",
    }),
    turns: content(z.array(turn), {
      description:
        "Everything that was said, and the tools used, in order; empty where `storage` is `metadata`. Of a live one that " +
        "is redacted, what may still become part of something to redact follows once that is decided.",
    }),
    analysis: content(analysis, {
      description:
        "What was read out of it once it was over; null where it was never to be analyzed, and while it is live.",
    }).default(null),
  })
  .openapi("ConversationDetail");

const conversationAnalysis = z.object({
  conversation_id: conversationId,
  analysis: content(analysis, { description: "The analysis that is to be made." }),
});

const slice = { access: "account", tag: "Conversations" } as const;
const params = z.object({ id: conversationId });
const errors = { 404: "unknown conversation" } as const;

/** In a query string a plus that was not escaped arrives as a space. */
const phoneNumber = text
  .transform((number) => number.replace(/^ /, "+"))
  .openapi({
    description: "Only with this number (E.164); in a query the plus may be written `%2B`.",
    example: "+12025550143",
  });

/** Most values that are looked for at once, and characters of each. */
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
    description: "Only with exactly this disposition; requires the scope `listen`.",
    example: "appointment_booked",
  }),
  phone_number: phoneNumber.optional(),
  successful: z
    .enum(VERDICTS)
    .optional()
    .openapi({ description: "Only conversations whose analysis says that of them.", example: "success" }),
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
        `Only with these values in their analysis, up to ${MAX_DATA_FILTERS}, as \`data.preferred_day=2026-11-27\` or ` +
        "`data[preferred_day]=2026-11-27`: texts without case and punctuation. Requires the scope `listen`.",
      example: { preferred_day: "2026-11-27" },
    }),
  since: instant
    .optional()
    .openapi({ description: "Only conversations that started at this time or later (ISO 8601 with an offset)." }),
  until: instant
    .optional()
    .openapi({ description: "Only conversations that started before this time (ISO 8601 with an offset)." }),
};
/** Which conversations are wanted; what is left out asks for nothing. */
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
    "On the phone, in the widget and of those who try agents, live ones too: those with the numbers of their beginning. " +
    "To go on, send `next` as `after`; it is null at the end of the list. An `after` that is not from this list is a 400.",
  query: z.object({
    ...filters,
    limit: cursorPaging().limit,
    after: cursorPaging().after,
  }),
  status: 200,
  response: z.object({
    conversations: z.array(conversation).openapi({ description: "The conversations of this page, newest first." }),
    limit: count("The requested page size.", 10),
    next: cursorPageOf("conversations", conversation).shape.next,
  }),
});

const CONVERSATIONS_CSV =
  "id,started_at,kind,direction,phone_number,contact_name,status,disposition,end_reason,transferred_to,ended_at,duration_ms,turn_count,agent_id,agent_version,campaign_id,contact_id,call_id,successful,summary,data.preferred_day\r\n" +
  `${EXAMPLE_IDS.conversation},2026-11-21T09:30:00.000Z,call,outbound,+12025550143,Ada Lovelace,ended,appointment_booked,caller_hung_up,,2026-11-21T09:31:12.000Z,72000,6,${EXAMPLE_IDS.agent},3,,,${EXAMPLE_IDS.call},success,The caller took the appointment on Friday.,2026-11-27\r\n`;

export const exportConversations = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/conversations/export",
  scope: ["listen"],
  ofAgents: "handler",
  operationId: "exportConversations",
  summary: "Download conversations as CSV, newest first",
  description:
    "All conversations, or those that meet the filters of the list, without what was said. A column `data.<name>` follows " +
    "for each value that an agent of the account looks for by now; long texts are cut. Cells that a spreadsheet " +
    "would compute begin with an apostrophe; phone numbers stay as they are. The audit log has it before the file is " +
    "given out.",
  query: z.object(filters),
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
    "Live ones as they are now. Where what was said has been lost, `turns` is empty and `complete` false, while the " +
    "record with its counts is as it was.",
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
    "A head with date, agent, number, duration and disposition, then a line a turn, with the time since the beginning.",
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
    "OTLP/JSON by OpenTelemetry's semantic conventions for generative AI, as a collector takes it at `/v1/traces`: the " +
    "conversation, each turn with the time to its first word, requests of the model with their tokens, and tool runs. " +
    "The trace has the conversation's own id, so that sending it again replaces it. It holds what was said as far as the agent's " +
    "`storage` allows, and no phone number of its own. Requests of a runtime of your own have no times.",
  params,
  status: 200,
  response: otlpTraces,
  errors,
});

/** The schema of each event's data, by the event's name. */
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
    "Server-sent events: a `snapshot`, the conversation with its turns, then what happens in it, an event by the name " +
    "of its type. The schema is that of an event's `data`, by its name. An event's id counts by arrival, its `seq` by " +
    "what happened: a runtime's reports may come in any order. Reconnect with Last-Event-ID, as an EventSource does by itself, to get what was missed. One that has " +
    "ended is sent as one `snapshot`, after which the stream is over; with Last-Event-ID the answer is 204, by which an " +
    "EventSource stops coming back: get the conversation then. An account has a quota of open streams.",
  params,
  headers: lastEventId,
  status: 200,
  stream: eventStream("ConversationStreamEvent", EVENTS),
  others: { 204: { description: "It has ended, and nothing more will come." } },
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
    "By what its agent looks for now, also where the agent analyzes none by itself. What it finds takes the place of what was " +
    "found before. Its tokens count like those of any analysis. Wait for the event `conversation.analyzed`, or for another " +
    "`status` than `pending`.",
  params,
  status: 202,
  response: conversationAnalysis,
  errors: {
    ...errors,
    409: "`conversation_live`, `analysis_pending` (one is under way), or `agent_deleted`",
  },
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
    "Its turns, its record, and what its campaign knows of it, for good; a live one ends. What a runtime reports late " +
    "does not bring it back. After an error send it again.",
  params,
  status: 204,
  errors: { ...errors, 503: "what it used cannot be put on record at the moment; see Retry-After" },
});
