import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";

const EXAMPLE = `# HELP switchboard_calls_total Calls today (UTC); reset at midnight.
# TYPE switchboard_calls_total counter
switchboard_calls_total 1204
`;

export const getMetrics = endpoint({
  method: "get",
  path: "/metrics",
  access: "public",
  limit: "public",
  tag: "Operator",
  scope: [],
  operationId: "getMetrics",
  summary: "Get the deployment's metrics",
  description:
    "For the operators' Prometheus: text in the exposition format 0.0.4, about all accounts, from one database " +
    "round trip. Send an operator token with the scope `metrics`, or the deployment's `METRICS_TOKEN`, as bearer " +
    "token. Without that secret, only operator tokens are accepted.",
  status: 200,
  stream: {
    "text/plain": { schema: z.string().openapi({ description: "Prometheus text, version 0.0.4.", example: EXAMPLE }) },
  },
  errors: {
    401: "neither the metrics token nor a valid operator token",
    403: "an operator token without the scope `metrics`, or from another address",
    404: "the deployment has no metrics token",
  },
});
