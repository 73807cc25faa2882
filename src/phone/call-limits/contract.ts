import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { timestamp } from "../../kernel/http/fields.ts";
import { PLANS, type Plan } from "./plans.ts";

const limit = z
  .number()
  .int()
  .openapi({ description: "The cap in force: the plan's, or the operator's override.", example: 200 });
const used = z.number().int();
const resets_at = timestamp;

export const getCallLimits = endpoint({
  method: "get",
  path: "/api/v1/call-limits",
  access: "account",
  tag: "Call limits",
  scope: ["read"],
  operationId: "getCallLimits",
  summary: "Get the account's call caps and their current use",
  description:
    "The caps of the plan or the operator's overrides. The minute is a sliding window; the day is the UTC day.",
  status: 200,
  response: z
    .object({
      plan: z.enum(Object.keys(PLANS) as [Plan, ...Plan[]]).openapi({
        description: "The plan that sets the caps unless an operator has overridden them.",
        example: "scale",
      }),
      concurrent_calls: z
        .object({
          limit,
          used: used.openapi({ description: "Calls in progress: single, inbound and campaign calls.", example: 12 }),
        })
        .openapi({
          description: "Concurrent calls: single, inbound and campaign calls.",
          example: { limit: 200, used: 12 },
        }),
      inbound_reserve: z.number().int().openapi({
        description:
          "How many of the concurrent calls are withheld from campaigns, by `inbound_reserve` of the call settings or its default. Single and inbound calls may use all of them.",
        example: 1,
      }),
      calls_per_minute: z
        .object({
          limit,
          used: used.openapi({ description: "Calls started within the last 60 seconds.", example: 40 }),
          resets_at: resets_at.openapi({
            description: "When the oldest of these stops counting, so that one more may start (UTC).",
          }),
        })
        .openapi({
          description: "Calls started within any 60 seconds.",
          example: { limit: 1_000, used: 40, resets_at: "2026-11-21T09:30:12.000Z" },
        }),
      calls_per_day: z
        .object({
          limit,
          used: used.openapi({ description: "Calls started since the last midnight (UTC).", example: 350 }),
          resets_at: resets_at.openapi({ description: "The next midnight (UTC), when the count starts again." }),
        })
        .openapi({
          description: "Calls started within a UTC day.",
          example: { limit: 100_000, used: 350, resets_at: "2026-11-22T00:00:00.000Z" },
        }),
    })
    .openapi("CallLimits"),
});
