import { z } from "@hono/zod-openapi";
import { columns } from "../kernel/http/content.ts";
import { endpoint } from "../kernel/http/endpoint.ts";
import { timestamp } from "../kernel/http/fields.ts";
import { campaignId, campaignStatus } from "./campaign-record.ts";
import { contactIdField, phoneNumber } from "./contact-record.ts";
import { WARNING_CODES } from "./decide/preflight.ts";
import { whole } from "./record-fields.ts";

const waiting = z
  .object({
    schedule: whole.openapi({ description: "Contacts waiting for `scheduled_at`.", example: 0 }),
    window: whole.openapi({ description: "Contacts waiting for their calling window to open.", example: 40 }),
    retry: whole.openapi({ description: "Contacts waiting for their next attempt to be due.", example: 3 }),
    cap: whole.openapi({
      description: "Contacts that are due and wait because of the campaign's limits or the account's caps.",
      example: 120,
    }),
    do_not_call: whole.openapi({
      description: "Contacts on the do-not-call list. They end without a call.",
      example: 2,
    }),
    ready: whole.openapi({ description: "Contacts that could be dialed right away.", example: 10 }),
  })
  .openapi({ description: "Waiting contacts, each counted once." });

const assumptions = z
  .object({
    call_seconds: z.number().openapi({
      description: "The assumed duration of a call in seconds: the campaign's average so far, otherwise 60.",
      example: 60,
    }),
    concurrent_calls: whole.openapi({
      description:
        "Concurrent calls: the smaller of the campaign's `max_concurrency` and what the account's cap leaves to campaigns.",
      example: 10,
    }),
    calls_per_minute: whole.openapi({
      description: "Calls started per minute: the smaller of the campaign's `calls_per_minute` and the account's cap.",
      example: 60,
    }),
    calls_per_day: whole.openapi({ description: "Calls started per day (UTC): the account's cap.", example: 5000 }),
  })
  .openapi({ description: "What the forecast assumes; it does not expect retries." });

const timezone = z.object({
  timezone: z
    .string()
    .nullable()
    .openapi({ description: "A time zone (IANA); null for all other zones together.", example: "America/New_York" }),
  contacts: whole.openapi({ description: "Waiting contacts whose calling hours use this time zone.", example: 812 }),
  source: z.enum(["campaign", "contact", "others"]).openapi({
    description:
      "`contact`: the contacts' own zone, from their column `timezone` or their number; `campaign`: the campaign's " +
      "zone, for contacts without one; `others`: all further zones.",
    example: "contact",
  }),
});

const warning = z.object({
  code: z.enum(WARNING_CODES).openapi({
    description:
      "The warning's code for programs. `incomplete`, `agent_archived`, `not_published`, `no_runtime` and " +
      "`no_model` refuse the start in any case; the others only with `strict`.",
    example: "missing_variables",
  }),
  message: z.string().openapi({
    description: "What is wrong and what to do, in a sentence for people.",
    example:
      "schedule_config has no time zone: 12 contacts without one of their own would be called during its hours in UTC",
  }),
});

const sample = z.object({
  contact_id: contactIdField,
  phone_number: phoneNumber,
  timezone: z.string().openapi({
    description:
      "The time zone of dates and times in the greeting: the contact's, else the campaign's, the agent's or the account's, " +
      "else UTC. Calling windows only use the contact's or the campaign's time zone.",
    example: "America/New_York",
  }),
  greeting: columns(z.string(), {
    description: "What the contact would hear first if called now; null if the campaign has no agent.",
    example: "Hello Ada, this is Nova from Acme.",
  }),
  missing_variables: z.array(z.string()).openapi({
    description:
      "Placeholders in the agent's prompt, greeting and message to machines that have neither a value for this contact nor a default.",
    example: ["company"],
  }),
});

const plan = z
  .object({
    status: campaignStatus,
    finishes_at: timestamp.nullable().openapi({
      description:
        "When the last call would end, or did (UTC); null if it never would, or while the upload is being read.",
    }),
    next_dial_at: timestamp
      .nullable()
      .openapi({ description: "When the next contact would be dialed (UTC); null if none would be." }),
    contacts_revision: z.int().openapi({
      description: "Changes when contacts are added, corrected or redialed; send it to startCampaign.",
      example: 4,
    }),
    waiting,
    assumptions,
    timezones: z.array(timezone).openapi({
      description: "The time zones of the waiting contacts: the 20 with the most contacts, then the rest.",
    }),
    warnings: z.array(warning).openapi({
      description:
        "Problems to check before the campaign calls, most serious first; empty once it has ended. With more than " +
        "100,000 waiting contacts, empty cells are counted in a sample of 100,000.",
    }),
    samples: z.array(sample).openapi({
      description: "The first three contacts of the file with their greeting; fewer if the file has fewer.",
    }),
  })
  .openapi("CampaignPlan");
export type CampaignPlan = z.input<typeof plan>;

export const planCampaign = endpoint({
  access: "account",
  ofAgents: "handler",
  tag: "Campaigns",
  method: "get",
  path: "/api/v1/campaigns/{id}/plan",
  scope: ["read"],
  operationId: "getCampaignPlan",
  summary: "Get a forecast of when a campaign finishes, why contacts are waiting, and what to check before it calls",
  description:
    "A forecast based on the caps, the calling windows and `assumptions`, and a check of the agent, the number, the time zones and the contacts' variables. Works for draft, paused and running campaigns, and changes nothing.",
  params: z.object({ id: campaignId }),
  status: 200,
  response: plan,
  errors: { 404: "unknown campaign" },
});
