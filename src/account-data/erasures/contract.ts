import { z } from "@hono/zod-openapi";
import { erasures } from "../../kernel/db/schema/index.ts";
import type { Counts } from "../../kernel/erasure/counts.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, timestamp } from "../../kernel/http/fields.ts";
import { pageOf, paging } from "../../kernel/http/paging.ts";
import { MOST_NUMBER_CHARS } from "../../kernel/numbers/written.ts";

const MAX_VISITOR_CHARS = 300;

const id = idOf("erasure", "The erasure's id.");
const count = (description: string, example: number) => z.number().int().openapi({ description, example });

const counts = z
  .object({
    calls: count("Calls whose number and variables were masked; the calls themselves stay.", 3),
    conversations: count("Conversations deleted with their transcripts.", 2),
    recordings: count("Recordings deleted here.", 2),
    carrier_recordings: count("Recordings deleted at the carriers.", 2),
    carrier_recordings_kept: count(
      "Recordings that a carrier still has: it refuses to delete them, or its credentials were deleted here. Delete them there.",
      0,
    ),
    tool_runs: count("Tool runs of the deleted conversations, deleted with them.", 1),
    contacts: count("Contacts of campaigns whose number and variables were masked.", 1),
    contact_attempts: count("Attempts to call these contacts.", 2),
    history_entries: count("Entries of campaign histories that were changed or got a new hash.", 7),
    import_rows: count("Rows of uploaded files that were skipped, or came twice.", 0),
    opt_outs: count("Entries of the do-not-call list. The number is still refused, but no longer listed.", 1),
    mentions: count("Rows about others in which the number was masked: variables, reasons, notes.", 1),
    events: count("Events in which the number was masked.", 6),
    audit_entries: count("Entries of the audit log in which the number was masked. The actor and the action stay.", 0),
    other_records: count(
      "Other rows: responses stored for idempotency keys, limits counted by caller or visitor, calls of the " +
        "sandbox.",
      2,
    ),
  } satisfies Record<keyof Counts, z.ZodType>)
  .openapi({ description: "How much was erased so far, by kind." });

const kept = z.object({
  what: z.enum(["database", "objects"]).openapi({
    description:
      "`database`: the shared database, which its operator can restore to any minute of the last 30 days. `objects`: the " +
      "accounts' own stores, which can be restored likewise.",
    example: "database",
  }),
  days: count("The number of days for which erased data can be restored from there.", 30),
  until: timestamp.nullable().openapi({
    description: "When that ends (UTC); null while the erasure is pending.",
    example: "2026-12-21T09:30:04.120Z",
  }),
});

const erasure = z
  .object({
    id,
    status: z.enum(erasures.status.enumValues).openapi({
      description: "`pending` until a full search finds nothing more, then `complete`.",
      example: "complete",
    }),
    subject: z.enum(erasures.subject.enumValues).openapi({
      description: "The kind of value that identified the person. The value itself is not stored.",
      example: "phone_number",
    }),
    hint: z.string().nullable().openapi({
      description: "The last two digits of the number; null if it was not a number.",
      example: "…43",
    }),
    counts,
    kept_by_restore: z.array(kept).openapi({
      description:
        "The data that a point-in-time restore could still bring back, and for how long. Without a restore, nobody " +
        "can read it.",
    }),
    created_at: createdAt,
    completed_at: timestamp.nullable().openapi({
      description: "When it was complete (UTC); null while it is pending.",
      example: "2026-11-21T09:30:04.120Z",
    }),
  })
  .openapi("Erasure");

const slice = { access: "account", tag: "Privacy" } as const;

export const createErasure = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/erasures",
  operationId: "createErasure",
  scope: ["manage"],
  summary: "Erase a person",
  description:
    "Erases a person everywhere in the account, for good: conversations with transcripts and recordings, at the " +
    "carriers too; the number and variables of calls, contacts and all other mentions of the number. Live calls " +
    "are hung up first. Statistics and usage stay, because they contain no person. A number on the do-not-call " +
    "list is still refused. Identify the person by exactly one field. With a `conversation_id`, only that " +
    "conversation and its call are erased. If nothing is stored about the person, the receipt contains zeros. An " +
    "erasure takes seconds to hours: read the receipt until its `status` is `complete`.",
  body: z
    .object({
      phone_number: z
        .string()
        .max(MOST_NUMBER_CHARS)
        .optional()
        .openapi({
          description:
            "The number that called or was called, with its country code, in any notation; or as a carrier reported it, " +
            "if that is not a valid number.",
          example: "+12025550143",
        }),
      visitor_id: z.string().min(1, "must not be empty").max(MAX_VISITOR_CHARS).optional().openapi({
        description:
          "The id of the widget's visitor, as conversations show it. For a user, this is the id that your server sent.",
        example: EXAMPLE_IDS.visitor,
      }),
      conversation_id: idOf("conversation", "Erases only this conversation, with its call.").optional(),
    })
    .refine((body) => Object.values(body).filter((value) => value !== undefined).length === 1, {
      error: "must have exactly one of phone_number, visitor_id and conversation_id",
    })
    .openapi({ example: { phone_number: "+12025550143" } }),
  status: 202,
  response: erasure,
  errors: { 429: "`erasures_pending`: twenty erasures are pending; try again once one is complete" },
});

export const listErasures = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/erasures",
  operationId: "listErasures",
  scope: ["read"],
  summary: "List erasures, newest first",
  description: "The receipts of all erasures of the account.",
  query: z.object(paging()),
  status: 200,
  response: pageOf("erasures", erasure),
});

export const getErasure = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/erasures/{id}",
  operationId: "getErasure",
  scope: ["read"],
  summary: "Get the receipt of an erasure",
  description: "Returns the progress and how much was erased, without naming the person.",
  params: z.object({ id }),
  status: 200,
  response: erasure,
  errors: { 404: "unknown erasure" },
});
