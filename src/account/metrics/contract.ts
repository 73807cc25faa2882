import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";

const EXAMPLE = `# HELP switchboard_calls_total Calls of this day (UTC); begins anew at midnight.
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
    "For operators' Prometheus: text of the exposition format 0.0.4, over all accounts, from one database round trip. Show " +
    "the deployment's `METRICS_TOKEN` as a bearer token. Without that secret there are no metrics.",
  status: 200,
  stream: {
    "text/plain": { schema: z.string().openapi({ description: "Prometheus text, version 0.0.4.", example: EXAMPLE }) },
  },
  errors: { 401: "not the metrics token", 404: "the deployment has no metrics token" },
});
