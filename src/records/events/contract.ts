import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { eventStream } from "../../kernel/http/event-stream.ts";
import { EXAMPLE_IDS } from "../../kernel/http/example-ids.ts";
import { instant, timestamp } from "../../kernel/http/fields.ts";
import { paging } from "../../kernel/http/paging.ts";
import { secretText } from "../../kernel/http/secret-fields.ts";
import { EVENT_TYPES, EVENTS, isEventType } from "./types.ts";

const slice = { access: "account", ofAgents: "handler", tag: "Events" } as const;
const TOO_MANY_STREAMS = "the quota of open event streams is reached";
const NO_PLACE =
  "for `Last-Event-ID`: `unknown_event` if it is not an event of the account, `cursor_expired` if events after " +
  "it are no longer kept";

const types = z
  .string()
  .transform((names) => names.split(",").map((name) => name.trim()))
  .pipe(
    z.array(z.string()).superRefine((names, context) => {
      const unknown = names.filter((name) => !isEventType(name));
      const message = `has no event type ${unknown.join(", ")}: there are ${EVENT_TYPES.join(", ")}`;
      if (unknown.length > 0) context.addIssue({ code: "custom", message });
    }),
  )
  .transform((names) => [...new Set(names.filter(isEventType))])
  .optional()
  .openapi({
    type: "string",
    description: `Only events of these types, separated by commas; all by default. The types: ${EVENT_TYPES.map((type) => `\`${type}\``).join(", ")}.`,
    example: "call.ended,conversation.ended",
  });

const event = z
  .discriminatedUnion("type", [EVENTS["call.started"], ...Object.values(EVENTS).slice(1)])
  .openapi("Event", { description: "An event of the account, by its type." });

export const listEvents = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/events",
  scope: ["read"],
  operationId: "listEvents",
  summary: "List events, newest first, or after a given event",
  description:
    "Returns events of the last 30 days, at most 5,000,000. Without `after`, the newest come first, and `next` " +
    "leads to older ones. With an event's id as `after`, you get the events after it, oldest first. Continue " +
    "with `next` until it is null, and later continue with the id of the last event. An event appears in the " +
    "list and in streams once it is stored durably. All events of an account have one order. An API key that is " +
    "limited to agents only gets events about these agents.",
  query: z.object({
    types,
    since: instant.optional().openapi({
      description: "Only events that happened at this time or later (ISO 8601 with an offset).",
    }),
    after: z
      .string()
      .optional()
      .openapi({
        description:
          "The `next` of the previous page, or the id of an event to get the events after it. `cursor_expired` if some " +
          "of these events are no longer kept.",
        example: EXAMPLE_IDS.event,
      }),
    limit: paging().limit,
  }),
  status: 200,
  response: z.object({
    events: z.array(event).openapi({ description: "The events of this page." }),
    next: z.string().nullable().openapi({
      description: "The value to send as `after` for the next page; null at the end.",
      example: null,
    }),
    oldest: timestamp.nullable().openapi({
      description: "When the oldest kept event happened (UTC); null if there is none.",
      example: "2026-10-22T09:30:00.000Z",
    }),
  }),
});

const stream = eventStream("AccountEvent", EVENTS);
const lastEventId = z.object({
  "Last-Event-ID": z.string().optional().openapi({
    description: "The id of the last event you have; all after it are sent.",
    example: EXAMPLE_IDS.event,
  }),
});

export const streamEvents = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/events/stream",
  scope: ["read"],
  operationId: "streamEvents",
  summary: "Watch what happens live",
  description:
    "Server-sent events: all new events, with the type as the event's name and with the same id as in the list. " +
    "The id is the last field of each event, so a disconnected client has the data of every id that it received. " +
    "Reconnect with Last-Event-ID, as an EventSource does by itself, to get the events that you missed; if that " +
    "is refused, read the list. A comment every 15 s keeps idle connections open. The stream stays open until " +
    "the client disconnects or the reader loses access: the key is revoked, the session ends, or the account is " +
    "disabled. An account has a quota of open streams. A browser's EventSource sends no Authorization header, so " +
    "use the address of a ticket.",
  query: z.object({ types }),
  headers: lastEventId,
  status: 200,
  stream,
  errors: { 400: NO_PLACE, 429: TOO_MANY_STREAMS },
});

export const createTicket = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/events/stream/ticket",
  scope: ["read"],
  operationId: "createEventsTicket",
  summary: "Get an address for a browser's EventSource, valid for 60 s to connect",
  description:
    "Request the ticket on your server, and pass the address to the page. It opens the account's events and " +
    "nothing else, any number of times within 60 s. An open stream continues after that, and ends when you lose " +
    "access: when the key is revoked, the session ends, or the account is disabled. An EventSource that " +
    "reconnects after 60 s gets a 403 and closes (`readyState` is CLOSED). Then request a new ticket, and add " +
    "`&last_event_id=` with the last id that you have, so that you miss no events.",
  status: 200,
  response: z.object({
    url: secretText({
      description:
        "The address for the page. Keep it out of logs, because anyone who has it can watch. You can add `&types=` " +
        "and `&last_event_id=`.",
      example: "https://api.example.com/api/events/stream?ticket=eyJ...",
    }),
    expires_at: timestamp.openapi({ description: "The time until which a client can connect (UTC), 60 s from now." }),
  }),
});

export const streamByTicket = endpoint({
  access: "public",
  limit: "public",
  tag: "Events",
  method: "get",
  path: "/api/events/stream",
  scope: [],
  operationId: "streamEventsByTicket",
  summary: "Watch events live from a page of any origin, with a ticket",
  description:
    "The same stream as under /api/v1, for a browser's EventSource. The address comes from POST " +
    "/api/v1/events/stream/ticket. Every answer carries CORS headers for any origin, without credentials. An " +
    "error ends an EventSource permanently; it does not reconnect by itself.",
  query: z.object({
    ticket: z.string().openapi({
      description: "The ticket in the address that createEventsTicket returned; valid for 60 s.",
      example: "eyJ...",
    }),
    types,
    last_event_id: z.string().optional().openapi({
      description: "The same as the header Last-Event-ID, for a new EventSource. If both are sent, the header counts.",
      example: EXAMPLE_IDS.event,
    }),
  }),
  headers: lastEventId,
  status: 200,
  stream,
  errors: {
    400: NO_PLACE,
    401: "the session that requested the ticket has ended, or its key has expired",
    403: "the ticket is missing, expired or for another stream, its key was revoked, or the account is disabled",
    429: `too many requests of this address, or ${TOO_MANY_STREAMS}`,
  },
});

export const listEventTypes = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/event-types",
  scope: ["read"],
  operationId: "listEventTypes",
  summary: "List the types of events, each with its schema and an example",
  description: "Returns all types, in the order in which they usually happen. The list is the same for all accounts.",
  status: 200,
  response: z.array(
    z
      .object({
        type: z.enum(EVENT_TYPES).openapi({ description: "The event's type.", example: "call.ended" }),
        schema: z.record(z.string(), z.unknown()).openapi({
          description: "The JSON Schema (2020-12) of a whole event of the type.",
          example: { type: "object" },
        }),
        example: z.record(z.string(), z.unknown()).openapi({
          description: "A whole event of the type.",
          example: { type: "call.ended" },
        }),
      })
      .openapi("EventType"),
  ),
});
