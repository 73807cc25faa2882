import { z } from "@hono/zod-openapi";
import { isSupportedCountry } from "libphonenumber-js/min";
import { invalid } from "../http/errors.ts";
import { e164, instant, label, uuid } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { isTimeZone } from "./decide/calling-windows.ts";
import { RETRYABLE, VOICEMAIL, type Voicemail } from "./decide/state.ts";

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, "must be a time such as 09:00")
  .openapi({ example: "09:00" });

const callingWindow = z
  .object({
    days: z
      .array(z.int().min(1).max(7))
      .min(1)
      .max(7)
      .openapi({ description: "1 for Monday to 7 for Sunday.", example: [1, 2, 3, 4, 5] }),
    start: clock.openapi({ description: "When it opens, in 24 hours.", example: "09:00" }),
    end: clock.openapi({ description: "When it closes; up to `24:00`.", example: "17:00" }),
  })
  .refine(({ start, end }) => start < end, {
    error: "start must be before end; write a window over midnight as two, until 24:00 and from 00:00",
  });

const waitMinutes = z.number().min(0).max(43_200);
/** The members of retry_config, of which none must be sent. */
const retryMembers = z.object({
  max_attempts: z.int().min(1).max(20).openapi({
    description: "Calls to a contact at the most, 1 to 20, the first included. Default: 1.",
    example: 3,
  }),
  retry_interval_minutes: waitMinutes.openapi({
    description:
      "Wait between two calls to a contact, from the end of the first: 0 to 43,200 (30 days), also fractions. Default: 60.",
    example: 90,
  }),
  intervals_minutes: z
    .array(waitMinutes)
    .min(1)
    .max(20)
    .openapi({
      description:
        "Waits after the first call, after the second, …, within the same bounds; the last one counts on. Where it is there, `retry_interval_minutes` is not used.",
      example: [30, 120, 1440],
    }),
  retry_on: z.array(z.enum(RETRYABLE)).openapi({
    description: 'How a call may end for the contact to be called again. Default: `["busy", "no_answer"]`.',
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

const VOICEMAIL_WORDS =
  "Where a machine answers: `hang_up`, and call again if `retry_on` names `machine`; `retry`: hang up, and call again " +
  "up to `max_attempts` whatever `retry_on` says; `leave_message`: the agent's greeting is spoken where the carrier " +
  "can, and ends the contact, else as `hang_up`.";

/** What of a campaign can be set at its creation and changed while it is draft or paused. */
export const settingsFields = z.object({
  name: label.openapi({ description: "What the campaign is called, up to 200 characters.", example: "Spring check" }),
  agent_id: uuid.nullable().openapi({
    description: "The agent that talks; null for none yet.",
    example: "0190b1a0-0000-7000-8000-000000000001",
  }),
  from_number: e164.nullable().openapi({
    description: "The account's number that calls are made from; null for none yet.",
    example: "+12025550100",
  }),
  scheduled_at: instant.nullable().openapi({
    description: "Nobody is dialled before this time, which has an offset; null for none.",
    example: "2026-12-01T09:00:00.000Z",
  }),
  timezone: z.string().refine(isTimeZone, { error: "must be an IANA time zone such as Europe/Berlin" }).openapi({
    description: "In which `schedule_config` counts for contacts without a `timezone` of their own; an IANA name.",
    example: "Europe/Berlin",
  }),
  schedule_config: z
    .array(callingWindow)
    .min(1, "must hold a window; leave it out to call at any hour")
    .max(50)
    .nullable()
    .openapi({
      description: "When calls may be placed, up to 50 windows; null for at any hour.",
      example: [{ days: [1, 2, 3, 4, 5], start: "09:00", end: "17:00" }],
    }),
  max_concurrency: z.int().min(1).max(10_000).nullable().openapi({
    description: "Calls at once, below the account's cap; null for that cap alone.",
    example: 5,
  }),
  calls_per_minute: z.int().min(1).max(100_000).nullable().openapi({
    description: "Calls begun a minute, below the account's cap; null for that cap alone.",
    example: 30,
  }),
  retry_config: retryConfig.openapi({
    description: "Who is called again, how often, and after how long.",
    example: { max_attempts: 3, intervals_minutes: [30, 240], retry_on: ["busy", "no_answer"] },
  }),
  voicemail: z.enum(VOICEMAIL).openapi({ description: VOICEMAIL_WORDS, example: "leave_message" }),
  record: z.boolean().nullable().openapi({
    description: "Whether its calls are recorded; null for as the call settings say.",
    example: null,
  }),
});

export type CampaignSettings = z.output<typeof settingsFields>;

/** The settings as a campaign keeps them. */
export type StoredSettings = CampaignSettings & {
  /** Whether somebody chose the time zone, or it is UTC for want of one. */
  timezone_chosen: boolean;
};
/** Changes of the settings, by JSON merge patch within retry_config: null for a member brings its default back. */
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
      description: "Members left out stay as they are; null brings a member's default back, or those of all of them.",
      example: { max_attempts: 3 },
    }),
  voicemail: settingsFields.shape.voicemail.nullish().openapi({
    description: "What is done where a machine answers; null brings `hang_up` back.",
    example: "leave_message",
  }),
});
export type SettingsPatch = z.output<typeof settingsPatch>;

/** The settings that are another with these changes, whole and checked. @throws ApiError 400 */
export function patchedSettings(before: CampaignSettings, changes: SettingsPatch): Partial<CampaignSettings> {
  const { retry_config, voicemail, ...plain } = changes;
  const sent = Object.entries({
    ...plain,
    voicemail: voicemail === null ? DEFAULT_VOICEMAIL : voicemail,
    retry_config: retry_config === undefined ? undefined : (mergePatch(before.retry_config, retry_config) ?? {}),
  });
  const checked = settingsFields
    .partial()
    .safeParse(Object.fromEntries(sent.filter(([, value]) => value !== undefined)));
  // None is undefined: those were left out.
  if (checked.success) return checked.data as Partial<CampaignSettings>;
  throw invalid(checked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
}

const DEFAULT_VOICEMAIL: Voicemail = "hang_up";

const importFields = z.object({
  default_country: z
    .string()
    .toUpperCase()
    .refine(isSupportedCountry, { error: "must be a country such as US (ISO 3166-1 alpha-2)" })
    .nullable(),
  on_invalid: z.enum(["reject", "skip"]),
});

export type ImportOptions = z.output<typeof importFields>;

/** A field's value: the last of several parts with its name; an empty one counts as not sent. */
const text = (parts: unknown) => {
  const value = Array.isArray(parts) ? parts.at(-1) : parts;
  return value === "" ? undefined : value;
};
const whole = (parts: unknown) => {
  const value = text(parts);
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
};
const yesOrNo = (parts: unknown) => {
  const value = text(parts);
  return value === "true" || value === "false" ? value === "true" : value;
};
const json = (parts: unknown) => {
  const value = text(parts);
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};
/** A list as one part, or with a part for each of its items, as generated clients send it. */
const jsonList = (parts: unknown) => {
  const values = [parts].flat().filter((part) => part !== undefined && part !== "");
  if (values.length === 0) return undefined;
  const lists = values.map(json);
  return lists[0] === null ? null : lists.flat();
};

const { shape } = settingsFields;
const optional = <T extends z.ZodType>(prepare: (value: unknown) => unknown, schema: T) =>
  z.preprocess(prepare, schema.optional());

const importShape = {
  default_country: optional(text, importFields.shape.default_country).openapi({
    description: "Of national numbers, as ISO 3166-1 alpha-2. Without one they are rejected.",
    example: "US",
  }),
  on_invalid: optional(text, importFields.shape.on_invalid).openapi({
    description: "`reject` refuses the whole upload for a bad line, `skip` leaves such lines out. Default: `reject`.",
    example: "skip",
  }),
};

/** The settings and import options as fields of the multipart form; each field comes as the texts of its parts. */
export const formFields = z.object({
  name: optional(text, shape.name).openapi({
    description: "What the campaign is called, up to 200 characters. Default: Campaign and the day.",
    example: "Spring check",
  }),
  agent_id: optional(text, shape.agent_id).openapi({
    description: "The agent that talks; needed by the start.",
    example: "0190b1a0-0000-7000-8000-000000000001",
  }),
  from_number: optional(text, shape.from_number).openapi({
    description: "One of the account's numbers, from which calls are made; needed by the start.",
    example: "+12025550100",
  }),
  scheduled_at: optional(text, shape.scheduled_at).openapi({
    description: "Nobody is dialled before this time, which has an offset. Default: none.",
    example: "2026-12-01T09:00:00.000Z",
  }),
  timezone: optional(text, shape.timezone).openapi({
    description: "The IANA time zone of `schedule_config`, for contacts without one of their own. Default: `UTC`.",
    example: "Europe/Berlin",
  }),
  schedule_config: optional(jsonList, shape.schedule_config).openapi({
    description:
      "When calls may be placed: JSON, all of it in one part or a part for each window, up to 50. Default: at any hour.",
    example: [{ days: [1, 2, 3, 4, 5], start: "09:00", end: "17:00" }],
  }),
  max_concurrency: optional(whole, shape.max_concurrency).openapi({
    description: "Calls at once, 1 to 10,000. Default: the account's cap.",
    example: 5,
  }),
  calls_per_minute: optional(whole, shape.calls_per_minute).openapi({
    description: "Calls begun a minute, 1 to 100,000. Default: the account's cap.",
    example: 30,
  }),
  retry_config: optional(json, shape.retry_config).openapi({
    description: "Who is called again, how often, and after how long: JSON in one part. Default: no retries.",
    example: { max_attempts: 3, intervals_minutes: [30, 240], retry_on: ["busy", "no_answer"] },
  }),
  voicemail: optional(text, shape.voicemail).openapi({
    description: `${VOICEMAIL_WORDS} Default: \`hang_up\`.`,
    example: "leave_message",
  }),
  record: optional(yesOrNo, shape.record).openapi({
    description: "Whether its calls are recorded: `true` or `false`. Default: as the call settings say.",
    example: true,
  }),
  ...importShape,
});

/** The fields of the form by which contacts are added to a campaign. */
export const appendFields = z.object(importShape);

type Form = z.output<typeof formFields>;

/** The settings of a campaign whose creator sent this form, with the defaults for what it leaves out. */
export function withDefaults(form: Form, name: string): StoredSettings {
  return {
    name: form.name ?? name,
    agent_id: form.agent_id ?? null,
    from_number: form.from_number ?? null,
    scheduled_at: form.scheduled_at ?? null,
    timezone: form.timezone ?? "UTC",
    timezone_chosen: form.timezone !== undefined,
    schedule_config: form.schedule_config ?? null,
    max_concurrency: form.max_concurrency ?? null,
    calls_per_minute: form.calls_per_minute ?? null,
    retry_config: form.retry_config ?? retryConfig.parse({}),
    record: form.record ?? null,
    voicemail: form.voicemail ?? DEFAULT_VOICEMAIL,
  };
}

/** The settings that a campaign has stored, with the defaults for what an earlier release did not know. */
export function storedSettings(text: string): StoredSettings {
  const stored = JSON.parse(text) as CampaignSettings & Partial<StoredSettings>;
  const settings = withDefaults(stored, stored.name);
  settings.timezone_chosen = stored.timezone_chosen ?? stored.timezone !== "UTC";
  return settings;
}

/** How the form's contacts are to be read: of use during the import only, and no part of the campaign. */
export function importOptions(form: z.output<typeof appendFields>): ImportOptions {
  return { default_country: form.default_country ?? null, on_invalid: form.on_invalid ?? "reject" };
}
