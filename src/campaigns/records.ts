import { z } from "@hono/zod-openapi";
import { CALL_STATUSES } from "../carriers/call-status.ts";
import { textsByName, timestamp, uuid } from "../http/fields.ts";
import { CAMPAIGN_STATUSES, CONTACT_STATUSES, VOICEMAIL } from "./decide/state.ts";

/** A number of something. */
export const whole = z.number().int().min(0);

/** A field with what is said of it. */
function field<S extends z.ZodType>(schema: S, description: string, example?: unknown): S {
  return schema.openapi({ description, ...(example !== undefined && { example }) });
}

export const campaignId = field(uuid, "The campaign's id.", "019f3a7e-52c1-7a40-9c0e-3b1d5f6a7b8c");
export const contactIdField = field(uuid, "The contact's id.", "019f3a7e-52c1-7a40-8000-00000000002a");
export const callId = field(
  uuid.nullable(),
  "The call of the attempt; null where none was made.",
  "019f3a80-11aa-7b22-8c33-44dd55ee66ff",
);
export const phoneNumber = field(z.string(), "The contact's number in E.164.", "+12025550111");
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
const conversation = field(
  uuid.nullable(),
  "The conversation held on the latest call; null where nobody answered.",
  "019f3a80-2b3c-7d4e-9f50-617283940a1b",
);

export const campaignStatus = field(
  z.enum(CAMPAIGN_STATUSES),
  "Where it stands: only a `running` campaign dials; `stopped` and `completed` are final.",
  "running",
);

export const counts = z
  .object({
    pending: field(whole, "Wait for their first call, or for another try.", 12),
    originated: field(whole, "Are being rung.", 2),
    connected: field(whole, "Are on the phone.", 1),
    completed: field(whole, "Were reached, and the call is over.", 30),
    failed: field(whole, "Were not reached, and are not tried again.", 4),
    cancelled: field(whole, "Were taken out before they were reached.", 0),
  })
  .openapi({ description: "How many contacts are in each status; together they are `total_contacts`." });

const imported = z
  .object({
    accepted: field(whole, "Rows that became contacts.", 49),
    rejected: field(whole, "Rows left out because they could not be used (`on_invalid=skip`).", 1),
    duplicates: field(whole, "Rows left out because their number had come before.", 2),
  })
  .openapi({ description: "What became of the rows of the upload." });

const callingWindow = z.object({
  days: field(z.array(z.number()), "ISO weekdays: 1 is Monday, 7 Sunday.", [1, 2, 3, 4, 5]),
  start: field(z.string(), "Local time of day from which calls may be placed.", "09:00"),
  end: field(z.string(), "Local time of day at which that ends; a call under way goes on.", "17:30"),
});

/** The campaign as clients see it. */
export const campaignRecord = z
  .object({
    id: campaignId,
    name: field(z.string(), "What people call it.", "Spring check"),
    status: campaignStatus,
    status_reason: field(
      z.string().nullable(),
      "Why it is in this status where nobody asked for it: `importing` while its upload is read, or why it paused itself, such as `from_number_missing`; null else.",
      null,
    ),
    agent_id: field(
      z.string().nullable(),
      "The agent that talks; null until it is set.",
      "019f3a70-0d1e-7f2a-8b3c-4d5e6f708192",
    ),
    from_number: field(z.string().nullable(), "The number that calls; null until it is set.", "+12025550142"),
    total_contacts: field(whole, "All contacts, whatever became of them.", 49),
    counts,
    import: imported,
    scheduled_at: field(
      timestamp.nullable(),
      "Nobody is dialled before; null for at once.",
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
      "Most calls of the campaign at once; null for as many as the account's cap leaves.",
      10,
    ),
    calls_per_minute: field(
      z.number().nullable(),
      "Most calls that the campaign begins a minute; null for as many as the account's cap leaves.",
      60,
    ),
    retry_config: z
      .object({
        max_attempts: field(z.number(), "Calls to one contact at most, the first included.", 3),
        retry_interval_minutes: field(z.number(), "Minutes from a call's end until the next may be made.", 60),
        intervals_minutes: field(
          z.array(z.number()).optional(),
          "Minutes to wait after the first call, after the second, …; the last one counts on. Used instead of `retry_interval_minutes` where it is there.",
          [30, 240],
        ),
        retry_on: field(z.array(z.string()), "Outcomes after which a contact is called again.", ["busy", "no_answer"]),
      })
      .openapi({ description: "Who is called again." }),
    // Campaigns listed by an earlier release have neither.
    voicemail: field(
      z.enum(VOICEMAIL).default("hang_up"),
      "What is done where a machine answers: `hang_up`, `retry`, or `leave_message`.",
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
      "019f3a60-9a8b-7c6d-8e5f-403122130405",
    ),
    created_at: field(timestamp, "When its upload began."),
    updated_at: field(timestamp, "When it last changed, its contacts included."),
    started_at: field(timestamp.nullable(), "When it was started first; null until then."),
    ended_at: field(timestamp.nullable(), "When it was stopped or completed; null until then."),
  })
  .openapi("Campaign");
export type CampaignRecord = z.input<typeof campaignRecord>;

export const contact = z
  .object({
    id: contactIdField,
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
      "Why it failed, in the carrier's words or ours; null where it did not.",
      "the callee is busy",
    ),
    attempt_count: field(whole, "Calls made to it so far.", 1),
    last_attempt_at: field(timestamp.nullable(), "When it was last dialled; null before the first time."),
    next_attempt_at: field(timestamp.nullable(), "When another try is due; null where none is."),
    call_id: field(callId, "The latest call; null before the first one."),
    conversation_id: conversation,
    disposition,
    variables: textsByName.openapi({
      description: "The other columns of its row, by their names in the header.",
      example: { name: "Ada", company: "Analytical Engines" },
    }),
    updated_at: field(timestamp, "When it last changed."),
  })
  .openapi("Contact");
export type ContactRecord = z.input<typeof contact>;

export const attempt = z.object({
  attempt: field(whole, "Counts the contact's calls from 1.", 1),
  call_id: field(uuid, "The call, as under `/calls`.", "019f3a80-11aa-7b22-8c33-44dd55ee66ff"),
  status: field(z.enum(CALL_STATUSES), "How far the call came, as the carrier reports it.", "completed"),
  outcome,
  reason: field(z.string().nullable(), "Why it did not get through, in words; null where it did.", null),
  message_left: field(z.boolean(), "Whether the agent's greeting was left with the machine that answered.", false),
  conversation_id: conversation,
  disposition,
  provider: field(z.string(), "The carrier that placed it.", "twilio"),
  provider_call_id: field(
    z.string().nullable(),
    "The carrier's own id of the call; null where it never said one.",
    "CA0123456789abcdef0123456789abcdef",
  ),
  dialled_at: field(timestamp, "When the carrier was asked to call."),
  connected_at: field(timestamp.nullable(), "When somebody, or something, answered; null where nobody did."),
  ended_at: field(timestamp.nullable(), "When it was over; null while it goes on."),
});
export type AttemptRecord = z.input<typeof attempt>;

/** A contact with its calls. */
export const contactDetail = contact.extend({
  attempts: field(z.array(attempt), "Its calls, the first one first."),
  waiting_for: field(
    z.string().nullable(),
    "Why it is not dialled yet, in words; null when it is over or in a call.",
    "the calling window in America/New_York opens at 2026-12-01T14:00:00.000Z",
  ),
});
