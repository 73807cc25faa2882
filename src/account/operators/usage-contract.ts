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
  description:
    "Sums over days; an account without use has no row. What happened is counted a minute later at the latest.",
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
      .openapi({ description: "A row for each account, by name." }),
    ...windowResponse,
  }),
  errors: { 400: WRONG_WINDOW },
});
