import { z } from "@hono/zod-openapi";
import { isSupportedCountry } from "libphonenumber-js/min";
import { e164, instant, label, uuid } from "../http/fields.ts";
import { isTimeZone } from "./decide/calling-windows.ts";
import { RETRYABLE } from "./decide/state.ts";

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, "must be a time such as 09:00");

const callingWindow = z
  .object({
    days: z.array(z.int().min(1).max(7)).min(1).max(7),
    start: clock,
    end: clock,
  })
  .refine(({ start, end }) => start < end, {
    error: "start must be before end; write a window over midnight as two, until 24:00 and from 00:00",
  });

const retryConfig = z.object({
  max_attempts: z.int().min(1).max(20).default(1),
  retry_interval_minutes: z.number().min(0).max(43_200).default(60),
  retry_on: z.array(z.enum(RETRYABLE)).default(["busy", "no_answer"]),
});

/** What of a campaign can be set at its creation and changed while it is draft or paused. */
export const settingsFields = z.object({
  name: label,
  agent_id: uuid.nullable(),
  from_number: e164.nullable(),
  scheduled_at: instant.nullable(),
  timezone: z.string().refine(isTimeZone, { error: "must be an IANA time zone such as Europe/Berlin" }),
  schedule_config: z
    .array(callingWindow)
    .min(1, "must hold a window; leave it out to call at any hour")
    .max(50)
    .nullable(),
  max_concurrency: z.int().min(1).max(10_000).nullable(),
  calls_per_minute: z.int().min(1).max(100_000).nullable(),
  retry_config: retryConfig,
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

/** The settings and import options as fields of the multipart form; each field comes as the texts of its parts. */
export const formFields = z.object({
  name: optional(text, shape.name).openapi({ description: "Default: Campaign and the day." }),
  agent_id: optional(text, shape.agent_id).openapi({ description: "Needed by the start." }),
  from_number: optional(text, shape.from_number).openapi({ description: "One of the account's; needed by the start." }),
  scheduled_at: optional(text, shape.scheduled_at).openapi({ description: "Nobody is dialled before." }),
  timezone: optional(text, shape.timezone).openapi({ description: "Of schedule_config. Default: `UTC`." }),
  schedule_config: optional(jsonList, shape.schedule_config).openapi({
    description:
      "When calls may be placed: JSON, all of it in one part or a part for each window. Default: at any hour.",
  }),
  max_concurrency: optional(whole, shape.max_concurrency).openapi({ description: "Default: the account's cap." }),
  calls_per_minute: optional(whole, shape.calls_per_minute).openapi({ description: "Default: the account's cap." }),
  retry_config: optional(json, shape.retry_config).openapi({ description: "JSON in one part. Default: no retries." }),
  record: optional(yesOrNo, shape.record).openapi({
    description: "Whether its calls are recorded: `true` or `false`. Default: as the call settings say.",
    example: true,
  }),
  default_country: optional(text, importFields.shape.default_country).openapi({
    description: "Of national numbers, as ISO 3166-1 alpha-2. Without one they are rejected.",
    example: "US",
  }),
  on_invalid: optional(text, importFields.shape.on_invalid).openapi({
    description: "`reject` refuses the whole upload for a bad line, `skip` leaves such lines out. Default: `reject`.",
  }),
});

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
export function importOptions(form: Form): ImportOptions {
  return { default_country: form.default_country ?? null, on_invalid: form.on_invalid ?? "reject" };
}
