import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";

/** The longest announcement, characters: it is spoken on every recorded call, and carriers take some 4,000 in all. */
export const MAX_ANNOUNCEMENT_CHARS = 500;

const announcement = z
  .string()
  .trim()
  .min(1, "must not be empty; null for no announcement")
  .max(MAX_ANNOUNCEMENT_CHARS)
  .refine((text) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text), "must not hold control characters or line breaks");

const callSettings = z
  .object({
    retention_days: z.number().int().min(1).max(3_650).nullable().openapi({
      description: "Days that conversations are kept after they began; null for good.",
      example: 90,
    }),
    record_outbound: z.boolean().openapi({
      description:
        "Whether calls that go out are recorded, where neither the call nor its campaign says so itself. Default: true.",
      example: true,
    }),
    record_inbound: z.boolean().openapi({
      description: "Whether calls that come in are recorded, from the answer on. Default: false.",
      example: false,
    }),
    recording_announcement: announcement.nullable().openapi({
      description:
        "What a recorded call begins with: the carrier speaks it before the agent says a word, as plain text of up to 500 characters. Null (the default) for nothing.",
      example: "This call is recorded.",
    }),
    ring_timeout_s: z.number().int().min(10).max(120).openapi({
      description: "Seconds that a phone we call may ring before the call counts as not answered. Default: 45.",
      example: 45,
    }),
    inbound_reserve: z.number().int().min(0).max(50).nullable().openapi({
      description:
        "How many slots of the account's cap of concurrent calls are never given to campaigns, so that inbound and single calls find one free; campaigns always keep one. Null (the default): one slot where the cap is 10 or more, else none.",
      example: 2,
    }),
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
    "Fields that are left out stay as they are. What is changed holds for calls that begin afterwards; campaigns that " +
    "run take it over within ten seconds, the reserve at once. A shorter retention deletes what is older within the " +
    "hour, for good.",
  body: callSettings.partial(),
  status: 200,
  response: callSettings,
});
