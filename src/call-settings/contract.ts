import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";

const callSettings = z
  .object({
    retention_days: z
      .number()
      .int()
      .min(1)
      .max(3_650)
      .nullable()
      .openapi({ description: "Days that conversations are kept after they began; null for good." }),
  })
  .openapi("CallSettings");

const slice = { access: "account", tag: "Call settings", path: "/api/v1/call-settings" } as const;

export const getCallSettings = endpoint({
  ...slice,
  method: "get",
  operationId: "getCallSettings",
  summary: "How the account's calls and conversations are held and kept",
  description: "What the account has not set is as by default.",
  status: 200,
  response: callSettings,
});

export const updateCallSettings = endpoint({
  ...slice,
  method: "patch",
  operationId: "updateCallSettings",
  summary: "Change how calls and conversations are held and kept",
  description:
    "Fields that are left out stay as they are. A shorter retention deletes what is older within the hour, for good.",
  body: callSettings.partial(),
  status: 200,
  response: callSettings,
});
