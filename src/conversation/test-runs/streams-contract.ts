import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { eventStream, lastEventId } from "../../kernel/http/event-stream.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { timestamp } from "../../kernel/http/fields.ts";
import { secretText } from "../../kernel/http/secret-fields.ts";
import { TEST_RUN_EVENTS } from "./contract.ts";

const slice = { access: "account", tag: "Agent tests" } as const;
const params = z.object({ id: idOf("testRun", "The run, by its id from listTestRuns.") });
const unknown = { 404: "unknown test run" };
const streaming = {
  status: 200,
  stream: eventStream("TestRunEvent", TEST_RUN_EVENTS),
  others: { 204: { description: "The run has ended, and the client has received all of it." } },
} as const;
const TOO_MANY_STREAMS = "too many open streams";

export const streamTestRun = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/test-runs/{id}/events",
  scope: ["listen"],
  ofAgents: "handler",
  operationId: "streamTestRun",
  summary: "Watch a test run live",
  description:
    "Server-sent events: a `snapshot` of the run, then `test.started` and `test.finished` for each conversation, " +
    "and `run.ended`, with which the stream ends. With Last-Event-ID, the stream continues after that event; if " +
    "everything was sent, the response is 204. Counts towards the quota of open streams. A browser's EventSource " +
    "sends no Authorization header, so use the address of a ticket.",
  params,
  headers: lastEventId,
  ...streaming,
  errors: { ...unknown, 429: TOO_MANY_STREAMS },
});

export const createTicket = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/test-runs/{id}/events/ticket",
  scope: ["listen"],
  ofAgents: "handler",
  operationId: "createTestRunEventsTicket",
  summary: "Get an address for a browser's EventSource, valid for 60 s to connect",
  description:
    "Request the ticket on your server, and pass the address to the page. It opens the events of this run and " +
    "nothing else, any number of times within 60 s. An open stream continues after that, and ends when you lose " +
    "access: when the key is revoked, the session ends, or the account is disabled. An EventSource that " +
    "reconnects after 60 s gets a 403 and closes (`readyState` is CLOSED). Then request a new ticket, and add " +
    "`&last_event_id=` with the last id that you have, so that you miss no events.",
  params,
  status: 200,
  response: z.object({
    url: secretText({
      description:
        "The address for the page. Keep it out of logs, because anyone who has it can watch. You can add " +
        "`&last_event_id=`.",
      example: `https://api.example.com/api/test-runs/${EXAMPLE_IDS.testRun}/events?ticket=eyJ...`,
    }),
    expires_at: timestamp.openapi({ description: "The time until which a client can connect (UTC), 60 s from now." }),
  }),
  errors: unknown,
});

export const streamByTicket = endpoint({
  access: "public",
  limit: "public",
  tag: slice.tag,
  method: "get",
  path: "/api/test-runs/{id}/events",
  scope: [],
  operationId: "streamTestRunByTicket",
  summary: "Watch a test run live from a page of any origin, with a ticket",
  description:
    "The same stream as under /api/v1, for a browser's EventSource. The address comes from POST " +
    "/api/v1/test-runs/{id}/events/ticket. Every answer carries CORS headers for any origin, without credentials. An " +
    "error ends an EventSource permanently; it does not reconnect by itself.",
  params,
  query: z.object({
    ticket: z.string().openapi({
      description: "The ticket in the address that createTestRunEventsTicket returned; valid for 60 s.",
      example: "eyJ...",
    }),
    last_event_id: z.string().optional().openapi({
      description: "The same as the header Last-Event-ID, for a new EventSource. If both are sent, the header counts.",
      example: "4",
    }),
  }),
  headers: lastEventId,
  ...streaming,
  errors: {
    ...unknown,
    401: "the session that requested the ticket has ended, or its key has expired",
    403: "the ticket is missing, expired or for another stream, its key was revoked, or the account is disabled",
    429: `too many requests of this address, or ${TOO_MANY_STREAMS}`,
  },
});
