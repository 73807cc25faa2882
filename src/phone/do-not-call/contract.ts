import { z } from "@hono/zod-openapi";
import { columns, personNumber } from "../../kernel/http/content.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { enteredNumber, numberInQuery, timestamp } from "../../kernel/http/fields.ts";
import { pageOf, paging } from "../../kernel/http/paging.ts";

/** The most numbers that one request may put on the list. */
export const AT_ONCE = 10_000;

const reason = columns(z.string(), {
  description: "Why it is on the list, as given when it was added; null if no reason was given.",
  example: "asked on the phone not to be called",
});
const entry = z
  .object({
    phone_number: personNumber(z.string(), {
      description: "The number that must not be called (E.164).",
      example: "+12025550143",
    }),
    reason,
    conversation_id: idOf(
      "conversation",
      "The conversation in which the person opted out; null if the number was added by a request.",
    ).nullable(),
    created_at: timestamp.openapi({ description: "When the number was added (UTC)." }),
  })
  .openapi("DoNotCallEntry");

const slice = { access: "account", tag: "Do not call" } as const;

export const listDoNotCall = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/do-not-call",
  scope: ["read"],
  operationId: "listDoNotCall",
  summary: "List the numbers that are never called, newest first",
  description:
    "Returns the account's list. Every call is checked against it right before it is placed. The number of an " +
    "erased person who had opted out is no longer listed, but still refused.",
  query: z.object(paging()).extend({
    phone_number: numberInQuery.optional().openapi({
      description: "Only this number, in any notation; requires the scope `listen` or `dial`.",
      example: "+12025550143",
    }),
  }),
  status: 200,
  response: pageOf("numbers", entry),
});

export const addDoNotCall = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/do-not-call",
  scope: ["dial"],
  operationId: "addDoNotCall",
  summary: "Add numbers to the do-not-call list",
  description: "From now on, calls to these numbers are refused. Numbers that are already on the list don't change.",
  body: z.object({
    numbers: z
      .array(enteredNumber)
      .min(1)
      .max(AT_ONCE)
      .openapi({
        description:
          "Numbers with their country code, up to 10,000 at once; stored as E.164, each once. Numbers that are already " +
          "on the list don't change.",
        example: ["+12025550143", "+12025550177"],
      }),
    reason: z.string().trim().max(500).optional().openapi({
      description: "The reason, up to 500 characters; stored with each number. Default: none.",
      example: "asked on the phone not to be called",
    }),
  }),
  status: 201,
  response: z.object({
    added: z.number().int().openapi({ description: "The number of those that were not on the list yet.", example: 2 }),
  }),
});

export const removeDoNotCall = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/do-not-call/{e164}",
  scope: ["dial"],
  operationId: "removeDoNotCall",
  summary: "Remove a number from the do-not-call list",
  description:
    "The number can be called again from now on, even if its opt-out was kept after the erasure of the person. " +
    "In the path the plus may be written `%2B`.",
  params: z.object({
    e164: z.string().openapi({
      description: "The number with its country code in any notation, or as it is listed.",
      example: "+12025550143",
    }),
  }),
  status: 204,
  errors: { 400: "`invalid_number`: not a valid number, and not on the list", 404: "the number is not on the list" },
});
