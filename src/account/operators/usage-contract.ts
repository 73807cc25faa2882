import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { usageSums, WRONG_WINDOW, windowQuery, windowResponse } from "../../records/usage/contract.ts";

export const getAccountUsage = endpoint({
  method: "get",
  path: "/api/admin/v1/usage",
  access: "operator",
  tag: "Operator",
  scope: [],
  operatorScopes: ["metrics"],
  operationId: "getUsageByAccount",
  summary: "Get each account's usage and cost",
  description: "Returns sums over days; accounts without use have no row. The sums are at most a minute old.",
  query: z.object(windowQuery),
  status: 200,
  response: z.object({
    usage: z
      .array(
        z
          .object({
            account: z.string().openapi({ description: "The account's name.", example: "acme" }),
            ...usageSums,
          })
          .openapi("AccountUsage"),
      )
      .openapi({ description: "One row for each account, ordered by name." }),
    ...windowResponse,
  }),
  errors: { 400: WRONG_WINDOW },
});
