import { z } from "@hono/zod-openapi";
import { endpoint } from "../../../kernel/http/endpoint.ts";

export const speech = endpoint({
  access: "public",
  limit: "public",
  tag: "Widget",
  method: "get",
  path: "/api/v1/widget/speech/{ticket}",
  scope: [],
  operationId: "getWidgetSpeech",
  summary: "Get a part of the agent's answer as audio in its own voice",
  description:
    "The frame with the words contains the address (docs/widget-frames.md). It works twice within 60 seconds, " +
    "for the page of the session. Two parts of a conversation are spoken at a time.",
  params: z.object({
    ticket: z.string().openapi({
      description: "The ticket of the part, from the frame.",
      example: "WyJhY21lIiwiMGM4ZDVlM2YiXQ.c2lnbmF0dXJl",
    }),
  }),
  status: 200,
  stream: { "audio/mpeg": { schema: z.string().openapi({ format: "binary" }) } },
  errors: {
    403: "`ticket_refused` for a ticket that is invalid, expired or used up; the origin is not the session's; the account is closed",
    429: "`speech_limit`, `budget_reached` or `speech_busy`; or too many requests from this address",
    502: "`speech_failed`: the vendor sent no audio within two seconds; let the browser speak",
  },
});
