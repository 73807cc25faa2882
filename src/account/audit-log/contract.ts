import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { instant, timestamp } from "../../kernel/http/fields.ts";
import { cursorPageOf, cursorPaging, pageOf, paging } from "../../kernel/http/paging.ts";
import { ACCOUNT_NAME } from "../../kernel/secrets/api-key.ts";

const changes = z
  .record(
    z.string(),
    z
      .object({
        from: z.unknown().openapi({ description: "What it was before.", example: false }),
        to: z.unknown().openapi({ description: "What it is now.", example: true }),
      })
      .nullable(),
  )
  .nullable()
  .openapi({
    description:
      "The fields that changed, by name; null if the entry names none. `plan`, `caps`, `quotas`, `status`, `role`, " +
      "`disabled`, `unattended` and `versioning` have the old and the new value, and a removed member the API keys that were disabled with them. All other fields have only their name. Secrets, prompts and phone numbers are never included.",
    example: { name: null, disabled: { from: false, to: true } },
  });

const entry = z
  .object({
    id: idOf("entry", "The entry's id; ids grow with time."),
    at: timestamp.openapi({ description: "When it was done (UTC)." }),
    actor: z.string().openapi({
      description: "Who did it: `api_key:<id>`, `console:<user id>`, `operator_token:<id>`, or a part of the platform.",
      example: `console:${EXAMPLE_IDS.user}`,
    }),
    actor_name: z.string().nullable().openapi({
      description:
        "The actor's name at the time: the API key's name, or the user's name or email address; null for others.",
      example: "Ada Lovelace",
    }),
    action: z.string().openapi({
      description: "The action: `create`, `update`, `delete`, or a specific action such as `activate_prompt`.",
      example: "update",
    }),
    resource: z.string().openapi({ description: "The kind of resource that was changed.", example: "api_key" }),
    resource_id: z.string().openapi({
      description:
        "The resource's id, or its name or number if it has no id. Without the scope `listen` or `dial` only the " +
        "last four digits of a number on the do-not-call list are shown.",
      example: EXAMPLE_IDS.apiKey,
    }),
    resource_name: z
      .string()
      .nullable()
      .openapi({
        description:
          "The resource's name at the time, even if it was deleted since; for a phone number, the last two digits. " +
          "Null for resources without a name.",
        example: "Shop backend",
      }),
    request_id: z.string().openapi({
      description: "The `x-request-id` of the request that did it.",
      example: EXAMPLE_IDS.request,
    }),
    changes,
  })
  .openapi("AuditEntry");

const operatorEntry = entry
  .extend({
    account: z.string().nullable().openapi({
      description: "The account it concerns; null if it concerns all accounts, or only the operators.",
      example: "acme",
    }),
  })
  .openapi("OperatorAuditEntry");

const word = z.string().min(1, "must not be empty").max(300);
const filters = {
  action: word.optional().openapi({ description: "Only entries of this action.", example: "update" }),
  resource: word.optional().openapi({ description: "Only entries about this kind of thing.", example: "agent" }),
  actor: word.optional().openapi({
    description: "Only entries by this actor, written as in the entries.",
    example: `api_key:${EXAMPLE_IDS.apiKey}`,
  }),
  since: instant.optional().openapi({ description: "Only actions at this time or later (ISO 8601 with an offset)." }),
  until: instant.optional().openapi({ description: "Only actions before this time (ISO 8601 with an offset)." }),
};
/** The filters of entries. An omitted filter matches every entry. */
export type AuditFilters = { [K in keyof typeof filters]?: string | undefined };

const slice = { method: "get", status: 200 } as const;

export const listAuditLog = endpoint({
  ...slice,
  path: "/api/v1/audit-log",
  access: "account",
  tag: "Audit log",
  scope: ["manage"],
  operationId: "listAuditEntries",
  summary: "List changes and their authors, newest first",
  description:
    "Lists each change of the account's configuration, with its author and the id of its request. It also lists " +
    "disclosures: a campaign's downloads (`export`, `export_history`, `export_rejects`, `export_duplicates`), " +
    "lists of calls and conversations (`export_calls`, `export_conversations`), addresses of recordings " +
    "(`create_url`), backups of the whole account by an operator (`backup`), visitor tokens, whose `resource_id` " +
    "is your user's id, and sessions to try an agent (`agent_session`, whose `resource_id` is the agent's id). " +
    "The entry is written before anything is disclosed.",
  query: z.object({ ...filters, ...cursorPaging() }),
  response: cursorPageOf("entries", entry),
});

export const listOperatorAuditLog = endpoint({
  ...slice,
  path: "/api/admin/v1/audit-log",
  access: "operator",
  tag: "Operator",
  scope: [],
  operationId: "listOperatorAuditEntries",
  summary: "List the actions of operators, newest first",
  description:
    "Accounts and users created, changed and removed, and accounts backed up, which also appear in the log of " +
    "the account concerned; operator tokens created and revoked; and re-encryptions, with counts in `changes` " +
    "when complete and without counts if interrupted.",
  query: z.object({
    account: z
      .string()
      .regex(ACCOUNT_NAME, "must be an account name")
      .optional()
      .openapi({ description: "Only entries about this account.", example: "acme" }),
    ...filters,
    ...paging(),
  }),
  response: pageOf("entries", operatorEntry),
});
