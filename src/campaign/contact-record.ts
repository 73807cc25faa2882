import { z } from "@hono/zod-openapi";
import { columns, content, personNumber } from "../kernel/http/content.ts";
import { idOf } from "../kernel/http/example-ids.ts";
import { textsByName, timestamp } from "../kernel/http/fields.ts";
import { carrierName } from "../phone/carriers/documents.ts";
import { VERDICTS } from "../records/analysis/analysis.ts";
import { CALL_STATUSES } from "../records/ledger/call-status.ts";
import { CONTACT_STATUSES } from "./decide/state.ts";
import { field, whole } from "./record-fields.ts";

export const contactPosition = z.number().int().min(1).openapi({
  description:
    "Its position in the campaign's whole list, from 1 without gaps, regardless of filters; it never changes. Contacts added later follow the existing ones.",
  example: 7,
});
export const contactIdField = idOf(
  "contact",
  "The contact's id, as returned by listCampaignContacts; it never changes.",
);
export const callId = idOf("call", "The call of the attempt, for getCall; null if no call was placed.").nullable();
export const phoneNumber = personNumber(z.string(), {
  description:
    "The contact's number in E.164: a plus, the country code and the number, without spaces; `[PHONE]` if the person was erased.",
  example: "+12025550111",
});
const outcome = field(
  z.string().nullable(),
  "How the latest call ended: answered, busy, no_answer, failed, rejected, machine, canceled, do_not_call or unknown; null until one has ended.",
  "answered",
);
const disposition = content(z.string(), {
  description:
    "The outcome that the agent recorded for the latest conversation, in its own words; null if it recorded none.",
  example: "interested",
});
const heldWith = field(
  whole.nullable(),
  "The number of the agent's version in the latest conversation, or with which the call was placed. Null if the campaign uses the live version and nobody answered.",
  3,
);
const conversation = idOf(
  "conversation",
  "The conversation on the latest call, for getConversation; null if nobody answered.",
).nullable();

export const contact = z
  .object({
    id: contactIdField,
    position: contactPosition,
    phone_number: phoneNumber,
    timezone: field(
      z.string().nullable(),
      "The time zone of its calling windows, from its column `timezone` or its number; null if it is the campaign's.",
      "Europe/Berlin",
    ),
    status: field(
      z.enum(CONTACT_STATUSES),
      "`pending` waits for a call, `originated` is being called, `connected` is on a call; the others are final.",
      "completed",
    ),
    outcome,
    failure_reason: field(
      z.string().nullable(),
      "Why the latest call was not answered, in the words of the carrier or the service; null if it was answered, and before the first call.",
      "the callee is busy",
    ),
    attempt_count: field(whole, "How many calls were placed to the contact so far.", 1),
    last_attempt_at: field(timestamp.nullable(), "When it was last dialed (UTC); null before the first time."),
    next_attempt_at: field(
      timestamp.nullable(),
      "When the next attempt is due (UTC), which its calling window may delay; null if none is due.",
    ),
    call_id: field(callId, "The latest call, for getCall; null before the first one."),
    conversation_id: conversation,
    disposition,
    agent_version: heldWith,
    successful: field(
      z.enum(VERDICTS).nullable(),
      "Whether the latest conversation met its agent's criteria, as its analysis says; null if it has none.",
      "success",
    ),
    summary: content(z.string(), {
      description: "The summary of the latest conversation, cut if it is long; null if its analysis has none.",
      example: "The caller took the appointment on Friday.",
    }),
    data: content(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), {
      description:
        "The values that the analysis of the latest conversation found, by their names; long texts are cut. " +
        "Unverified values are included only if `state` requests them.",
      example: { preferred_day: "2026-11-27" },
    }),
    variables: columns(textsByName, {
      description: "The other columns of its row, by their names in the header.",
      example: { name: "Ada", company: "Analytical Engines" },
    }),
    updated_at: field(timestamp, "When it last changed (UTC)."),
  })
  .openapi("Contact");
export type ContactRecord = z.input<typeof contact>;

const attempt = z.object({
  attempt: field(whole, "The number of the attempt, from 1.", 1),
  call_id: idOf("call", "The call, for getCall."),
  status: field(z.enum(CALL_STATUSES), "The call's status, as reported by the carrier.", "completed"),
  outcome: field(
    outcome,
    "How this call ended: answered, busy, no_answer, failed, rejected, machine, canceled, do_not_call or unknown; null while it is in progress.",
  ),
  reason: field(z.string().nullable(), "Why the call was not answered, in words; null if it was.", null),
  message_left: field(z.boolean(), "Whether the agent's greeting was left with the machine that answered.", false),
  conversation_id: field(conversation, "The conversation on this call, for getConversation; null if nobody answered."),
  disposition: content(z.string(), {
    description:
      "The outcome that the agent recorded for this conversation, in its own words; null if it recorded none.",
    example: "interested",
  }),
  agent_version: field(
    heldWith,
    "The number of the agent's version in the conversation, or with which the call was placed. Null if the campaign uses the live version and nobody answered.",
  ),
  provider: carrierName,
  provider_call_id: field(
    z.string().nullable(),
    "The carrier's own id of the call; null if it sent none.",
    "CA0123456789abcdef0123456789abcdef",
  ),
  dialled_at: field(timestamp, "When the call was placed with the carrier (UTC)."),
  connected_at: field(timestamp.nullable(), "When a person or a machine answered (UTC); null if there was no answer."),
  ended_at: field(timestamp.nullable(), "When the call ended (UTC); null while it is in progress."),
});
export type AttemptRecord = z.input<typeof attempt>;

export const contactDetail = contact.extend({
  attempts: field(z.array(attempt), "All calls placed to the contact, oldest first; empty if there are none."),
  waiting_for: field(
    z.string().nullable(),
    "Why the contact has not been dialed yet, in words; null if it is on a call or in a final status.",
    "the calling window in America/New_York opens at 2026-12-01T14:00:00.000Z",
  ),
});
