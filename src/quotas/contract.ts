import { z } from "@hono/zod-openapi";
import { PLANS, type Plan } from "../account-gate/plans.ts";
import { QUOTA_NAMES, type QuotaName } from "../account-gate/quotas.ts";
import { endpoint } from "../http/endpoint.ts";

const use = z.object({ limit: z.number().int(), used: z.number().int() });

export const getQuotas = endpoint({
  method: "get",
  path: "/api/v1/quotas",
  access: "account",
  tag: "Quotas",
  operationId: "getQuotas",
  summary: "How much the account may have, and what of it is used",
  description:
    "The quotas of the plan or the operator's overrides. What would go over one is refused whole, with 403 " +
    "`quota_exceeded` (event streams and uploads, which end by themselves: 429), and what shrinks or stays as large is " +
    "never refused. Items that come with the service count only once they are changed, and only as bytes; keys and " +
    "credentials that are disabled or deleted only as bytes, until they are erased. `configuration_bytes` is what is " +
    "stored of all that the account configures, every version of a prompt included.",
  status: 200,
  response: z
    .object({
      plan: z.enum(Object.keys(PLANS) as [Plan, ...Plan[]]),
      quotas: z.object(Object.fromEntries(QUOTA_NAMES.map((name) => [name, use])) as Record<QuotaName, typeof use>),
    })
    .openapi("Quotas"),
});
