import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { named } from "../../kernel/http/named-schemas.ts";
import { PLANS, type Plan } from "../../phone/call-limits/plans.ts";
import { eachQuota, QUOTA_MEANINGS } from "../plan/quotas.ts";

const use = named(
  "QuotaUse",
  "A quota and its current use.",
  z.object({
    limit: z.number().int().openapi({
      description: "The limit in force: the plan's, or the operator's override.",
      example: 100,
    }),
    used: z.number().int().openapi({ description: "How many there are now.", example: 12 }),
  }),
);

export const getQuotas = endpoint({
  method: "get",
  path: "/api/v1/quotas",
  access: "account",
  tag: "Quotas",
  scope: ["read"],
  operationId: "getQuotas",
  summary: "Get the account's quotas and their current use",
  description:
    "The quotas of the plan or the operator's overrides. What would go over one is refused whole, with 403 " +
    "`quota_exceeded` (event streams and uploads, which end by themselves: 429); what leaves no more than there was is " +
    "never refused, also where a limit was lowered below that. Items that come with the service do not count, nor do " +
    "keys and credentials that are disabled or deleted.",
  status: 200,
  response: z
    .object({
      plan: z
        .enum(Object.keys(PLANS) as [Plan, ...Plan[]])
        .openapi({ description: "The plan that the limits come from." }),
      quotas: z
        .object(eachQuota((name) => use.openapi({ description: QUOTA_MEANINGS[name] })))
        .openapi({ description: "Each of the quotas, by name." }),
    })
    .openapi("Quotas"),
});
