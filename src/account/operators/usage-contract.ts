import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { usageDay, usageSums } from "../../records/usage/usage-contract.ts";
import { DEFAULT_DAYS, MAX_DAYS } from "../../records/usage/usage-window.ts";

export const getAccountUsage = endpoint({
  method: "get",
  path: "/api/admin/v1/usage",
  access: "operator",
  tag: "Operator",
  scope: [],
  operationId: "getUsageByAccount",
  summary: "Get what each account used and what it cost",
  description:
    "Sums over days; an account without use has no row. What happened is counted a minute later at the latest.",
  query: z.object({
    from: usageDay.optional().openapi({
      description: `The first day (UTC) that is counted. Default: ${DEFAULT_DAYS} days before \`to\`.`,
      example: "2026-11-01",
    }),
    to: usageDay.optional().openapi({
      description: `The day (UTC) after the last that is counted, up to ${MAX_DAYS} days after \`from\`. Default: tomorrow.`,
      example: "2026-12-01",
    }),
  }),
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
    from: z.string().openapi({ description: "The first day that is counted (UTC).", example: "2026-11-01" }),
    to: z.string().openapi({ description: "The day after the last that is counted (UTC).", example: "2026-12-01" }),
  }),
  errors: { 400: `a window that ends before it starts or is longer than ${MAX_DAYS} days (\`too_long\`)` },
});
