import { MINUTE_MS } from "../../../../../kernel/time.ts";
import type { Body } from "../../../api/client.ts";
import { changesOf } from "../../../ui/changes.ts";

type Campaign = Body<"Campaign">;
type Changes = Body<"UpdateCampaignRequest">;

/** Outcomes after which a contact can be called again. */
export const RETRYABLE = ["busy", "no_answer", "failed", "machine"] as const;
export type Retryable = (typeof RETRYABLE)[number];
export type Voicemail = NonNullable<Changes["voicemail"]>;
/** The choices for calls answered by a machine, in order of display. */
export const VOICEMAIL = ["hang_up", "retry", "leave_message", "continue", "off"] as const satisfies Voicemail[];

/** The version that is live when a call is placed. */
export const LIVE = "live";

/** A period of the day on some weekdays; Monday is 1. */
export interface CallingHours {
  days: number[];
  start: string;
  end: string;
}

export interface SettingsValues {
  name: string;
  /** Empty if none is chosen, like the number. */
  agent_id: string;
  from_number: string;
  /** `live`, or a version's number. */
  agent_version: string;
  timezone: string;
  /** Empty for any time. */
  schedule_config: CallingHours[];
  /** In the format of the browser's field and the user's time zone; empty to start at once. */
  scheduled_at: string;
  max_concurrency: number | undefined;
  calls_per_minute: number | undefined;
  max_attempts: number | undefined;
  /** Minutes between calls, one value per call: `30, 240`. */
  intervals: string;
  retry_on: Retryable[];
  voicemail: Voicemail;
  /** Empty to use the agent's message. */
  voicemail_message: string;
  /** Empty to use the call settings. */
  record: "" | "true" | "false";
}

export const WORKING_HOURS: CallingHours = { days: [1, 2, 3, 4, 5], start: "09:00", end: "17:00" };

export const defaultSettings = (name: string, timezone: string): SettingsValues => ({
  name,
  agent_id: "",
  from_number: "",
  agent_version: LIVE,
  timezone,
  schedule_config: [structuredClone(WORKING_HOURS)],
  scheduled_at: "",
  max_concurrency: undefined,
  calls_per_minute: undefined,
  max_attempts: 1,
  intervals: "60",
  retry_on: ["busy", "no_answer"],
  voicemail: "hang_up",
  voicemail_message: "",
  record: "",
});

export function settingsOf(campaign: Campaign): SettingsValues {
  const { retry_config: retry } = campaign;
  return {
    name: campaign.name,
    agent_id: campaign.agent_id ?? "",
    from_number: campaign.from_number ?? "",
    agent_version: String(campaign.agent_version),
    timezone: campaign.timezone,
    schedule_config: (campaign.schedule_config ?? []).map(({ days, start, end }) => ({ days: [...days], start, end })),
    scheduled_at: campaign.scheduled_at === null ? "" : localTime(new Date(campaign.scheduled_at)),
    max_concurrency: campaign.max_concurrency ?? undefined,
    calls_per_minute: campaign.calls_per_minute ?? undefined,
    max_attempts: retry.max_attempts,
    intervals: (retry.intervals_minutes ?? [retry.retry_interval_minutes]).join(", "),
    retry_on: RETRYABLE.filter((outcome) => retry.retry_on.includes(outcome)),
    voicemail: campaign.voicemail,
    voicemail_message: campaign.voicemail_message,
    record: campaign.record === null ? "" : campaign.record ? "true" : "false",
  };
}

/** Formats a time for a `datetime-local` field, to the minute. */
function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** Parses "30, 240" as [30, 240]. The service refuses any part that isn't a number. */
function minutes(text: string): number[] {
  return text
    .split(/[,;\s]+/)
    .filter((part) => part !== "")
    .map(Number);
}

function retryOf(values: SettingsValues) {
  const intervals = minutes(values.intervals);
  return {
    max_attempts: values.max_attempts ?? null,
    retry_interval_minutes: intervals.length === 1 ? (intervals[0] ?? null) : null,
    intervals_minutes: intervals.length > 1 ? intervals : null,
    retry_on: [...values.retry_on],
  };
}

/**
 * Returns the changes to send to get from `before` to `after`. They always include the time zone, which counts as
 * chosen once someone has saved a form that shows it.
 */
export function changesBetween(before: SettingsValues, after: SettingsValues): Changes {
  return Object.assign({ timezone: after.timezone }, changesOf(changesTo(before), changesTo(after)));
}

function changesTo(values: SettingsValues): Changes {
  return {
    name: values.name,
    agent_id: values.agent_id || null,
    from_number: values.from_number || null,
    agent_version: values.agent_version === LIVE ? LIVE : Number(values.agent_version),
    timezone: values.timezone,
    schedule_config: values.schedule_config.length === 0 ? null : values.schedule_config,
    max_concurrency: values.max_concurrency ?? null,
    calls_per_minute: values.calls_per_minute ?? null,
    retry_config: retryOf(values),
    voicemail: values.voicemail,
    voicemail_message: values.voicemail_message,
    record: values.record === "" ? null : values.record === "true",
    scheduled_at: startOf(values),
  };
}

/** Returns the start as an ISO time; null for at once. */
function startOf({ scheduled_at }: SettingsValues): string | null {
  return scheduled_at === "" ? null : new Date(scheduled_at).toISOString();
}

/** Returns the settings as fields of the form that creates a campaign, without defaults. */
export function formFields(values: SettingsValues): [name: string, value: string][] {
  const { max_attempts, retry_interval_minutes, intervals_minutes, retry_on } = retryOf(values);
  const waits = intervals_minutes === null ? { retry_interval_minutes } : { intervals_minutes };
  const retry = Object.assign({ retry_on }, max_attempts === null ? {} : { max_attempts }, waits);
  const fields: [string, string][] = [
    ["name", values.name],
    ["agent_id", values.agent_id],
    ["from_number", values.from_number],
    ["agent_version", values.agent_version === LIVE ? "" : values.agent_version],
    ["timezone", values.timezone],
    ["schedule_config", values.schedule_config.length === 0 ? "" : JSON.stringify(values.schedule_config)],
    ["scheduled_at", startOf(values) ?? ""],
    ["max_concurrency", values.max_concurrency?.toString() ?? ""],
    ["calls_per_minute", values.calls_per_minute?.toString() ?? ""],
    ["retry_config", JSON.stringify(retry)],
    ["voicemail", values.voicemail],
    ["voicemail_message", values.voicemail_message],
    ["record", values.record],
  ];
  return fields.filter(([, value]) => value !== "");
}
