import { z } from "@hono/zod-openapi";
import { PLANS, type Plan } from "../account-gate/plans.ts";
import { endpoint } from "../http/endpoint.ts";
import { timestamp } from "../http/fields.ts";

const use = z.object({ limit: z.number().int(), used: z.number().int() });
const renewing = use.extend({ resets_at: timestamp });

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
      plan: z.enum(Object.keys(PLANS) as [Plan, ...Plan[]]),
      concurrent_calls: use,
      calls_per_minute: renewing,
      calls_per_day: renewing,
    })
    .openapi("CallLimits"),
});
