import { z } from "@hono/zod-openapi";
import { CALL_STATUSES } from "../carriers/call-status.ts";
import { endpoint } from "../http/endpoint.ts";
import { bytes, textsByName, timestamp, uuid } from "../http/fields.ts";
import { listOf, pageOf, paging } from "../http/paging.ts";
import { CAMPAIGN_STATUSES, CONTACT_STATUSES } from "./decide/state.ts";
import { formFields, settingsFields } from "./settings.ts";

const whole = z.number().int().min(0);
const counts = z.object({
  pending: whole,
  originated: whole,
  connected: whole,
  completed: whole,
  failed: whole,
  cancelled: whole,
});

/** The campaign as clients see it. */
export const campaignRecord = z
  .object({
    id: uuid,
    name: z.string(),
    status: z.enum(CAMPAIGN_STATUSES),
    status_reason: z.string().nullable(),
    agent_id: z.string().nullable(),
    from_number: z.string().nullable(),
    total_contacts: whole,
    counts,
    import: z.object({ accepted: whole, rejected: whole, duplicates: whole }),
    scheduled_at: timestamp.nullable(),
    timezone: z.string(),
    schedule_config: z.array(z.object({ days: z.array(z.number()), start: z.string(), end: z.string() })).nullable(),
    max_concurrency: z.number().nullable(),
    calls_per_minute: z.number().nullable(),
    retry_config: z.object({
      max_attempts: z.number(),
      retry_interval_minutes: z.number(),
      retry_on: z.array(z.string()),
    }),
    // Campaigns listed by an earlier release have none.
    record: z.boolean().nullable().default(null).openapi({
      description: "Whether its calls are recorded; null for as the call settings say.",
      example: null,
    }),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    started_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
  })
  .openapi("Campaign");
export type CampaignRecord = z.input<typeof campaignRecord>;

export const contact = z
  .object({
    id: uuid,
    phone_number: z.string(),
    status: z.enum(CONTACT_STATUSES),
    outcome: z.string().nullable(),
    failure_reason: z.string().nullable(),
    attempt_count: whole,
    last_attempt_at: timestamp.nullable(),
    next_attempt_at: timestamp.nullable(),
    call_id: uuid.nullable().openapi({ description: "Of the latest call." }),
    conversation_id: uuid.nullable().openapi({ description: "Of the latest call." }),
    disposition: z.string().nullable().openapi({ description: "What the agent made of the latest call." }),
    variables: textsByName,
    updated_at: timestamp,
  })
  .openapi("Contact");
export type ContactRecord = z.input<typeof contact>;

const attempt = z.object({
  attempt: whole,
  call_id: uuid,
  status: z.enum(CALL_STATUSES),
  outcome: z.string().nullable(),
  reason: z.string().nullable(),
  conversation_id: uuid.nullable(),
  disposition: z.string().nullable(),
  provider: z.string(),
  provider_call_id: z.string().nullable(),
  dialled_at: timestamp,
  connected_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
});
export type AttemptRecord = z.input<typeof attempt>;

const plan = z
  .object({
    status: z.enum(CAMPAIGN_STATUSES),
    finishes_at: timestamp.nullable(),
    next_dial_at: timestamp.nullable(),
    waiting: z
      .object({ schedule: whole, window: whole, retry: whole, cap: whole, do_not_call: whole, ready: whole })
      .openapi({ description: "Contacts that wait, each counted once; `ready` ones could be dialled right away." }),
    assumptions: z.object({
      call_seconds: z.number(),
      concurrent_calls: whole,
      calls_per_minute: whole,
      calls_per_day: whole,
    }),
  })
  .openapi("CampaignPlan");
export type CampaignPlan = z.input<typeof plan>;

const slice = { access: "account", tag: "Campaigns" } as const;
const params = z.object({ id: uuid });
const unknown = { 404: "unknown campaign" };
const contactList = { max: 1000, default: 100 };

export const listCampaigns = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/campaigns",
  operationId: "listCampaigns",
  summary: "List every campaign, newest first",
  description: "All of them; counters of a running one are at most about a second old.",
  status: 200,
  response: listOf("campaigns", campaignRecord),
});

export const createCampaign = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/campaigns",
  operationId: "createCampaign",
  summary: "Create a campaign from a CSV of contacts; nothing is dialled before it is started",
  description:
    "The form's `contacts` is a CSV with a header: `phone_number` is required, every other column becomes a variable. Numbers are normalised to E.164, repeated ones dropped and counted. Parts may come in any order. `schedule_config` and `retry_config` are JSON: as one part, or a list as a part for each of its items.",
  rawBody: {
    "multipart/form-data": {
      schema: formFields.extend({
        contacts: bytes.openapi({ description: "CSV with a phone_number column; up to 100,000,000 bytes." }),
      }),
      encoding: {
        contacts: { contentType: "text/csv" },
        schedule_config: { contentType: "application/json" },
        retry_config: { contentType: "application/json" },
      },
    },
  },
  status: 201,
  response: campaignRecord,
  errors: {
    400: "invalid form or CSV; nothing is stored",
    403: "as many campaigns as there may be are open: draft, running or paused",
    409: "deleted while it was being read",
    413: "CSV over 100,000,000 bytes",
    429: "as many uploads as there may be at once are being read",
  },
});

export const getCampaign = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/campaigns/{id}",
  operationId: "getCampaign",
  summary: "Get a campaign",
  description: "The campaign with its settings and counters, as they are now.",
  params,
  status: 200,
  response: campaignRecord,
  errors: unknown,
});

export const updateCampaign = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/campaigns/{id}",
  operationId: "updateCampaign",
  summary: "Change a campaign's settings while it is draft or paused",
  description: "Fields left out stay as they are.",
  params,
  body: settingsFields.partial(),
  status: 200,
  response: campaignRecord,
  errors: { ...unknown, 409: "running or over" },
});

export const deleteCampaign = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/campaigns/{id}",
  operationId: "deleteCampaign",
  summary: "Delete a campaign that is not running, with all it holds",
  description: "Contacts, history and events are gone for good; its calls stay on record.",
  params,
  status: 204,
  errors: { ...unknown, 409: "running; pause or stop it first" },
});

const operation = (
  name: "start" | "pause" | "resume" | "stop",
  words: { summary: string; description: string; conflict: string },
) =>
  endpoint({
    ...slice,
    method: "post",
    path: `/api/v1/campaigns/{id}/${name}`,
    operationId: `${name}Campaign`,
    summary: words.summary,
    description: words.description,
    params,
    status: 200,
    response: campaignRecord,
    errors: { ...unknown, 409: words.conflict },
  });

const NOWHERE = "the agent archived, the carrier has nothing to connect calls to, or no model answers for the agent";
export const startCampaign = operation("start", {
  summary: "Start dialling",
  description: "Runs at once; with `scheduled_at` ahead, or outside its windows, nobody is dialled before their time.",
  conflict: `not draft or paused, agent_id or from_number missing, ${NOWHERE}`,
});
export const pauseCampaign = operation("pause", {
  summary: "Pause dialling",
  description: "Nobody new is dialled; calls in progress finish.",
  conflict: "not running",
});
export const resumeCampaign = operation("resume", {
  summary: "Go on dialling",
  description: "The campaign is running again, with the settings it has by now.",
  conflict: `not paused, ${NOWHERE}`,
});
export const stopCampaign = operation("stop", {
  summary: "End the campaign for good",
  description: "Who is pending is cancelled, calls in progress finish. A stopped campaign cannot be started again.",
  conflict: "already over",
});

export const listContacts = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/campaigns/{id}/contacts",
  operationId: "listCampaignContacts",
  summary: "List contacts in the order of the file",
  description: "By status, a page at a time. Walk a long list with `after` rather than `offset`.",
  params,
  query: z.object({
    status: z.enum(CONTACT_STATUSES).optional(),
    after: uuid
      .optional()
      .openapi({ description: "Only contacts after this one; stays fast in a list of any length." }),
    ...paging(contactList),
  }),
  status: 200,
  response: pageOf("contacts", contact),
  errors: unknown,
});

export const getContact = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/campaigns/{id}/contacts/{contactId}",
  operationId: "getCampaignContact",
  summary: "Get a contact with its calls, and why it is not being dialled yet",
  description: "Every attempt with its call and how it went.",
  params: params.extend({ contactId: uuid }),
  status: 200,
  response: contact.extend({
    attempts: z.array(attempt),
    waiting_for: z
      .string()
      .nullable()
      .openapi({ description: "Why it is not dialled yet, null when it is over or in a call." }),
  }),
  errors: { 404: "unknown campaign or contact" },
});

export const planCampaign = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/campaigns/{id}/plan",
  operationId: "getCampaignPlan",
  summary: "Tell when the campaign would finish and why contacts are waiting",
  description: "A forecast from the caps, the windows and what `assumptions` says; it changes nothing.",
  params,
  status: 200,
  response: plan,
  errors: unknown,
});
