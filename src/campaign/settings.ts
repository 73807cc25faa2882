import { z } from "@hono/zod-openapi";
import { invalidField } from "../kernel/http/errors.ts";
import { EXAMPLE_IDS } from "../kernel/http/example-ids.ts";
import { enteredNumber, instant, label, template, uuid } from "../kernel/http/fields.ts";
import { fieldErrors, invalidFields } from "../kernel/http/issues.ts";
import { named } from "../kernel/http/named-schemas.ts";
import { isObject } from "../kernel/objects.ts";
import { isTimeZone, whyNoZone } from "../kernel/zones/time-zone.ts";
import { RETRYABLE, VOICEMAIL, type Voicemail } from "./decide/state.ts";

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, "must be a time such as 09:00")
  .openapi({ example: "09:00" });

export const callingWindow = named(
  "CallingWindow",
  "A time of day on some weekdays.",
  z
    .object({
      days: z
        .array(z.int().min(1).max(7))
        .min(1)
        .max(7)
        .openapi({
          description: "The weekdays of the window: 1 for Monday to 7 for Sunday.",
          example: [1, 2, 3, 4, 5],
        }),
      start: clock.openapi({
        description: "Local time of day from which calls may be placed: `HH:MM`, 24 hours, before `end`.",
        example: "09:00",
      }),
      end: clock.openapi({
        description:
          "Local time of day from which no more calls are placed, up to `24:00`; calls in progress continue.",
        example: "17:00",
      }),
    })
    .refine(({ start, end }) => start < end, {
      error: "start must be before end; split a window across midnight into two, until 24:00 and from 00:00",
    }),
);

const waitMinutes = z.number().min(0).max(43_200);
const retryMembers = z.object({
  max_attempts: z.int().min(1).max(20).openapi({
    description: "Maximum calls per contact, 1 to 20, including the first. Default: 1.",
    example: 3,
  }),
  retry_interval_minutes: waitMinutes.openapi({
    description:
      "Minutes from the end of a call to a contact until the next one: 0 to 43,200 (30 days), fractions allowed. Default: 60.",
    example: 90,
  }),
  intervals_minutes: z
    .array(waitMinutes)
    .min(1)
    .max(20)
    .openapi({
      description:
        "Minutes to wait after the first call, after the second, …: up to 20 waits within the same bounds; the last value repeats. If set, it replaces `retry_interval_minutes`.",
      example: [30, 120, 1440],
    }),
  retry_on: z.array(z.enum(RETRYABLE)).openapi({
    description: 'Outcomes of a call after which the contact is called again. Default: `["busy", "no_answer"]`.',
    example: ["busy", "no_answer", "machine"],
  }),
});
const { max_attempts, retry_interval_minutes, intervals_minutes, retry_on } = retryMembers.shape;
const retryConfig = z.object({
  max_attempts: max_attempts.default(1),
  retry_interval_minutes: retry_interval_minutes.default(60),
  intervals_minutes: intervals_minutes.optional(),
  retry_on: retry_on.default(["busy", "no_answer"]),
});

const DEFAULT_VOICEMAIL: Voicemail = "hang_up";
export const VOICEMAIL_WORDS =
  "When a machine answers: `hang_up`: hang up, and call again if `retry_on` includes `machine`; `retry`: hang up, and call again " +
  "up to `max_attempts` regardless of `retry_on`; `leave_message`: leave a message (`voicemail_message`) and finish the contact if the carrier " +
  "supports it, otherwise as `hang_up`; `continue`: the agent talks to the machine, and the contact's outcome is " +
  "still `machine`; `off`: the carrier does not detect machines, for which most carriers charge.";

export const agentVersion = z.union([z.literal("live"), z.int().min(1)]).openapi({
  description:
    "The version of the agent that calls: the `live` one (the default), or a version by its number, which never " +
    "has more rights than the live one. Choosing another `agent_id` resets it to `live`.",
  example: "live",
});
export type AgentVersion = z.output<typeof agentVersion>;

/** Returns the version to which a campaign's agent is pinned; null if it follows the version in force. */
export function pinOf({ agent_version }: { agent_version: AgentVersion }): number | null {
  return agent_version === "live" ? null : agent_version;
}

export const settingsFields = z.object({
  name: label.openapi({
    description: "The campaign's name, 1 to 200 characters; need not be unique.",
    example: "Spring check",
  }),
  agent_id: uuid.nullable().openapi({
    description: "The id of the agent that talks; null for none. Required to start the campaign.",
    example: EXAMPLE_IDS.agent,
  }),
  agent_version: agentVersion,
  from_number: enteredNumber.nullable().openapi({
    type: ["string", "null"],
    description:
      "The number that calls are made from: one of the account's, enabled for outbound calls; null for none yet. Required to start the campaign.",
    example: "+12025550100",
  }),
  scheduled_at: instant.nullable().openapi({
    type: ["string", "null"],
    description: "The campaign places no calls before this time (ISO 8601 with an offset); null to dial at once.",
    example: "2026-12-01T09:00:00.000Z",
  }),
  timezone: z
    .string()
    .refine(isTimeZone, { error: ({ input }) => whyNoZone(String(input)) })
    .openapi({
      description: "The time zone of `schedule_config` for contacts without a time zone of their own; an IANA name.",
      example: "Europe/Berlin",
    }),
  schedule_config: z
    .array(callingWindow)
    .min(1, "must contain a window; leave it out to call at any hour")
    .max(50)
    .nullable()
    .openapi({
      description:
        "When calls may be placed: 1 to 50 windows in each contact's time zone. Calls are placed while any of them is open. Null for any time.",
      example: [{ days: [1, 2, 3, 4, 5], start: "09:00", end: "17:00" }],
    }),
  max_concurrency: z
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .openapi({
      description:
        "Maximum concurrent calls of the campaign, 1 to 10,000; never more than the account's cap. If null, only " +
        "that cap applies.",
      example: 5,
    }),
  calls_per_minute: z
    .int()
    .min(1)
    .max(100_000)
    .nullable()
    .openapi({
      description:
        "Maximum calls that the campaign starts per minute, 1 to 100,000; never more than the account's cap. If " +
        "null, only that cap applies.",
      example: 30,
    }),
  retry_config: retryConfig.openapi({
    description: "Which contacts are called again, how often, and after how long.",
    example: { max_attempts: 3, intervals_minutes: [30, 240], retry_on: ["busy", "no_answer"] },
  }),
  voicemail: z.enum(VOICEMAIL).openapi({ description: VOICEMAIL_WORDS, example: "leave_message" }),
  voicemail_message: template(z.string().max(5000)).openapi({
    description:
      "The message to leave if `voicemail` is `leave_message`, with `{{name}}` filled in as in the agent's " +
      "greeting. Empty: the agent's `voicemail_message`, or its greeting if that is empty too.",
    example: "Hello {{first_name|there}}, please call us back about your appointment.",
  }),
  record: z.boolean().nullable().openapi({
    description:
      "Whether its calls are recorded; null to use `record_outbound` of the call settings when each call starts.",
    example: null,
  }),
});

export type CampaignSettings = z.output<typeof settingsFields>;

export type StoredSettings = CampaignSettings & {
  /** Whether the time zone was chosen. Otherwise it is UTC by default. */
  timezone_chosen: boolean;
};

/**
 * Returns the time zone that was chosen for a campaign; null if it is UTC by default, which says nothing about its
 * contacts.
 */
export function chosenZone({ timezone, timezone_chosen }: StoredSettings): string | null {
  return timezone_chosen ? timezone : null;
}

/** Changes of the settings. retry_config is a JSON merge patch: null restores a member's default. */
export const settingsPatch = settingsFields.partial().extend({
  retry_config: z
    .object({
      max_attempts: max_attempts.nullish(),
      retry_interval_minutes: retry_interval_minutes.nullish(),
      intervals_minutes: intervals_minutes.nullish(),
      retry_on: retry_on.nullish(),
    })
    .nullish()
    .openapi({
      description: "Fields left out stay as they are; null restores the default of a field, or of all of them.",
      example: { max_attempts: 3 },
    }),
  voicemail: settingsFields.shape.voicemail.nullish().openapi({
    description: "What happens when a machine answers; null restores `hang_up`.",
    example: "leave_message",
  }),
  timezone_chosen: z
    .boolean()
    .optional()
    .openapi({
      description:
        "`true` chooses the current time zone, even UTC. A `timezone` counts as chosen, unless you send back the " +
        "current one with `false`.",
      example: true,
    }),
});
export type SettingsPatch = z.output<typeof settingsPatch>;

/** Returns the changed settings, complete and validated. @throws ApiError 400 */
export function patchedSettings(before: StoredSettings, changes: SettingsPatch): Partial<StoredSettings> {
  const { retry_config, voicemail, timezone_chosen, ...plain } = changes;
  const sent = Object.entries({
    ...plain,
    voicemail: voicemail === null ? DEFAULT_VOICEMAIL : voicemail,
    retry_config: retry_config === undefined ? undefined : (mergePatch(before.retry_config, retry_config) ?? {}),
  });
  const checked = settingsFields
    .partial()
    .safeParse(Object.fromEntries(sent.filter(([, value]) => value !== undefined)));
  // No value is undefined, because omitted fields were filtered out.
  if (!checked.success) throw invalidFields(fieldErrors(checked.error));
  const patched = checked.data as Partial<StoredSettings>;
  const isOther = plain.timezone !== undefined && plain.timezone !== before.timezone;
  if (timezone_chosen === false && before.timezone_chosen && !isOther)
    throw invalidField("timezone_chosen", "invalid_request", "cannot be taken back: the time zone was chosen");
  if (isOther || (timezone_chosen ?? plain.timezone !== undefined)) patched.timezone_chosen = true;
  return patched;
}

export type SentSettings = { [K in keyof CampaignSettings]?: CampaignSettings[K] | undefined };

/** Adds defaults for settings that were omitted for a new campaign. */
export function withDefaults(sent: SentSettings, name: string): StoredSettings {
  return {
    name: sent.name ?? name,
    agent_id: sent.agent_id ?? null,
    agent_version: sent.agent_version ?? "live",
    from_number: sent.from_number ?? null,
    scheduled_at: sent.scheduled_at ?? null,
    timezone: sent.timezone ?? "UTC",
    timezone_chosen: sent.timezone !== undefined,
    schedule_config: sent.schedule_config ?? null,
    max_concurrency: sent.max_concurrency ?? null,
    calls_per_minute: sent.calls_per_minute ?? null,
    retry_config: sent.retry_config ?? retryConfig.parse({}),
    record: sent.record ?? null,
    voicemail: sent.voicemail ?? DEFAULT_VOICEMAIL,
    voicemail_message: sent.voicemail_message ?? "",
  };
}

export const storedSettings = (text: string): StoredSettings => JSON.parse(text) as StoredSettings;

/**
 * Applies a JSON merge patch (RFC 7396) and returns a new value: objects are merged recursively, null removes a member,
 * and everything else, including an array, replaces the old value. The result isn't validated: the caller must parse it
 * with the schema of the whole value, which restores defaults for removed members. Neither argument is changed.
 */
export function mergePatch<T>(before: T, patch: unknown): T {
  // A patch may turn any value into any other. The caller's schema decides whether the result is still a T.
  return merged(before, patch) as T;
}

function merged(before: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(before) ? Object.entries(before) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else if (value !== undefined) members.set(name, merged(members.get(name), value));
  }
  // Defines every member as the object's own, so that none reaches a prototype.
  return Object.fromEntries(members);
}
