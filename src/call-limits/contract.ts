import { z } from "@hono/zod-openapi";
import { PLANS, type Plan } from "../account-gate/plans.ts";
import { endpoint } from "../http/endpoint.ts";
import { timestamp } from "../http/fields.ts";

const limit = z
  .number()
  .int()
  .openapi({ description: "The most there may be: the plan's cap, or what the operator set instead.", example: 200 });
const used = z.number().int();
const resets_at = timestamp;

export const getCallLimits = endpoint({
  method: "get",
  path: "/api/v1/call-limits",
  access: "account",
  tag: "Call limits",
  operationId: "getCallLimits",
  summary: "The account's call caps, and what of them is used",
  description: "The caps of the plan or the operator's overrides. The minute slides, the day is the UTC one.",
  status: 200,
  response: z
    .object({
      plan: z.enum(Object.keys(PLANS) as [Plan, ...Plan[]]).openapi({
        description: "The plan that the caps are of, where no operator has set others.",
        example: "scale",
      }),
      concurrent_calls: z
        .object({
          limit,
          used: used.openapi({ description: "Calls that run now, single, inbound and of campaigns.", example: 12 }),
        })
        .openapi({
          description: "Calls at the same time, single, inbound and of campaigns.",
          example: { limit: 200, used: 12 },
        }),
      inbound_reserve: z.number().int().openapi({
        description:
          "How many of the concurrent calls campaigns are never given, by `inbound_reserve` of the call settings or its default. Single and inbound calls may use all.",
        example: 1,
      }),
      calls_per_minute: z
        .object({
          limit,
          used: used.openapi({ description: "Calls begun within the last 60 seconds.", example: 40 }),
          resets_at: resets_at.openapi({
            description: "When the oldest of these counts no more, so that one more may begin (UTC).",
          }),
        })
        .openapi({
          description: "Calls begun within any 60 seconds.",
          example: { limit: 1_000, used: 40, resets_at: "2026-11-21T09:30:12.000Z" },
        }),
      calls_per_day: z
        .object({
          limit,
          used: used.openapi({ description: "Calls begun since the last midnight (UTC).", example: 350 }),
          resets_at: resets_at.openapi({ description: "The next midnight (UTC), when the count begins anew." }),
        })
        .openapi({
          description: "Calls begun within a UTC day.",
          example: { limit: 100_000, used: 350, resets_at: "2026-11-22T00:00:00.000Z" },
        }),
    })
    .openapi("CallLimits"),
});
