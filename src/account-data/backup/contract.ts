import { z } from "@hono/zod-openapi";
import { displayName } from "../../account/account-names.ts";
import { accountParams, operator } from "../../account/operators/contract.ts";
import { RECORDINGS_STAY_DAYS } from "../../kernel/db/schema/index.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { e164, timezone } from "../../kernel/http/fields.ts";
import { named } from "../../kernel/http/named-schemas.ts";
import { ROLES } from "../../kernel/scopes.ts";
import { ACCOUNT_NAME } from "../../kernel/secrets/api-key.ts";
import { ONE } from "../../kernel/stores/stores.ts";
import { PLAN_NAMES } from "../../phone/call-limits/plans.ts";
import { COPIED_BUCKETS, COPIED_OBJECTS, ORDER } from "./walk.ts";

/** The limit exists because a volume has gigabytes, and every list of the account reads all volumes. */
const MOST_VOLUMES = 1_000;

/** The limits of a page. A page of `PAGE_BYTES` has about 40,000 cells at most. */
const MOST_TABLES = 100;
const MOST_COLUMNS = 200;
const MOST_ROWS = 50_000;

const cell = z.union([z.string(), z.number(), z.null()]);
const tableRows = named(
  "BackedUpRows",
  "Rows of a table, as they are stored.",
  z.object({
    table: z.string().openapi({ description: "The table's name.", example: "faqs" }),
    columns: z
      .array(z.string())
      .max(MOST_COLUMNS)
      .openapi({ description: "Its columns, in the order of the cells.", example: ["id"] }),
    rows: z
      .array(z.array(cell).max(MOST_COLUMNS))
      .max(MOST_ROWS)
      .openapi({ description: "Each row as its cells.", example: [[EXAMPLE_IDS.faq]] }),
  }),
);
const tables = z
  .array(tableRows)
  .max(MOST_TABLES)
  .openapi({ description: "Rows, by table. Secrets in them are sealed under `key`." });
/** The names of the stores that exist once per account, and of those that exist many times. */
const [SINGLE, MANY] = [true, false].map((isSingle) =>
  ORDER.filter((name) => isSingle === ((COPIED_OBJECTS.get(name)?.listing ?? ONE) === ONE)),
) as [string[], string[]];
const store = z
  .string()
  .regex(new RegExp(`^(${SINGLE.join("|")}|(${MANY.join("|")})\\/[0-9a-z-]{1,40})$`))
  .openapi({
    description:
      "What a page is of: `d1`, `ledger/<day>`, `events`, `meter`, `campaign/<id>`, `test_run/<id>`, `recordings` or `conversations`.",
    example: "d1",
  });
const steps = z.number().int().min(0).openapi({ description: "The version of the store's schema.", example: 18 });
const last = z.boolean().openapi({ description: "Whether this was the last page of the store.", example: true });
const key = z.base64().length(44).openapi({
  description: "The key, 32 bytes in Base64, that encrypts the page's secrets in transit. It is not stored.",
  example: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
});
const backup = idOf("backup", "The backup's id.");
const time = z.iso.datetime().openapi({ description: "ISO 8601, UTC.", example: "2026-11-24T03:00:00.000Z" });
const count = z.number().int().min(0);
const nullableCount = count.nullable();

const accountHead = named(
  "BackedUpAccount",
  "The account's own settings in a backup.",
  z.object({
    name: z.string().regex(ACCOUNT_NAME).openapi({ description: "The account's name.", example: "acme" }),
    display_name: displayName,
    timezone: timezone
      .nullable()
      .default(null)
      .openapi({ type: ["string", "null"], description: "Its time zone (IANA); null for none.", example: null }),
    plan: z.enum(PLAN_NAMES).openapi({ description: "The plan that it is on.", example: "growth" }),
    listed: z.boolean().openapi({ description: "Whether the sign-in lists it.", example: false }),
    max_key_expiry_days: z
      .number()
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .openapi({ description: "The maximum lifetime of keys, in days.", example: null }),
    cap_concurrent_calls: nullableCount.openapi({ description: "Its own cap, if it has one.", example: null }),
    cap_calls_per_minute: nullableCount.openapi({ description: "Its own cap, if it has one.", example: null }),
    cap_calls_per_day: nullableCount.openapi({ description: "Its own cap, if it has one.", example: null }),
    catalog_version: count
      .max(2 ** 31)
      .openapi({ description: "The version of the shipped catalog it has.", example: 3 }),
    recording_retention_days: count
      .min(1)
      .max(RECORDINGS_STAY_DAYS)
      .openapi({ description: "The number of days for which recordings are kept.", example: 90 }),
    quotas: z.record(z.string(), z.number()).openapi({ description: "Its own quotas.", example: {} }),
    disabled_at: time
      .nullable()
      .openapi({ description: "When it was disabled, null while it is open.", example: null }),
    members: z
      .array(
        z.object({
          id: z.string().max(300).openapi({ description: "The member's id.", example: EXAMPLE_IDS.user }),
          role: z.enum(ROLES).openapi({ description: "The member's role.", example: "builder" }),
        }),
      )
      .max(10_000)
      .optional()
      .openapi({
        description:
          "Its members, without their passwords and factors. A restore brings back those who are still members of this " +
          "account in the same deployment, with this role at most, if the signature is present. Absent in backups of " +
          "earlier releases.",
      }),
    members_signature: z.string().max(200).optional().openapi({
      description: "The deployment's signature over name, `created_at` and members. Without it, no member is restored.",
      example: "q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng",
    }),
    ledger_days: z
      .array(z.iso.date())
      .max(MOST_VOLUMES)
      .refine((days) => days.every((day, i) => i === 0 || (days[i - 1] ?? "") < day), "must be ascending")
      .openapi({ description: "The days on which later volumes of its ledger begin.", example: [] }),
    created_at: time,
  }),
);
const account = accountHead.openapi({ description: "The settings of the account itself." });

/** The identity of the restored backup, and the settings of the account itself. */
const restoreHead = z
  .object({
    backup,
    account,
    plan: z.enum(PLAN_NAMES).default("starter").openapi({
      description: "The plan of the restored account. The backup's own plan, quotas and caps are not used.",
      example: "growth",
    }),
  })
  .openapi("RestoreHead");

const path = "/api/admin/v1/accounts/{account}";
const fileParams = accountParams.extend({
  bucket: z
    .enum(COPIED_BUCKETS.map(({ backup: name }) => name))
    .openapi({ description: "What the file is.", example: "recordings" }),
  file: z
    .string()
    .regex(/^[0-9A-Za-z-]{1,60}((\.analysis)?\.json)?$/)
    .openapi({
      description: "The file's name, as a page gives it.",
      example: EXAMPLE_IDS.recording,
    }),
});

export const beginBackup = endpoint({
  ...operator,
  method: "post",
  path: `${path}/backup`,
  scope: [],
  operatorScopes: ["backup"],
  operationId: "beginBackup",
  summary: "Start a backup of an account",
  description:
    "Returns the head of a backup, and what is live in the account. A move, for which the account is disabled " +
    "first, waits until nothing is live. `npm run backup` requests this, and then the pages and files.",
  params: accountParams,
  status: 200,
  response: z.object({
    account,
    live: z
      .object({
        calls: count.openapi({ description: "Calls that have not ended.", example: 0 }),
        conversations: count.openapi({
          description: "Whether some conversations are not archived yet.",
          example: 0,
        }),
        recordings: count.openapi({ description: "Recordings that have not been fetched yet.", example: 0 }),
      })
      .openapi({ description: "What is still in progress in the account." }),
  }),
  errors: { 404: "unknown account" },
});

export const readBackupPage = endpoint({
  ...operator,
  method: "post",
  path: `${path}/backup/pages`,
  scope: [],
  operatorScopes: ["backup"],
  operationId: "readBackupPage",
  summary: "Read the next page of a backup",
  description: "Configuration, ledger, events, limits and campaigns, a page at a time, then the names of the files.",
  params: accountParams,
  body: z.object({
    key,
    after: z
      .string()
      .max(4_000)
      .nullable()
      .openapi({ description: "The `next` of the previous page; null for the first.", example: null }),
  }),
  status: 200,
  response: z.object({
    store,
    steps,
    tables,
    files: z
      .array(
        z.object({
          name: z.string().openapi({ description: "The file's name.", example: EXAMPLE_IDS.recording }),
          size: count.openapi({ description: "Bytes.", example: 48_000 }),
        }),
      )
      .openapi({ description: "Files, each of which is read separately." }),
    last,
    next: z
      .string()
      .nullable()
      .openapi({ description: "The value for the next page; null at the end.", example: null }),
  }),
  errors: { 404: "unknown account", 503: "a secret cannot be opened" },
});

export const readBackupFile = endpoint({
  ...operator,
  method: "get",
  path: `${path}/backup/files/{bucket}/{file}`,
  scope: [],
  operatorScopes: ["backup"],
  operationId: "readBackupFile",
  summary: "Read a file of a backup",
  description: "The audio of a recording, or the archive of a conversation.",
  params: fileParams,
  status: 200,
  stream: { "application/octet-stream": { schema: z.string().openapi({ format: "binary" }) } },
  errors: { 404: "unknown account or file" },
});

export const beginRestore = endpoint({
  ...operator,
  method: "put",
  path: `${path}/restore`,
  scope: [],
  operationId: "beginRestore",
  summary: "Start restoring an account from a backup",
  description:
    "Creates the account, disabled until the restore is complete. If the same backup is already being restored " +
    "into the account, the restore continues. Any other existing account is not changed.",
  params: accountParams,
  body: restoreHead,
  status: 200,
  response: z.object({
    finished: z.boolean().openapi({ description: "Whether the restore of this backup is complete.", example: false }),
  }),
  errors: { 409: "the account exists and is not from this backup" },
});

export const writeRestorePage = endpoint({
  ...operator,
  method: "put",
  path: `${path}/restore/pages`,
  scope: [],
  operationId: "writeRestorePage",
  summary: "Restore a page of a backup",
  description: "In the order of the backup. A page that was restored before changes nothing.",
  params: accountParams,
  body: z.object({
    backup,
    key,
    source: z
      .string()
      .regex(ACCOUNT_NAME)
      .openapi({ description: "The account's name at the source.", example: "acme" }),
    store,
    steps,
    tables,
    last,
  }),
  bodyLimit: { kept: 16 * 1024 * 1024, read: 33 * 1024 * 1024 },
  status: 204,
  errors: {
    404: "unknown account",
    409: "it is not being restored from this backup, the backup is of a newer release, or `not_listed`: the account has no such ledger, campaign or test run",
    413: "the page is too large",
  },
});

export const writeRestoreFile = endpoint({
  ...operator,
  method: "put",
  path: `${path}/restore/files/{bucket}/{file}`,
  scope: [],
  operationId: "writeRestoreFile",
  summary: "Restore a file of a backup",
  description: "Requires a Content-Length.",
  params: fileParams,
  query: z.object({ backup }),
  rawBody: { "application/octet-stream": { schema: z.string().openapi({ format: "binary" }) } },
  status: 204,
  errors: {
    404: "unknown account, or `file_not_listed`: no row of the restored account has this file",
    409: "it is not being restored from this backup",
    413: "a recording over 100 MiB, or a conversation over 16 MiB",
    415: "compressed",
  },
});

const ids = (kind: "conversation" | "recording") =>
  z
    .array(idOf(kind, "The id, as in the backup."))
    .max(100)
    .openapi({ description: `Ids of ${kind}s, up to 100.`, example: [EXAMPLE_IDS[kind]] });

export const removeRestored = endpoint({
  ...operator,
  method: "post",
  path: `${path}/restore/removals`,
  scope: [],
  operationId: "removeRestored",
  summary: "Delete the records that the source deleted since its backup",
  description:
    "Conversations with their archives and tool runs, and recordings, while the account is being restored. Missing ones are ignored.",
  params: accountParams,
  body: z.object({ backup, conversations: ids("conversation"), recordings: ids("recording") }),
  status: 204,
  errors: { 404: "unknown account", 409: "it is not being restored from this backup" },
});

export const eraseRestored = endpoint({
  ...operator,
  method: "put",
  path: `${path}/restore/erasures/{erasure}`,
  scope: [],
  operationId: "eraseRestored",
  summary: "Erase the people whom the source erased since its backup",
  description:
    "Starts the erasure of a person under this id while the account is being restored, and returns its state. " +
    "Repeat the request until it is `complete`.",
  params: accountParams.extend({ erasure: idOf("erasure", "The id that the erasure is to have.") }),
  body: z.object({
    backup,
    phone_number: e164.openapi({ description: "The person's number (E.164).", example: "+12025550143" }),
  }),
  status: 200,
  response: z.object({
    status: z.enum(["pending", "complete"]).openapi({
      description: "`pending` until a full search finds nothing more, then `complete`.",
      example: "pending",
    }),
  }),
  errors: {
    404: "unknown account",
    409: "it is not being restored from this backup",
    429: "`erasures_pending`: twenty erasures are pending; try again once one is complete",
  },
});

export const finishRestore = endpoint({
  ...operator,
  method: "post",
  path: `${path}/restore/finish`,
  scope: [],
  operationId: "finishRestore",
  summary: "Finish a restore",
  description:
    "Opens the account, unless an operator had disabled the source account. Afterwards nobody can sign in, no key " +
    "is valid and no campaign runs until you set up members, keys and campaigns again.",
  params: accountParams,
  body: restoreHead,
  status: 204,
  errors: { 404: "unknown account", 409: "it is not being restored from this backup" },
});
