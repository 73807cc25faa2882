import { z } from "@hono/zod-openapi";
import { forSpreadsheet } from "../kernel/http/csv.ts";
import { endpoint } from "../kernel/http/endpoint.ts";
import { EXAMPLE_IDS } from "../kernel/http/example-ids.ts";
import { campaignId } from "./campaign-record.ts";
import { contactFilters } from "./repair-contract.ts";

const slice = { access: "account", ofAgents: "handler", tag: "Campaigns", method: "get", status: 200 } as const;
const params = z.object({ id: campaignId });
const errors = { 404: "unknown campaign" };
const text = z.string();

/** Example first rows of the files. */
const CONTACTS_CSV =
  "phone_number,status,outcome,failure_reason,attempt_count,last_attempt_at,call_id,disposition,agent_version,successful,summary,data.preferred_day,data.preferred_day.state,name\r\n" +
  `+12025550111,completed,answered,,1,2026-11-21T09:30:00.000Z,${EXAMPLE_IDS.call},interested,3,success,The caller took the appointment on Friday.,2026-11-27,found,Ada\r\n`;
const NO_CONTACTS = '{"pending":0,"originated":0,"connected":0,"completed":0,"failed":0,"cancelled":0}';
const nulls = (length: number): null[] => Array(length).fill(null);
const HISTORY_LINE = {
  entry: [
    1,
    1_795_253_400_000,
    "campaign",
    EXAMPLE_IDS.apiKey,
    null,
    "draft",
    ...nulls(3),
    "importing",
    NO_CONTACTS,
    null,
    null,
  ],
  previous_hash: "",
  hash: "dedda1c9c7d0427568629d7f57c9c14f822cb63c879fde1402da6740555b52d1",
};
const quotedForSpreadsheet = z.object({
  for: z
    .enum(["spreadsheet"])
    .optional()
    .openapi({
      description:
        "`spreadsheet` adds a byte order mark, and an apostrophe before each cell, or part of a cell, that a " +
        "spreadsheet would evaluate. If you upload a file that has `_line` and `_reason` or `_first_line`, these " +
        "apostrophes are removed again. Default: unchanged cells.",
      example: "spreadsheet",
    }),
});

export const exportContacts = endpoint({
  ...slice,
  path: "/api/v1/campaigns/{id}/export",
  scope: ["listen"],
  operationId: "exportCampaignContacts",
  summary: "Export contacts with their outcomes as CSV",
  description:
    "Exports each contact's outcome, the values of its analysis with their states, and the columns of the " +
    "upload. Cells keep their line breaks. A cell that a spreadsheet would evaluate begins with an apostrophe, " +
    "and so does each line or part of it that could be read as a cell; numbers such as +12025550100 don't " +
    "change. You can combine the filters, which are those of the list of contacts.",
  params,
  query: z.object(contactFilters).extend(forSpreadsheet),
  stream: { "text/csv": { schema: text.openapi({ example: CONTACTS_CSV }) } },
  responseHeaders: ["Content-Disposition"],
  errors,
});

export const exportRejects = endpoint({
  ...slice,
  path: "/api/v1/campaigns/{id}/rejects",
  scope: ["listen"],
  operationId: "exportCampaignRejects",
  summary: "Download the skipped rows of the uploads as CSV, to correct them and send them again",
  description:
    "The columns of the upload, then `_line`, the row's line in its file, and `_reason`. You can send the " +
    "corrected file to `POST /api/v1/campaigns/{id}/contacts`; these columns are ignored. Cells are unchanged, " +
    "unless you set `for`. A row's surplus cells are in the columns `_extra_1`, `_extra_2`, …, which you have to " +
    "empty. Of rows with more than 65,536 characters, the first 262,144 are kept. If contacts were added later, " +
    "the columns of all uploads are included, and `_upload` is the number of the upload, from 1. Only uploads " +
    "with `on_invalid=skip` produce rows.",
  params,
  query: quotedForSpreadsheet,
  stream: {
    "text/csv": {
      schema: text.openapi({
        example: 'phone_number,name,_line,_reason\r\n12,Ada,7,"phone_number ""12"" is not a phone number"\r\n',
      }),
    },
  },
  responseHeaders: ["Content-Disposition"],
  errors,
});

export const exportDuplicates = endpoint({
  ...slice,
  path: "/api/v1/campaigns/{id}/duplicates",
  scope: ["listen"],
  operationId: "exportCampaignDuplicates",
  summary: "Download the uploaded rows that were dropped as duplicates, as CSV",
  description:
    "The columns of the upload, then `_line`, the row's line in its file, and `_first_line`, that of the row " +
    "which was kept: empty if that is not known. If contacts were added later, the columns of all uploads are " +
    "included, and `_upload` and `_first_upload` are the numbers of the uploads that the lines belong to, from " +
    "1. Cells are unchanged.",
  params,
  query: quotedForSpreadsheet,
  stream: {
    "text/csv": {
      schema: text.openapi({ example: "phone_number,name,_line,_first_line\r\n+12025550111,Ada,9,2\r\n" }),
    },
  },
  responseHeaders: ["Content-Disposition"],
  errors,
});

export const exportHistory = endpoint({
  ...slice,
  path: "/api/v1/campaigns/{id}/history",
  scope: ["listen"],
  operationId: "exportCampaignHistory",
  summary: "Download the campaign's history as NDJSON, in which each entry has the hash of the previous one",
  description:
    "Each line is one entry of the history: an object with `entry`, `previous_hash` and `hash`. `entry` is the " +
    "list of `seq` (from 1), `at` (milliseconds since 1970), `event`, `actor`, `contact`, `status`, " +
    "`previous_status`, `attempt`, `call_id`, `reason`, `counts` (as JSON), `detail` and `phone` (digits); " +
    "`hash` is SHA-256, in hex, of `previous_hash`, a line feed, and the entry as JSON without spaces. If you " +
    "store the last hash, you can tell whether anything was changed afterwards. The erasure of a person sets " +
    "`phone` to null in entries about them, computes new hashes from the first of these entries on, and adds an " +
    "entry with the reason `history_rewritten`, whose `detail` is the id of the erasure and the `seq` of that " +
    "first entry.",
  params,
  stream: { "application/x-ndjson": { schema: text.openapi({ example: `${JSON.stringify(HISTORY_LINE)}\n` }) } },
  responseHeaders: ["Content-Disposition"],
  errors: { ...errors, 503: "a person is being erased from the history; see Retry-After" },
});
