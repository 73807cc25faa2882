import { z } from "@hono/zod-openapi";
import { personNumber } from "../../kernel/http/content.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { e164, timestamp } from "../../kernel/http/fields.ts";
import { SCOPES } from "../../kernel/scopes.ts";

const slice = { access: "console", tag: "Confirmations", scope: ["read"] } as const;
const id = idOf("confirmation", "The confirmation's id, which its address ends in.");
const params = z.object({ id });

const effect = z
  .object({
    to_numbers: z
      .array(
        personNumber(e164, { description: "A phone number that would be called (E.164).", example: "+13035550110" }),
      )
      .openapi({ description: "The numbers that the action would call, at most ten; empty if it calls none or more." }),
    count: z.int().openapi({ description: "The number of people that the action would reach.", example: 1 }),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).openapi({
      description:
        "Further details, by name. Without the scope `listen` or `dial`, phone numbers show only their last four digits.",
      example: { agent: "Reception", from_number: "+12025550100" },
    }),
  })
  .openapi({ description: "The effect that the action would have, as far as it is known beforehand." });

const confirmation = z
  .object({
    id,
    tool: z.string().openapi({ description: "The tool that the assistant wants to use.", example: "place_call" }),
    scope: z.enum(SCOPES).openapi({ description: "The scope that approving it requires.", example: "dial" }),
    summary: z.string().openapi({
      description:
        "The effect of the action, in a sentence. Without the scope `listen` or `dial`, phone numbers show only " +
        "their last four digits.",
      example: "Call +13035550110 with the agent Reception",
    }),
    effect,
    key: z
      .object({
        id: idOf("apiKey", "The API key's id."),
        name: z.string().openapi({ description: "Its name when it asked.", example: "Office assistant" }),
      })
      .openapi({ description: "The API key that asks." }),
    status: z.enum(["pending", "approved", "declined", "taken", "expired"]).openapi({
      description:
        "`pending`: a person has to decide; `approved`: the action may be carried out once; `declined`: the action " +
        "may not be carried out; `taken`: the action was confirmed and carried out; `expired`: five minutes have " +
        "passed, or the key was revoked or limited.",
      example: "pending",
    }),
    expires_at: timestamp.openapi({ description: "The time until which it can be confirmed (UTC)." }),
  })
  .openapi("Confirmation");

const unknown = "the confirmation is unknown or more than an hour old";
const late =
  "it was carried out (`confirmation_taken`), declined (`confirmation_declined`) or has expired (`confirmation_expired`)";

export const getConfirmation = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/confirmations/{id}",
  operationId: "getConfirmation",
  summary: "Get an action that an API key asks to confirm",
  description:
    "Requires a console sign-in. If an assistant (MCP) uses an API key for an action that reaches people, the " +
    "action has to be confirmed, and a person has to approve it, here or in the assistant, unless the key is " +
    "`unattended`. The action is shown for an hour.",
  params,
  status: 200,
  response: confirmation,
  errors: { 404: unknown },
});

export const approveConfirmation = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/confirmations/{id}/approve",
  operationId: "approveConfirmation",
  summary: "Approve an action that an API key requested",
  description:
    "Requires a console sign-in with the scope that the confirmation names. The assistant may then do exactly " +
    "this, once, before the confirmation expires. An approval no longer counts if its author loses the " +
    "permission for the action.",
  params,
  status: 200,
  response: confirmation,
  errors: { 403: "you lack the scope that the confirmation names", 404: unknown, 409: late },
});

export const declineConfirmation = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/confirmations/{id}/decline",
  operationId: "declineConfirmation",
  summary: "Decline an action that an API key requested",
  description:
    "Requires a console sign-in with the scope that the confirmation names. The action can no longer be " +
    "confirmed. An approved action can be declined until it is carried out.",
  params,
  status: 200,
  response: confirmation,
  errors: { 403: "you lack the scope that the confirmation names", 404: unknown, 409: late },
});
