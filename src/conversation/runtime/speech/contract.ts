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
  summary: "Hear a part of what the agent says, in its own voice",
  description:
    "The address comes in the frame that carries the words (docs/widget-frames.md). It is good for 60 seconds and twice, for the " +
    "page whose session it is; two parts of a conversation are spoken at a time.",
  params: z.object({
    ticket: z.string().openapi({
      description: "The ticket of the part, as the frame has it.",
      example: "WyJhY21lIiwiMGM4ZDVlM2YiXQ.c2lnbmF0dXJl",
    }),
  }),
  status: 200,
  stream: { "audio/mpeg": { schema: z.string().openapi({ format: "binary" }) } },
  errors: {
    403: "`ticket_refused` for a ticket that is invalid, expired or used up; the origin is not the session's; the account is closed",
    429: "`speech_limit`, `budget_reached` or `speech_busy`; or too many requests from this address",
    502: "`speech_failed`: the voice's vendor sends no audio within two seconds. Let the browser speak",
  },
});
