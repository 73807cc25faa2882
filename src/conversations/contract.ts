import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { instant, timestamp, uuid } from "../http/fields.ts";
import { paging } from "../http/paging.ts";
import { conversationEvent } from "./events.ts";

const text = z.string();
const whole = z.number().int();
const ms = whole.nullable();
const kind = z.enum(["call", "widget"]);

const conversation = z
  .object({
    id: uuid,
    kind,
    status: z.enum(["live", "ended"]),
    direction: z.enum(["outbound", "inbound"]).nullable().openapi({ description: "Of a call." }),
    agent_id: text,
    prompt_id: text.nullable().openapi({ description: "The version of the agent's prompt it was held with." }),
    call_id: uuid.nullable(),
    campaign_id: uuid.nullable(),
    contact_id: uuid.nullable(),
    visitor_id: text.nullable(),
    visitor_type: z.enum(["guest", "user"]).nullable(),
    phone_number: text.nullable().openapi({ description: "The other side's, of a call." }),
    variables: z.record(text, text),
    started_at: timestamp,
    ended_at: timestamp.nullable(),
    duration_ms: ms.openapi({ description: "From the beginning to the end; null while it is live." }),
    end_reason: text.nullable(),
    transferred_to: text.nullable().openapi({
      description: "The number that the caller was handed over to. The call goes on with whoever picked up.",
      example: "+12025550177",
    }),
    disposition: text.nullable().openapi({ description: "How it came out, as the agent noted it last." }),
    turn_count: whole.openapi({ description: "What was said by either side, tools not counted." }),
    tool_call_count: whole,
    usage: z.object({ input_tokens: whole, output_tokens: whole, audio_ms: whole }),
    latency: z
      .object({ first_ms: ms, median_ms: ms, max_ms: ms })
      .openapi({ description: "From the end of the user's words to the agent's first." }),
    complete: z.boolean().openapi({ description: "The end and every event before it have arrived, and are kept." }),
  })
  .openapi("Conversation");

const turn = z
  .object({
    seq: whole,
    at: timestamp,
    role: z.enum(["user", "agent", "tool"]),
    text: text.openapi({
      description: "What was said; of an agent that was interrupted what was heard of it; of a tool its name.",
    }),
    interrupted: z.boolean(),
    tool_call: z
      .object({
        tool_call_id: text,
        name: text,
        arguments: z.record(text, z.unknown()),
        ok: z.boolean().nullable().openapi({ description: "Null as long as there is no result." }),
        result: z.unknown(),
        duration_ms: ms,
      })
      .nullable(),
  })
  .openapi("ConversationTurn");

/** A conversation with its turns, as it goes out. */
export const conversationDetail = conversation.extend({ turns: z.array(turn) }).openapi("ConversationDetail");

const slice = { access: "account", tag: "Conversations" } as const;
const params = z.object({ id: uuid });
const errors = { 404: "unknown conversation" } as const;

/** In a query string a plus that was not escaped arrives as a space. */
const phoneNumber = text.transform((number) => number.replace(/^ /, "+")).openapi({ example: "+12025550100" });

const filters = {
  agent_id: text.optional(),
  campaign_id: text.optional(),
  contact_id: text.optional(),
  call_id: text.optional(),
  kind: kind.optional(),
  disposition: text.optional(),
  phone_number: phoneNumber.optional(),
  since: instant.optional().openapi({ description: "Began at this time or later." }),
  until: instant.optional().openapi({ description: "Began before this time." }),
};
/** Which conversations are wanted; what is left out asks for nothing. */
export type ConversationFilters = { [K in keyof typeof filters]?: z.output<(typeof filters)[K]> | undefined };

export const listConversations = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/conversations",
  operationId: "listConversations",
  summary: "List conversations, newest first",
  description:
    "On the phone and in the widget, live ones too: those with the numbers of their beginning. To go on, send `next` " +
    "as `after`; it is null on the last page. An `after` that is no conversation of the account (any more) is a 400.",
  query: z.object({
    ...filters,
    after: text.optional().openapi({ description: "The id of the last conversation you have." }),
    limit: paging().limit,
  }),
  status: 200,
  response: z.object({
    conversations: z.array(conversation),
    limit: whole,
    next: uuid.nullable().openapi({ description: "What to send as `after` for the next page." }),
  }),
});

export const getConversation = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/conversations/{id}",
  operationId: "getConversation",
  summary: "Get a conversation with all that was said",
  description:
    "Live ones as they are now. Where what was said has been lost, `turns` is empty and `complete` false, while the " +
    "record with its counts is as it was.",
  params,
  status: 200,
  response: conversationDetail,
  errors,
});

export const getTranscript = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/conversations/{id}/transcript",
  operationId: "getConversationTranscript",
  summary: "Read a conversation as text",
  description:
    "A head with date, agent, number, duration and disposition, then a line a turn, with the time since the beginning.",
  params,
  status: 200,
  stream: { "text/plain": { schema: text } },
  errors,
});

export const streamConversation = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/conversations/{id}/events",
  operationId: "streamConversationEvents",
  summary: "Watch a conversation live",
  description:
    "Server-sent events: a `snapshot`, the conversation with its turns, then what happens in it, an event by the name " +
    "of its type. Reconnect with Last-Event-ID, as an EventSource does by itself, to get what was missed. One that has " +
    "ended is sent as one `snapshot`, after which the stream is over; with Last-Event-ID the answer is 204, by which an " +
    "EventSource stops coming back: get the conversation then. An account has a quota of open streams.",
  params,
  headers: z.object({
    "Last-Event-ID": text
      .optional()
      .openapi({ description: "The id of the last event you have; all after it are sent.", example: "42" }),
  }),
  status: 200,
  stream: {
    "text/event-stream": {
      schema: z.union([conversationDetail, conversationEvent]).openapi("ConversationStreamEvent"),
    },
  },
  others: { 204: { description: "It has ended, and nothing more will come." } },
  errors: { ...errors, 429: "as many streams as there may be are open" },
});

export const deleteConversation = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/conversations/{id}",
  operationId: "deleteConversation",
  summary: "Delete a conversation whole",
  description:
    "Its turns, its record, and what its campaign knows of it, for good; a live one ends. What a runtime reports late " +
    "does not bring it back. After an error send it again.",
  params,
  status: 204,
  errors,
});
