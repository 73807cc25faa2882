import { z } from "@hono/zod-openapi";
import { endpoint } from "../kernel/http/endpoint.ts";
import { bytes } from "../kernel/http/fields.ts";
import { listOf } from "../kernel/http/paging.ts";
import { valueStates } from "../records/analysis/value-states.ts";
import { campaignId, campaignRecord } from "./campaign-record.ts";
import { contactDetail, contactIdField } from "./contact-record.ts";
import { whole } from "./record-fields.ts";
import { settingsPatch } from "./settings.ts";
import { appendFields, EXAMPLE_FILE, formFields } from "./upload-form.ts";

export type { CampaignRecord } from "./campaign-record.ts";
export type { AttemptRecord, ContactRecord } from "./contact-record.ts";

const slice = { access: "account", ofAgents: "handler", tag: "Campaigns" } as const;
const params = z.object({ id: campaignId });
const unknown = { 404: "unknown campaign" };
const JSON_PART = { contentType: "application/json" };

export const listCampaigns = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/campaigns",
  scope: ["read"],
  operationId: "listCampaigns",
  summary: "List every campaign, newest first",
  description: "Returns all campaigns. The counters of a running campaign are at most about a second old.",
  status: 200,
  response: listOf("campaigns", campaignRecord).extend({
    campaigns: z.array(campaignRecord).openapi({ description: "All campaigns, newest first." }),
  }),
});

export const createCampaign = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/campaigns",
  scope: ["dial"],
  operationId: "createCampaign",
  summary: "Create a campaign from a CSV of contacts; it calls nobody until you start it",
  description:
    "The form's `contacts` is a CSV with a header. `phone_number` is required (if there is only one column named Phone, Mobile, Number or " +
    "Telephone, it is used); every other column becomes a variable. Numbers are read by their country's numbering plan " +
    "and stored as E.164; a row without exactly one valid number is invalid; duplicates are dropped and counted; the maximum " +
    "is 1,000,000. Calling windows use each contact's own time zone: the one in the column `timezone` (or in the only one " +
    "named Time Zone, time_zone or tz), otherwise that of the number's country if it has only one, otherwise the campaign's. `columns` and `rows` correct the file without changing it: it is read as if it had been " +
    "written so, on the same lines. Parts can be in any order, but these two must come before the file. " +
    "`schedule_config` and `retry_config` are JSON, as one part, or for a list as one part per item.",
  rawBody: {
    "multipart/form-data": {
      schema: formFields.extend({
        contacts: bytes.openapi({
          description: "CSV with a phone_number column; up to 100,000,000 bytes and 1,000,000 contacts.",
          example: EXAMPLE_FILE,
        }),
      }),
      encoding: {
        contacts: { contentType: "text/csv" },
        columns: JSON_PART,
        rows: JSON_PART,
        schedule_config: JSON_PART,
        retry_config: JSON_PART,
      },
    },
  },
  status: 201,
  response: campaignRecord,
  errors: {
    400: "invalid form or CSV; nothing is stored",
    403: "the quota of open campaigns (draft, running or paused) is reached",
    409: "deleted while it was being read",
    413: "CSV over 100,000,000 bytes",
    415: "not compressed with gzip or deflate",
    429: "the quota of concurrent uploads is reached",
  },
});

export const getCampaign = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/campaigns/{id}",
  scope: ["read"],
  operationId: "getCampaign",
  summary: "Get a campaign",
  description: "The campaign with its settings and current counters.",
  params,
  revised: true,
  status: 200,
  response: campaignRecord,
  errors: unknown,
});

export const updateCampaign = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/campaigns/{id}",
  scope: ["dial"],
  operationId: "updateCampaign",
  summary: "Change a campaign's settings while it is draft or paused",
  description:
    "Fields left out stay as they are, and so do fields left out of `retry_config` (JSON merge patch, where null restores a field's default).",
  params,
  body: settingsPatch,
  revised: true,
  status: 200,
  response: campaignRecord,
  errors: { ...unknown, 409: "running or over" },
});

export const deleteCampaign = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/campaigns/{id}",
  scope: ["dial"],
  operationId: "deleteCampaign",
  summary: "Delete a campaign that is not running, with everything in it",
  description: "Contacts, history and events are deleted permanently; its calls are kept.",
  params,
  status: 204,
  errors: {
    ...unknown,
    409: "it is running; pause or stop it first",
    503: "the events of its calls cannot be recorded at the moment; see Retry-After",
  },
});

/** Conditions that a start may check first. */
const strictly = z.object({
  pending: z.coerce.number().int().min(0).optional().openapi({
    description:
      "Starts only if exactly this number of contacts waits to be called; otherwise 412 `changed_meanwhile`.",
    example: 250,
  }),
  contacts_revision: z.coerce.number().int().min(0).optional().openapi({
    description:
      "Starts only if the contacts are those of this revision, which the plan names; else 412 `changed_meanwhile`.",
    example: 4,
  }),
  strict: z.enum(["true", "false"]).default("false").openapi({
    description: "`true` refuses with 409 `preflight_warnings` if the plan has any warnings, and names them.",
    example: "true",
  }),
});

interface Words {
  summary: string;
  description: string;
  conflict: string;
  unavailable?: string;
}

const operation = <Q extends z.ZodObject>(name: "start" | "pause" | "resume" | "stop", words: Words, query: Q) =>
  endpoint({
    ...slice,
    method: "post",
    path: `/api/v1/campaigns/{id}/${name}`,
    scope: ["dial"],
    operationId: `${name}Campaign`,
    summary: words.summary,
    description: words.description,
    params,
    query,
    revised: true,
    status: 200,
    response: campaignRecord,
    errors: words.unavailable
      ? { ...unknown, 409: words.conflict, 503: words.unavailable }
      : { ...unknown, 409: words.conflict },
  });

const NOWHERE = "the agent archived, the carrier has nothing to connect calls to, or no model answers for the agent";
const STRICT = "with `strict`, the plan has warnings";
const NO_WRITES = "the database accepts no writes, so the campaign was not started; see Retry-After";

export const startCampaign = operation(
  "start",
  {
    summary: "Start a campaign",
    description:
      "The campaign runs at once; if `scheduled_at` is in the future, or outside its calling windows, its calls " +
      "wait for that time. With `strict`, it starts only if the plan has no warnings.",
    conflict: `not draft or paused, agent_id or from_number missing, ${NOWHERE}; ${STRICT}`,
    unavailable: NO_WRITES,
  },
  strictly,
);
export const pauseCampaign = operation(
  "pause",
  {
    summary: "Pause a campaign",
    description: "The campaign places no new calls; calls in progress finish.",
    conflict: "the campaign is not running",
  },
  z.object({}),
);
export const resumeCampaign = operation(
  "resume",
  {
    summary: "Resume a campaign",
    description:
      "The campaign runs again with its current settings. With `strict`, it resumes only if the plan has no warnings.",
    conflict: `not paused, ${NOWHERE}; ${STRICT}`,
    unavailable: NO_WRITES,
  },
  strictly,
);
export const stopCampaign = operation(
  "stop",
  {
    summary: "Stop a campaign permanently",
    description: "Pending contacts are canceled; calls in progress finish. A stopped campaign cannot be started again.",
    conflict: "the run has already ended",
  },
  z.object({}),
);

export const addContacts = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/campaigns/{id}/contacts",
  scope: ["dial"],
  operationId: "addCampaignContacts",
  summary: "Add contacts from a CSV to a campaign that is draft or paused",
  description:
    "The file is read like that of a new campaign. Its contacts become visible only when all of it is read: a " +
    "refused or interrupted upload does not change the campaign, and the campaign cannot be started before the " +
    "upload ends. Columns are matched by name, in any order. A new column becomes a variable of all contacts, " +
    "empty for earlier ones; a column that is left out is empty. A number that a contact already has is dropped " +
    "and counted. You can send a corrected list of rejects without further changes: the columns `_line`, " +
    "`_reason`, `_first_line`, `_upload` and `_first_upload` are ignored.",
  params,
  rawBody: {
    "multipart/form-data": {
      schema: appendFields.extend({
        contacts: bytes.openapi({
          description: "CSV with a column for the numbers, as for a new campaign; up to 100,000,000 bytes.",
          example: EXAMPLE_FILE,
        }),
      }),
      encoding: { contacts: { contentType: "text/csv" }, columns: JSON_PART, rows: JSON_PART },
    },
  },
  status: 200,
  response: z.object({
    accepted: whole.openapi({ description: "Rows that became contacts.", example: 950 }),
    rejected: whole.openapi({
      description: "Rows that were left out because they are invalid; 0 without `on_invalid=skip`.",
      example: 12,
    }),
    duplicates: whole.openapi({
      description: "Rows that were dropped because an earlier row or an existing contact has the same number.",
      example: 38,
    }),
  }),
  errors: {
    ...unknown,
    400: "invalid form or CSV, or over 1,000,000 contacts with those the campaign has; nothing is stored",
    409:
      "the campaign is running or has ended, another upload is being read, its storage is full (`campaign_full`), " +
      "or it was deleted meanwhile",
    413: "CSV over 100,000,000 bytes",
    415: "not compressed with gzip or deflate",
    429: "the quota of concurrent uploads is reached",
  },
});

export const getContact = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/campaigns/{id}/contacts/{contactId}",
  scope: ["read"],
  operationId: "getCampaignContact",
  summary: "Get a contact with its calls, and why it is not being dialed yet",
  description: "Returns every attempt with its call and outcome.",
  params: params.extend({ contactId: contactIdField }),
  query: z.object({ state: valueStates("The states of the values in its `data`:") }),
  status: 200,
  response: contactDetail,
  errors: { 404: "unknown campaign or contact" },
});
