import { z } from "@hono/zod-openapi";
import { accountName, accountParams, operator } from "../../account/operators/contract.ts";
import { code } from "../../account/second-factor/contract.ts";
import { DELETION_STATUSES } from "../../kernel/db/schema/index.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS } from "../../kernel/http/example-ids.ts";
import { timestamp } from "../../kernel/http/fields.ts";
import { STEP_NAMES } from "./steps/index.ts";

/** How long a deletion can be canceled, days. */
export const WAITING_DAYS = 7;

const count = (description: string, example: number) => z.number().int().openapi({ description, example });

const accountDeletion = z
  .object({
    account: accountName,
    status: z.enum(DELETION_STATUSES).openapi({
      description:
        "`scheduled` until it begins, and `cancelled` if it was cancelled before; then `running`, and `complete` " +
        "once everything is deleted.",
      example: "scheduled",
    }),
    requested_at: timestamp.openapi({
      description: "When it was requested (UTC).",
      example: "2026-11-21T09:30:00.000Z",
    }),
    begins_at: timestamp.openapi({
      description: "When it begins (UTC), or up to ten minutes later. It can be canceled until it begins.",
      example: "2026-11-28T09:30:00.000Z",
    }),
    begun_at: timestamp.nullable().openapi({
      description: "When it began (UTC); null if it has not.",
      example: null,
    }),
    completed_at: timestamp.nullable().openapi({
      description: "When the deletion was complete (UTC); null until then.",
      example: null,
    }),
    step: z
      .enum(STEP_NAMES)
      .nullable()
      .openapi({
        description:
          "The current step; null unless it is `running`: `live` ends calls and campaigns, `objects`, `files` and " +
          "`rows` delete, `settle` waits a quarter of an hour for requests in progress to end, and `last_objects` and " +
          "`last_files` search again.",
        example: null,
      }),
    held_by: z
      .array(
        z.object({
          step: z.enum(STEP_NAMES).nullable().openapi({ description: "The step that fails.", example: "objects" }),
          object: z
            .string()
            .nullable()
            .openapi({
              description: "The Durable Object that fails, by its binding and name; null if the step itself fails.",
              example: `CAMPAIGN acme/${EXAMPLE_IDS.campaign}`,
            }),
          since: timestamp.openapi({ description: "When it first failed (UTC).", example: "2026-11-28T10:02:00.000Z" }),
        }),
      )
      .openapi({
        description:
          "The failures that delay it, at most 100; empty if there are none. A failing object is retried every minute, " +
          "and every hour after an hour. From then on, the deletion continues with everything else, and is `complete` " +
          "once that object is empty too.",
      }),
    deleted: z
      .object({
        objects: count("Durable Objects emptied.", 31),
        files: count("Files deleted: recordings, and transcripts with their analyses.", 5120),
        rows: count("Rows of the shared database deleted.", 2044),
      })
      .openapi({ description: "How much was deleted so far." }),
  })
  .openapi("AccountDeletion");

export const deleteAccount = endpoint({
  ...operator,
  method: "delete",
  path: "/api/admin/v1/accounts/{account}",
  scope: [],
  operationId: "deleteAccount",
  summary: "Delete an account for good",
  description:
    `Deletes everything in the account ${WAITING_DAYS} days later: its configuration, members and keys, calls, ` +
    "campaigns, conversations, recordings and logs. Until then, the account stays closed, and you can cancel the " +
    "deletion with cancelAccountDeletion. The account must be disabled, and its name is never used again. " +
    "Operators' own audit log keeps what operators did, without the names of members. Repeating the request " +
    "changes nothing. Take a backup before, if you need one.",
  params: accountParams,
  body: z.object({
    confirm: z.string().openapi({
      description: "The account's name, to confirm which one is meant.",
      example: "acme",
    }),
    code: code.optional().openapi({
      description: "A code of your second factor; required if you have one.",
    }),
    immediately: z
      .boolean()
      .default(false)
      .openapi({
        description:
          "Whether to begin at once. Only for an account that came from a backup and was never opened, such as an " +
          "interrupted restore.",
        example: false,
      }),
  }),
  status: 202,
  response: accountDeletion,
  errors: {
    400: "`confirm` is not the account's name (`wrong_confirmation`)",
    403: "the code is wrong or was already used (`wrong_code`), or missing (`second_factor_required`)",
    404: "unknown account",
    409:
      "the account is open and has to be disabled first (`account_open`), or it was opened before and cannot be " +
      "deleted `immediately` (`was_open`)",
    429: "too many wrong codes: try again after Retry-After",
    503: "encryption is not available",
  },
});

export const getAccountDeletion = endpoint({
  ...operator,
  method: "get",
  path: "/api/admin/v1/accounts/{account}/deletion",
  scope: [],
  operationId: "getAccountDeletion",
  summary: "Get the progress of an account's deletion",
  description: "The latest deletion of the account, even after the account is gone.",
  params: accountParams,
  status: 200,
  response: accountDeletion,
  errors: { 404: "no deletion of the account was ever requested" },
});

export const cancelAccountDeletion = endpoint({
  ...operator,
  method: "post",
  path: "/api/admin/v1/accounts/{account}/deletion/cancel",
  scope: [],
  operationId: "cancelAccountDeletion",
  summary: "Cancel the deletion of an account",
  description: "You can cancel a deletion until it begins. The account stays disabled; open it with updateAccount.",
  params: accountParams,
  status: 200,
  response: accountDeletion,
  errors: {
    404: "no deletion of the account was ever requested",
    409: "the deletion has begun (`deletion_begun`)",
  },
});
