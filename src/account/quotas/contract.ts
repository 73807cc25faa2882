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
    "The quotas of the plan or the operator's overrides. A request that would exceed a quota is refused as a " +
    "whole with 403 `quota_exceeded`, or 429 for event streams and uploads, which end by themselves. A request " +
    "that does not increase the use is never refused, even if the use is above a lowered limit. Default items, " +
    "and disabled or deleted keys and credentials, do not count.",
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
