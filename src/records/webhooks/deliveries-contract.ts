import { z } from "@hono/zod-openapi";
import { content } from "../../kernel/http/content.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, instant, timestamp } from "../../kernel/http/fields.ts";
import { paging } from "../../kernel/http/paging.ts";
import { EVENT_TYPES, isEventType } from "../events/types.ts";
import { webhookId as id, params, slice, unknown } from "./contract-slice.ts";
import { TEST_TYPE } from "./message.ts";

const attempt = z
  .object({
    at: timestamp.openapi({ description: "When it was sent (UTC)." }),
    status_code: z.number().int().nullable().openapi({
      description: "The status of your server's response; null if there was none.",
      example: 503,
    }),
    duration_ms: z.number().int().openapi({ description: "How long that took, in milliseconds.", example: 184 }),
    error: z.string().nullable().openapi({
      description: "Why it did not succeed, in a sentence; null if it did.",
      example: "answered 503",
    }),
    response: content(z.string(), {
      description: "The first 1 KB of the response's body; null if there was no response.",
      example: "try again later",
    }),
  })
  .openapi("WebhookAttempt");

const delivery = z
  .object({
    id: idOf("delivery", "The delivery's id."),
    event_id: idOf(
      "event",
      "The event's id, sent as `webhook-id`: the same with every attempt, and when it is resent.",
    ),
    type: z.string().openapi({
      description: "The event's type; `webhook.test` for a test.",
      example: "call.ended",
    }),
    status: z.enum(["pending", "delivered", "failed"]).openapi({
      description: "`pending` until it was delivered or all attempts failed.",
      example: "pending",
    }),
    created_at: createdAt,
    attempts: z.array(attempt).openapi({ description: "All attempts, oldest first; at most the last 50." }),
    next_attempt_at: timestamp.nullable().openapi({
      description: "When it is sent next (UTC); null if it is not.",
      example: "2026-11-21T09:35:00.000Z",
    }),
  })
  .openapi("WebhookDelivery");

export const testWebhook = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/webhooks/{id}/test",
  scope: ["connect"],
  operationId: "testWebhook",
  summary: "Send a test event and wait for your server's response",
  description:
    "Makes one attempt with an event of the type `webhook.test`, even if the webhook is disabled. The response " +
    "contains the result and takes 15 s at most. Two tests can run at a time.",
  params,
  status: 200,
  response: delivery,
  errors: Object.assign({ 429: "two tests of the webhook are in progress (`test_under_way`)" }, unknown),
});

const ofWebhook = z.object({ id, deliveryId: idOf("delivery", "The delivery's id.") });

export const listDeliveries = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/webhooks/{id}/deliveries",
  scope: ["read"],
  operationId: "listWebhookDeliveries",
  summary: "List past and pending deliveries, newest first, with every attempt",
  description: "Returns pending and failed deliveries of the last 30 days, and the last 10,000 successful ones.",
  params,
  query: z.object({
    status: z
      .enum(["pending", "delivered", "failed"])
      .optional()
      .openapi({ description: "Only deliveries with this status.", example: "failed" }),
    type: z
      .string()
      .refine(
        (type) => type === TEST_TYPE || isEventType(type),
        `has no such event type: there are ${EVENT_TYPES.join(", ")}, and ${TEST_TYPE}`,
      )
      .optional()
      .openapi({ description: "Only events of this type, or tests by `webhook.test`.", example: "call.ended" }),
    since: instant
      .optional()
      .openapi({ description: "Only deliveries made at this time or later (ISO 8601 with an offset)." }),
    after: z
      .string()
      .optional()
      .openapi({ description: "The `next` of the previous page.", example: `${EXAMPLE_IDS.delivery}.3f9cQ0c1` }),
    limit: paging().limit,
  }),
  status: 200,
  response: z.object({
    deliveries: z.array(delivery).openapi({ description: "The deliveries of this page." }),
    next: z.string().nullable().openapi({
      description: "The value to send as `after` for the next page; null at the end.",
      example: null,
    }),
  }),
  errors: unknown,
});

const notNow =
  "`webhook_disabled`: enable it first; `other_address`: the delivery was for an earlier address of the webhook";

export const resendDelivery = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/webhooks/{id}/deliveries/{deliveryId}/resend",
  scope: ["connect"],
  operationId: "resendWebhookDelivery",
  summary: "Send a delivery again, regardless of its status",
  description:
    "Sends the same event with the same id as soon as possible, with as many retries as for a new one. A pending " +
    "delivery is sent at once.",
  params: ofWebhook,
  status: 200,
  response: delivery,
  errors: { 404: "unknown webhook or delivery", 409: notNow },
});

export const resendFailed = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/webhooks/{id}/resend",
  scope: ["connect"],
  operationId: "resendFailedWebhookDeliveries",
  summary: "Resend all deliveries that failed since a time",
  description:
    "Resends deliveries that were created at that time or later and failed, to the webhook's current address. " +
    "One request resends the oldest 20,000; repeat it for more.",
  params,
  body: z.object({
    since: instant.openapi({ description: "The earliest time to include (ISO 8601 with an offset)." }),
  }),
  status: 200,
  response: z.object({
    deliveries: z.number().int().openapi({ description: "How many are sent again.", example: 12 }),
  }),
  errors: Object.assign({ 409: "`webhook_disabled`: enable it first" }, unknown),
});
