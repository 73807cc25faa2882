import { MINUTE_MS } from "../../../../../kernel/time.ts";
import type { Body } from "../../../api/client.ts";
import { changesOf } from "../../../ui/changes.ts";

type Campaign = Body<"Campaign">;
type Changes = Body<"UpdateCampaignRequest">;

/** Outcomes after which somebody can be called again. */
export const RETRYABLE = ["busy", "no_answer", "failed", "machine"] as const;
export type Retryable = (typeof RETRYABLE)[number];
export type Voicemail = NonNullable<Changes["voicemail"]>;
/** What can be done where a machine answers, in the order in which it is offered. */
export const VOICEMAIL = ["hang_up", "retry", "leave_message", "continue", "off"] as const satisfies Voicemail[];

/** The version of an agent that is in force when a call is placed. */
export const LIVE = "live";

/** A time of day on some weekdays, 1 for Monday. */
export interface CallingHours {
  days: number[];
  start: string;
  end: string;
}

/** The settings of a campaign as a form holds them. */
export interface SettingsValues {
  name: string;
  /** Empty for none yet, as is the number. */
  agent_id: string;
  from_number: string;
  /** `live`, or a version's number. */
  agent_version: string;
  timezone: string;
  /** None for at any hour. */
  schedule_config: CallingHours[];
  /** As in the browser's field, on the reader's clock; empty for at once. */
  scheduled_at: string;
  max_concurrency: number | undefined;
  calls_per_minute: number | undefined;
  max_attempts: number | undefined;
  /** Minutes between two calls, one after the other where there are several: `30, 240`. */
  intervals: string;
  retry_on: Retryable[];
  voicemail: Voicemail;
  /** Empty for the agent's own. */
  voicemail_message: string;
  /** Empty for as the call settings say. */
  record: "" | "true" | "false";
}

/** Working hours: what a window begins with. */
export const WORKING_HOURS: CallingHours = { days: [1, 2, 3, 4, 5], start: "09:00", end: "17:00" };

/** The initial settings of a new campaign. */
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

/** The settings that a campaign has. */
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
    voicemail: campaign.voicemail ?? "hang_up",
    voicemail_message: campaign.voicemail_message ?? "",
    record: campaign.record === null || campaign.record === undefined ? "" : campaign.record ? "true" : "false",
  };
}

/** A time in the format of a `datetime-local` field, to the minute. */
function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** "30, 240" → [30, 240]; what is no number is left to the service to refuse. */
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
 * The changes to send so that a campaign has these settings in place of those: what was changed, and the time zone,
 * which counts as chosen once somebody has saved a form that shows it.
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

/** The start as an exact time; null for at once. */
function startOf({ scheduled_at }: SettingsValues): string | null {
  return scheduled_at === "" ? null : new Date(scheduled_at).toISOString();
}

/** The settings as fields of the form that makes a campaign; what is as by default is left out. */
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
