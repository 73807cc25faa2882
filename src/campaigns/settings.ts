import { z } from "@hono/zod-openapi";
import { isSupportedCountry } from "libphonenumber-js/min";
import { e164, label, uuid } from "../http/fields.ts";
import { isTimeZone } from "./calling-windows.ts";
import { RETRYABLE } from "./state.ts";

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

/** Any ISO 8601 time with its offset; kept as UTC with milliseconds. */
const instant = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 time with an offset, such as 2026-12-01T09:00:00Z" })
  .transform((time) => new Date(time).toISOString());

/** What of a campaign can be set at its creation and changed while it is draft or paused (design part 7). */
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
});

export type CampaignSettings = z.output<typeof settingsFields>;

export const importFields = z.object({
  default_country: z
    .string()
    .toUpperCase()
    .refine(isSupportedCountry, { error: "must be a country such as US (ISO 3166-1 alpha-2)" })
    .nullable(),
  on_invalid: z.enum(["reject", "skip"]),
});

export type ImportOptions = z.output<typeof importFields>;

const empty = (value: unknown) => (value === "" ? undefined : value);
const json = (value: unknown) => {
  if (typeof value !== "string" || value === "") return empty(value);
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};
const whole = (value: unknown) => (typeof value === "string" && /^\d+$/.test(value) ? Number(value) : empty(value));

const { shape } = settingsFields;
const optional = <T extends z.ZodType>(prepare: (value: unknown) => unknown, schema: T) =>
  z.preprocess(prepare, schema.optional());

/** The same as text fields of the multipart form; an empty field counts as not sent. */
export const formFields = z.object({
  name: optional(empty, shape.name),
  agent_id: optional(empty, shape.agent_id),
  from_number: optional(empty, shape.from_number),
  scheduled_at: optional(empty, shape.scheduled_at),
  timezone: optional(empty, shape.timezone),
  schedule_config: optional(json, shape.schedule_config),
  max_concurrency: optional(whole, shape.max_concurrency),
  calls_per_minute: optional(whole, shape.calls_per_minute),
  retry_config: optional(json, shape.retry_config),
  default_country: optional(empty, importFields.shape.default_country),
  on_invalid: optional(empty, importFields.shape.on_invalid),
});

/** What a campaign has where its creator says nothing. */
export function withDefaults(form: z.output<typeof formFields>, name: string): CampaignSettings & ImportOptions {
  return {
    name: form.name ?? name,
    agent_id: form.agent_id ?? null,
    from_number: form.from_number ?? null,
    scheduled_at: form.scheduled_at ?? null,
    timezone: form.timezone ?? "UTC",
    schedule_config: form.schedule_config ?? null,
    max_concurrency: form.max_concurrency ?? null,
    calls_per_minute: form.calls_per_minute ?? null,
    retry_config: form.retry_config ?? { max_attempts: 1, retry_interval_minutes: 60, retry_on: ["busy", "no_answer"] },
    default_country: form.default_country ?? null,
    on_invalid: form.on_invalid ?? "reject",
  };
}
