import { z } from "@hono/zod-openapi";
import { personNumber } from "../kernel/http/content.ts";
import { EXAMPLE_IDS, idOf } from "../kernel/http/example-ids.ts";
import { timestamp } from "../kernel/http/fields.ts";
import { named } from "../kernel/http/named-schemas.ts";
import { CAMPAIGN_STATUSES, VOICEMAIL } from "./decide/state.ts";
import { field, whole } from "./record-fields.ts";
import { agentVersion, callingWindow } from "./settings.ts";

export const campaignId = idOf("campaign", "The campaign's id, as returned by createCampaign and listCampaigns.");
export const campaignStatus = field(
  z.enum(CAMPAIGN_STATUSES),
  "The campaign's status: only a `running` campaign dials; `stopped` and `completed` are final.",
  "running",
);

export const counts = named(
  "CampaignCounts",
  "How many of a campaign's contacts are in each status.",
  z.object({
    pending: field(whole, "Contacts waiting for their first call or another attempt.", 12),
    originated: field(whole, "Contacts whose phone is ringing.", 2),
    connected: field(whole, "Contacts on a call.", 1),
    completed: field(whole, "Contacts who were reached and whose call has ended.", 30),
    failed: field(whole, "Contacts who were not reached and will not be called again.", 4),
    cancelled: field(whole, "Contacts that were canceled before they were reached.", 0),
  }),
).openapi({ description: "How many contacts are in each status; they add up to `total_contacts`." });

const imported = z
  .object({
    accepted: field(whole, "Rows that became contacts; grows while the upload is being read.", 49),
    rejected: field(
      whole,
      "Rows skipped because they are invalid, listed by exportCampaignRejects; 0 without `on_invalid=skip`.",
      1,
    ),
    duplicates: field(
      whole,
      "Rows skipped because an earlier row has the same number, listed by exportCampaignDuplicates.",
      2,
    ),
    assumed: field(
      z.array(
        z.object({
          country: field(z.string(), "The country whose code was assumed for them, as ISO 3166-1 alpha-2.", "DE"),
          count: field(whole, "The number of rows with such a number.", 38),
          also_valid: field(
            whole,
            "The number of these numbers that would also be valid in another country if they began with a plus.",
            2,
          ),
          examples: field(
            z.array(
              z.object({
                written: personNumber(z.string(), {
                  description: "The number as written in the file.",
                  example: "030 901820",
                }),
                phone_number: personNumber(z.string(), {
                  description: "The number that is dialed, in E.164.",
                  example: "+4930901820",
                }),
                could_be: personNumber(z.string().nullable(), {
                  description: "The number it would be with a plus, in E.164, where that is valid too; otherwise null.",
                  example: null,
                }),
              }),
            ),
            "Up to three of them: first those that could be another country's, then in the order of the file.",
          ),
        }),
      ),
      "Numbers without a country code that were read as numbers of `default_country`. A number that " +
        "would also be valid with a plus is rejected if it is unclear which one is meant.",
    ),
  })
  .openapi({ description: "The result of all uploads so far, by rows." });

export const campaignRecord = z
  .object({
    id: campaignId,
    name: field(z.string(), "The campaign's name, up to 200 characters; need not be unique.", "Spring check"),
    status: campaignStatus,
    status_reason: field(
      z.string().nullable(),
      "Why the campaign has a status that nobody requested: `importing` while its upload is being read, or the " +
        "reason it paused itself, such as `from_number_missing`, `budget` if a budget is used up, or `storage_full` " +
        "if its history leaves no room for further calls. While it is running, `carrier_outage` or " +
        "`carrier_uncertain`: the carrier places no calls, and the campaign retries automatically, at least every " +
        "ten minutes. Otherwise null.",
      null,
    ),
    agent_id: field(
      z.string().nullable(),
      "The id of the agent that talks; null until it is set. Required to start the campaign.",
      EXAMPLE_IDS.agent,
    ),
    agent_version: field(
      agentVersion,
      "The version of the agent that calls: the `live` one, or the one with this number.",
      "live",
    ),
    from_number: field(
      z.string().nullable(),
      "The account's number that calls are made from, in E.164; null until it is set. Required to start the campaign.",
      "+12025550142",
    ),
    total_contacts: field(whole, "How many contacts it has, in any status; up to 1,000,000.", 49),
    counts,
    import: imported,
    scheduled_at: field(
      timestamp.nullable(),
      "The campaign places no calls before this time (UTC); null to dial at once.",
      "2026-12-01T14:00:00.000Z",
    ),
    timezone: field(
      z.string(),
      "The time zone of `schedule_config` for contacts without a time zone of their own; UTC by default.",
      "America/New_York",
    ),
    timezone_chosen: field(z.boolean(), "Whether the time zone was chosen; `false` for the default, UTC.", true),
    schedule_config: field(
      z.array(callingWindow).nullable(),
      "When calls may be placed, in each contact's time zone; null for any time.",
      [{ days: [1, 2, 3, 4, 5], start: "09:00", end: "17:30" }],
    ),
    max_concurrency: field(
      z.number().nullable(),
      "Maximum concurrent calls of the campaign, 1 to 10,000; null for as many as the account's cap allows.",
      10,
    ),
    calls_per_minute: field(
      z.number().nullable(),
      "Maximum calls that the campaign starts per minute, 1 to 100,000; null for as many as the account's cap allows.",
      60,
    ),
    retry_config: z
      .object({
        max_attempts: field(
          z.number(),
          "Maximum calls per contact, including the first: 1 to 20. With 1, no contact is called again.",
          3,
        ),
        retry_interval_minutes: field(
          z.number(),
          "Minutes from the end of a call until the next one, 0 to 43,200 (30 days).",
          60,
        ),
        intervals_minutes: field(
          z.array(z.number()).optional(),
          "Minutes to wait after the first call, after the second, …; the last value repeats. If set, it replaces `retry_interval_minutes`.",
          [30, 240],
        ),
        retry_on: field(z.array(z.string()), "Outcomes after which a contact is called again.", ["busy", "no_answer"]),
      })
      .openapi({ description: "Which contacts are called again, how often, and after how long." }),
    voicemail: field(
      z.enum(VOICEMAIL),
      "What happens when a machine answers: `hang_up`, `retry`, `leave_message`, `continue` or `off`.",
      "hang_up",
    ),
    voicemail_message: field(
      z.string(),
      "The message to leave if `voicemail` is `leave_message`; empty for the agent's own message or greeting.",
      "Hello {{first_name|there}}, please call us back about your appointment.",
    ),
    record: field(z.boolean().nullable(), "Whether its calls are recorded; null to use the call settings.", null),
    created_by: field(
      z.string(),
      "Who uploaded it: the id of an API key, or the subject of a console user.",
      EXAMPLE_IDS.apiKey,
    ),
    created_at: field(timestamp, "When its upload started (UTC)."),
    updated_at: field(timestamp, "When the campaign or its contacts last changed (UTC)."),
    started_at: field(timestamp.nullable(), "When it was first started (UTC); null until then."),
    ended_at: field(
      timestamp.nullable(),
      "When it was stopped or completed (UTC); null until then, and again after redialCampaign reopens it.",
    ),
  })
  .openapi("Campaign");
export type CampaignRecord = z.input<typeof campaignRecord>;
