import { z } from "@hono/zod-openapi";
import { CALL_STATUSES } from "../carriers/call-status.ts";
import { carrierName } from "../carriers/documents.ts";
import { EXAMPLE_IDS, idOf } from "../http/example-ids.ts";
import { textsByName, timestamp } from "../http/fields.ts";
import { named } from "../http/named-schemas.ts";
import { CAMPAIGN_STATUSES, CONTACT_STATUSES, VOICEMAIL } from "./decide/state.ts";
import { callingWindow } from "./settings.ts";

/** A number of something. */
export const whole = z.number().int().min(0);

/** A field with what is said of it. */
function field<S extends z.ZodType>(schema: S, description: string, example?: unknown): S {
  return schema.openapi(example === undefined ? { description } : { description, example });
}

export const campaignId = idOf("campaign", "The campaign's id: what createCampaign and listCampaigns give as `id`.");
/** Where a contact stands in its campaign's list. */
export const contactPosition = z.number().int().min(1).openapi({
  description:
    "Its place in the campaign's whole list, from 1 and without gaps, however the list is filtered; it never changes. Contacts that are added later come after those that are there.",
  example: 7,
});
export const contactIdField = idOf("contact", "The contact's id, as listCampaignContacts gives it; it never changes.");
export const callId = idOf("call", "The call of the attempt, for getCall; null where none was made.").nullable();
export const phoneNumber = field(
  z.string(),
  "The contact's number in E.164: a plus, the country code and the rest, without spaces.",
  "+12025550111",
);
const outcome = field(
  z.string().nullable(),
  "How the latest call ended: answered, busy, no_answer, failed, rejected, machine, canceled, do_not_call or unknown; null while none has.",
  "answered",
);
const disposition = field(
  z.string().nullable(),
  "What the agent made of the latest conversation, in its own word; null where it noted nothing.",
  "interested",
);
const conversation = idOf(
  "conversation",
  "The conversation held on the latest call, for getConversation; null where nobody answered.",
).nullable();

export const campaignStatus = field(
  z.enum(CAMPAIGN_STATUSES),
  "Where it stands: only a `running` campaign dials; `stopped` and `completed` are final.",
  "running",
);

/** How many contacts are in each status. */
export const counts = named(
  "CampaignCounts",
  "How many of a campaign's contacts are in each status.",
  z.object({
    pending: field(whole, "Contacts that wait for their first call, or for another try.", 12),
    originated: field(whole, "Contacts whose phone is being rung now.", 2),
    connected: field(whole, "Contacts that are on the phone now.", 1),
    completed: field(whole, "Contacts that were reached, and whose call is over.", 30),
    failed: field(whole, "Contacts that were not reached, and are not tried again.", 4),
    cancelled: field(whole, "Contacts that were taken out before they were reached.", 0),
  }),
).openapi({ description: "How many contacts are in each status; together they are `total_contacts`." });

const imported = z
  .object({
    accepted: field(whole, "Rows that became contacts; grows while the upload is read.", 49),
    rejected: field(
      whole,
      "Rows left out because something is wrong with them, listed by exportCampaignRejects; 0 without `on_invalid=skip`.",
      1,
    ),
    duplicates: field(
      whole,
      "Rows left out because their number had come before, listed by exportCampaignDuplicates.",
      2,
    ),
    assumed: field(
      z
        .array(
          z.object({
            country: field(z.string(), "The country they were read as numbers of, ISO 3166-1 alpha-2.", "DE"),
            count: field(whole, "How many rows had such a number.", 38),
            also_valid: field(
              whole,
              "How many of these numbers would, with a plus, be valid numbers of another country too.",
              2,
            ),
            examples: field(
              z.array(
                z.object({
                  written: field(z.string(), "The number as the file has it.", "030 901820"),
                  phone_number: field(z.string(), "The number that is dialled, in E.164.", "+4930901820"),
                  could_be: field(
                    z.string().nullable(),
                    "The number it would be with a plus, in E.164, where that is valid too; otherwise null.",
                    null,
                  ),
                }),
              ),
              "Up to three of them: first those that could be another country's, then in the order of the file.",
            ),
          }),
        )
        .default([]),
      "Numbers without a country code that were read as those of `default_country`. Where a number " +
        "would also be valid with a plus, and nothing tells which is meant, its row is rejected.",
    ),
  })
  .openapi({ description: "What became of the rows of all uploads so far." });

/** The campaign as clients see it. */
export const campaignRecord = z
  .object({
    id: campaignId,
    name: field(z.string(), "What people call it, up to 200 characters; need not be unique.", "Spring check"),
    status: campaignStatus,
    status_reason: field(
      z.string().nullable(),
      "Why it is in this status where nobody asked for it: `importing` while its upload is read, or why it paused itself, such as `from_number_missing`; null else.",
      null,
    ),
    agent_id: field(
      z.string().nullable(),
      "The id of the agent that talks; null until it is set, which the start requires.",
      EXAMPLE_IDS.agent,
    ),
    from_number: field(
      z.string().nullable(),
      "The account's number that calls, in E.164; null until it is set, which the start requires.",
      "+12025550142",
    ),
    total_contacts: field(whole, "How many contacts it has, whatever became of them; up to 1,000,000.", 49),
    counts,
    import: imported,
    scheduled_at: field(
      timestamp.nullable(),
      "Nobody is dialled before this time (UTC); null for at once.",
      "2026-12-01T14:00:00.000Z",
    ),
    timezone: field(
      z.string(),
      "Whose clock `schedule_config` goes by for contacts without a time zone of their own; UTC where none was sent.",
      "America/New_York",
    ),
    schedule_config: field(
      z.array(callingWindow).nullable(),
      "When calls may be placed, in each contact's time zone; null for at any hour.",
      [{ days: [1, 2, 3, 4, 5], start: "09:00", end: "17:30" }],
    ),
    max_concurrency: field(
      z.number().nullable(),
      "Most calls of the campaign at once, 1 to 10,000; null for as many as the account's cap leaves.",
      10,
    ),
    calls_per_minute: field(
      z.number().nullable(),
      "Most calls that the campaign begins a minute, 1 to 100,000; null for as many as the account's cap leaves.",
      60,
    ),
    retry_config: z
      .object({
        max_attempts: field(
          z.number(),
          "Calls to one contact at most, the first included: 1 to 20. 1 means that nobody is called again.",
          3,
        ),
        retry_interval_minutes: field(
          z.number(),
          "Minutes from a call's end until the next may be made, 0 to 43,200 (30 days).",
          60,
        ),
        intervals_minutes: field(
          z.array(z.number()).optional(),
          "Minutes to wait after the first call, after the second, …; the last one counts on. Used instead of `retry_interval_minutes` where it is there.",
          [30, 240],
        ),
        retry_on: field(z.array(z.string()), "Outcomes after which a contact is called again.", ["busy", "no_answer"]),
      })
      .openapi({ description: "Who is called again, how often, and after how long." }),
    // Campaigns listed by an earlier release have neither.
    voicemail: field(
      z.enum(VOICEMAIL).default("hang_up"),
      "What is done where a machine answers: `hang_up`, `retry`, `leave_message`, `continue` or `off`.",
      "hang_up",
    ),
    record: field(
      z.boolean().nullable().default(null),
      "Whether its calls are recorded; null for as the call settings say.",
      null,
    ),
    created_by: field(
      z.string(),
      "Who uploaded it: the id of an API key, or the subject of a console user.",
      EXAMPLE_IDS.apiKey,
    ),
    created_at: field(timestamp, "When its upload began (UTC)."),
    updated_at: field(timestamp, "When it last changed (UTC), its contacts included."),
    started_at: field(timestamp.nullable(), "When it was started first (UTC); null until then."),
    ended_at: field(
      timestamp.nullable(),
      "When it was stopped or completed (UTC); null until then, and again once redialCampaign opened it.",
    ),
  })
  .openapi("Campaign");
export type CampaignRecord = z.input<typeof campaignRecord>;

export const contact = z
  .object({
    id: contactIdField,
    position: contactPosition,
    phone_number: phoneNumber,
    timezone: field(
      z.string().nullable(),
      "Whose clock its calling windows go by, from its column `timezone` or its number; null where it is the campaign's.",
      "Europe/Berlin",
    ),
    status: field(
      z.enum(CONTACT_STATUSES),
      "`pending` waits for a call, `originated` is being rung, `connected` is on the phone; the others are final.",
      "completed",
    ),
    outcome,
    failure_reason: field(
      z.string().nullable(),
      "Why the latest try did not get through, in the carrier's words or the service's; null where it did, and before the first.",
      "the callee is busy",
    ),
    attempt_count: field(whole, "How many calls were made to it so far.", 1),
    last_attempt_at: field(timestamp.nullable(), "When it was last dialled (UTC); null before the first time."),
    next_attempt_at: field(
      timestamp.nullable(),
      "When another try is due (UTC), which its calling window may delay; null where none is.",
    ),
    call_id: field(callId, "The latest call, for getCall; null before the first one."),
    conversation_id: conversation,
    disposition,
    variables: textsByName.openapi({
      description: "The other columns of its row, by their names in the header.",
      example: { name: "Ada", company: "Analytical Engines" },
    }),
    updated_at: field(timestamp, "When it last changed (UTC)."),
  })
  .openapi("Contact");
export type ContactRecord = z.input<typeof contact>;

export const attempt = z.object({
  attempt: field(whole, "Which of the contact's calls it is, counted from 1.", 1),
  call_id: idOf("call", "The call, for getCall."),
  status: field(z.enum(CALL_STATUSES), "How far the call came, as the carrier reports it.", "completed"),
  outcome: field(
    outcome,
    "How this call ended: answered, busy, no_answer, failed, rejected, machine, canceled, do_not_call or unknown; null while it goes on.",
  ),
  reason: field(z.string().nullable(), "Why it did not get through, in words; null where it did.", null),
  message_left: field(z.boolean(), "Whether the agent's greeting was left with the machine that answered.", false),
  conversation_id: field(
    conversation,
    "The conversation held on this call, for getConversation; null where nobody answered.",
  ),
  disposition: field(
    disposition,
    "What the agent made of this conversation, in its own word; null where it noted nothing.",
  ),
  provider: carrierName,
  provider_call_id: field(
    z.string().nullable(),
    "The carrier's own id of the call; null where it never said one.",
    "CA0123456789abcdef0123456789abcdef",
  ),
  dialled_at: field(timestamp, "When the carrier was asked to call (UTC)."),
  connected_at: field(timestamp.nullable(), "When a person or a machine answered (UTC); null where nobody did."),
  ended_at: field(timestamp.nullable(), "When it was over (UTC); null while it goes on."),
});
export type AttemptRecord = z.input<typeof attempt>;

/** A contact with its calls. */
export const contactDetail = contact.extend({
  attempts: field(z.array(attempt), "All calls made to it, the first one first; empty before that."),
  waiting_for: field(
    z.string().nullable(),
    "Why it is not dialled yet, in words; null when it is over or in a call.",
    "the calling window in America/New_York opens at 2026-12-01T14:00:00.000Z",
  ),
});
