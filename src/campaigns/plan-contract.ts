import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { timestamp } from "../http/fields.ts";
import { WARNING_CODES } from "./decide/preflight.ts";
import { campaignId, campaignStatus, contactIdField, phoneNumber, whole } from "./records.ts";

const waiting = z
  .object({
    schedule: whole.openapi({ description: "Contacts that wait for `scheduled_at`.", example: 0 }),
    window: whole.openapi({ description: "Contacts that wait for their calling window to open.", example: 40 }),
    retry: whole.openapi({ description: "Contacts that wait until another try is due.", example: 3 }),
    cap: whole.openapi({
      description:
        "Contacts that could be called now, and wait for their turn under the campaign's limits and the account's caps.",
      example: 120,
    }),
    do_not_call: whole.openapi({
      description: "Contacts on the do-not-call list: they end without a call.",
      example: 2,
    }),
    ready: whole.openapi({ description: "Contacts that could be dialled right away.", example: 10 }),
  })
  .openapi({ description: "Contacts that wait, each counted once." });

const assumptions = z
  .object({
    call_seconds: z.number().openapi({
      description: "How many seconds a call is taken to last: the average of the campaign's so far, else 60.",
      example: 60,
    }),
    concurrent_calls: whole.openapi({
      description:
        "Calls at once: the smaller of the campaign's `max_concurrency` and what the account's cap leaves to campaigns.",
      example: 10,
    }),
    calls_per_minute: whole.openapi({
      description: "Calls begun a minute: the smaller of the campaign's `calls_per_minute` and the account's cap.",
      example: 60,
    }),
    calls_per_day: whole.openapi({ description: "Calls begun a day (UTC): the account's cap.", example: 5000 }),
  })
  .openapi({ description: "What the forecast goes by; nobody is taken to need another try." });

const timezone = z.object({
  timezone: z
    .string()
    .nullable()
    .openapi({ description: "A time zone (IANA); null for all the others together.", example: "America/New_York" }),
  contacts: whole.openapi({ description: "Contacts that wait and are called by its clock.", example: 812 }),
  source: z.enum(["campaign", "contact", "others"]).openapi({
    description:
      "`contact`: their own, by their column `timezone` or their number; `campaign`: the campaign's, for those without one; `others`: more zones than are named.",
    example: "contact",
  }),
});

const warning = z.object({
  code: z.enum(WARNING_CODES).openapi({
    description:
      "Which warning it is, for programs. `incomplete`, `agent_archived`, `no_runtime` and `no_model` refuse the start in any case; the others only with `strict`.",
    example: "missing_variables",
  }),
  message: z.string().openapi({
    description: "What is the matter, and what to do, in a sentence for people.",
    example:
      "schedule_config has no time zone: 12 contacts without one of their own would be called at its hours in UTC",
  }),
});

const sample = z.object({
  contact_id: contactIdField,
  phone_number: phoneNumber,
  timezone: z.string().openapi({
    description: "Whose clock the calling windows, and a date or time in the greeting, go by.",
    example: "America/New_York",
  }),
  greeting: z.string().nullable().openapi({
    description: "What it would hear first, were it called now; null where the campaign has no agent.",
    example: "Hello Ada, this is Nova from Acme.",
  }),
  missing_variables: z.array(z.string()).openapi({
    description: "Placeholders of the agent's prompt and greeting that have neither a value for it nor a default.",
    example: ["company"],
  }),
});

const plan = z
  .object({
    status: campaignStatus,
    finishes_at: timestamp.nullable().openapi({
      description:
        "When the last call would end, or did (UTC); null where that never comes, or the upload is being read.",
    }),
    next_dial_at: timestamp
      .nullable()
      .openapi({ description: "When the next contact would be dialled (UTC); null where none ever is." }),
    waiting,
    assumptions,
    timezones: z.array(timezone).openapi({
      description: "By which time zones the waiting contacts go: the 20 with most of them, then the rest.",
    }),
    warnings: z.array(warning).openapi({
      description:
        "What to look at before it dials, the gravest first; none once it is over. Empty cells are counted among all waiting contacts up to 100,000, and among a sample of 100,000 of more.",
    }),
    samples: z.array(sample).openapi({
      description: "The first three contacts of the file, as they would be greeted; fewer where it has fewer.",
    }),
  })
  .openapi("CampaignPlan");
export type CampaignPlan = z.input<typeof plan>;

export const planCampaign = endpoint({
  access: "account",
  tag: "Campaigns",
  method: "get",
  path: "/api/v1/campaigns/{id}/plan",
  operationId: "getCampaignPlan",
  summary: "Tell when the campaign would finish, why contacts are waiting, and what to look at before it dials",
  description:
    "A forecast from the caps, the windows and what `assumptions` says, and a check of the agent, the number, the time zones and the contacts' variables. Of a draft, a paused and a running campaign alike; it changes nothing.",
  params: z.object({ id: campaignId }),
  status: 200,
  response: plan,
  errors: { 404: "unknown campaign" },
});
