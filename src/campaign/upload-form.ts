import { z } from "@hono/zod-openapi";
import { isSupportedCountry } from "libphonenumber-js/max";
import { EXAMPLE_IDS } from "../kernel/http/example-ids.ts";
import { MAX_TEXT_BYTES, plainText } from "../kernel/http/fields.ts";
import { inspectJson, MAX_KEY_CHARS, MAX_VALUES } from "../kernel/http/inspect-json.ts";
import { isObject } from "../kernel/objects.ts";
import { MAX_ROW_CHARS } from "../lists/columns.ts";
import type { ColumnNames, RowChanges } from "../lists/corrections.ts";
import { settingsFields, VOICEMAIL_WORDS } from "./settings.ts";

const importFields = z.object({
  default_country: z
    .string()
    .toUpperCase()
    .refine(isSupportedCountry, { error: "must be a country such as US (ISO 3166-1 alpha-2)" })
    .nullable(),
  on_invalid: z.enum(["reject", "skip"]),
});

export type ImportOptions = z.output<typeof importFields>;

/** Returns a field's value: the last of several parts with this name. An empty one counts as not sent. */
const text = (parts: unknown) => {
  const value = Array.isArray(parts) ? parts.at(-1) : parts;
  return value === "" ? undefined : value;
};
const whole = (parts: unknown) => {
  const value = text(parts);
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
};
const yesOrNo = (parts: unknown) => {
  const value = text(parts);
  return value === "true" || value === "false" ? value === "true" : value;
};
/** Reads JSON whose keys have at most this many characters. @throws ApiError for JSON beyond the limits of bodies */
const jsonWith = (keyChars: number) => (parts: unknown, context: z.RefinementCtx) => {
  const value = text(parts);
  if (typeof value !== "string") return value;
  let sent: unknown;
  try {
    sent = JSON.parse(value);
  } catch {
    context.addIssue({ code: "custom", message: "must be JSON" });
    return z.NEVER;
  }
  // The texts have their own rules: a column may be called `__proto__`.
  inspectJson(sent, { values: MAX_VALUES, keyChars, textBytes: MAX_TEXT_BYTES, halfPairs: true, protoKeys: true });
  return sent;
};
const json = jsonWith(MAX_KEY_CHARS);
/** The keys are headers of the file, each of which may be as long as a row. */
const jsonOfHeaders = jsonWith(MAX_ROW_CHARS);
/** Reads a list in one part, or in one part per item, as generated clients send it. */
const jsonList = (parts: unknown, context: z.RefinementCtx) => {
  const values = [parts].flat().filter((part) => part !== undefined && part !== "");
  if (values.length === 0) return undefined;
  const lists = values.map((value) => json(value, context));
  return lists[0] === null ? null : lists.flat();
};

const { shape } = settingsFields;
const optional = <T extends z.ZodType>(prepare: (value: unknown, context: z.RefinementCtx) => unknown, schema: T) =>
  z.preprocess(prepare, schema.optional());

const jsonObject = z.custom<Record<string, unknown>>(isObject, "must be a JSON object");
const fieldName = plainText.trim().min(1, "the name of a field must not be empty");
const header = plainText.trim().min(1, "must not be empty");
const changedCells = jsonObject.nullable();

/** Validates a value and adds an issue under `path` if it is invalid. */
function check<T>(schema: z.ZodType<T>, value: unknown, path: string[], context: z.RefinementCtx): T | undefined {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  context.addIssue({ code: "custom", path, message: parsed.error.issues[0]?.message ?? "is not valid" });
  return undefined;
}

/** Not z.record, which would drop a column called `__proto__`. */
const columns = jsonObject.transform((sent, context): ColumnNames => {
  const names = new Map<string, string | null>();
  for (const [key, value] of Object.entries(sent)) {
    const field = check(fieldName, key, [], context);
    const from = check(header.nullable(), value, [key], context);
    if (field !== undefined && from !== undefined) names.set(field, from);
  }
  return names;
});

const rows = jsonObject.transform((sent, context): RowChanges => {
  const lines = new Map<number, [string, string][] | null>();
  for (const [line, value] of Object.entries(sent)) {
    if (!/^[1-9]\d{0,9}$/.test(line))
      context.addIssue({ code: "custom", path: [line], message: "must be the number of a line" });
    const cells = check(changedCells, value, [line], context);
    if (cells === undefined) continue;
    const changed = Object.entries(cells ?? {}).map(([name, cell]): [string, string] => [
      name,
      check(plainText, cell, [line, name], context) ?? "",
    ]);
    lines.set(Number(line), cells && changed);
  }
  return lines;
});

/** A typical file. The examples of `columns` and `rows` correct it. */
export const EXAMPLE_FILE =
  "Mobile,Vorname,Notes\n+12025550111,Ada,prefers mornings\n0117,Grace,\n,Linus,no number yet\n";

/** Corrections of the file. Both must come before it in the form. */
const correctionShape = {
  columns: optional(json, columns).openapi({
    type: "object",
    additionalProperties: { type: ["string", "null"] },
    description:
      "Which column becomes which field, as JSON: the field's name with the header in the file. `null` leaves the column " +
      "of that name out: its cells are not stored. A column that is not named keeps its name. Headers are matched without " +
      "case, spaces and hyphens; a column can also be named by its position, such as `column_3`. Must come before the file.",
    example: { phone_number: "Mobile", first_name: "Vorname", Notes: null },
  }),
  rows: optional(jsonOfHeaders, rows).openapi({
    type: "object",
    additionalProperties: { type: ["object", "null"], additionalProperties: { type: "string" } },
    description:
      "Corrections of rows, as JSON of up to 1,000,000 bytes: by the line of the file on which the row begins (the " +
      "header is line 1, or 2 below a `sep=` line), its changed cells by their headers in the file. `null` leaves " +
      "the row out. The n-th surplus cell of a row is `_extra_n`, and is dropped if it is empty. A row with " +
      "malformed quotes can only be left out. Must come before the file.",
    example: { 3: { Mobile: "+12025550117" }, 4: null },
  }),
};

export const correctionFields = z.object(correctionShape);

const importShape = {
  default_country: optional(text, importFields.shape.default_country).openapi({
    description:
      "The country of numbers without a country code, as ISO 3166-1 alpha-2. If left out, such numbers are rejected.",
    example: "US",
  }),
  on_invalid: optional(text, importFields.shape.on_invalid).openapi({
    description:
      "What happens to invalid rows: `reject` refuses the whole upload, `skip` skips them and lists them in exportCampaignRejects. Default: `reject`.",
    example: "skip",
  }),
  ...correctionShape,
};

/**
 * The settings and import options as fields of the multipart form. Each field is parsed from the texts of its parts.
 */
export const formFields = z.object({
  name: optional(text, shape.name).openapi({
    description: "The campaign's name, up to 200 characters. Default: `Campaign` and the day (UTC).",
    example: "Spring check",
  }),
  agent_id: optional(text, shape.agent_id).openapi({
    description: "The id of the agent that talks. Default: none. Required to start the campaign.",
    example: EXAMPLE_IDS.agent,
  }),
  agent_version: optional(whole, shape.agent_version).openapi({
    description:
      "The version of the agent that calls: `live` (the default), or a version by its number, which never has more " +
      "rights than the live one.",
    example: "live",
  }),
  from_number: optional(text, shape.from_number).openapi({
    description:
      "The number that calls are made from: one of the account's. Default: none. Required to start the campaign.",
    example: "+12025550100",
  }),
  scheduled_at: optional(text, shape.scheduled_at).openapi({
    description: "The campaign places no calls before this time (ISO 8601 with an offset). Default: at once.",
    example: "2026-12-01T09:00:00.000Z",
  }),
  timezone: optional(text, shape.timezone).openapi({
    description:
      "The time zone of `schedule_config` for contacts without a time zone of their own; an IANA name. Default: `UTC`.",
    example: "Europe/Berlin",
  }),
  schedule_config: optional(jsonList, shape.schedule_config).openapi({
    description:
      "When calls may be placed: JSON, in one part or one part per window, up to 50 windows. Default: any time.",
    example: [{ days: [1, 2, 3, 4, 5], start: "09:00", end: "17:00" }],
  }),
  max_concurrency: optional(whole, shape.max_concurrency).openapi({
    description: "Maximum concurrent calls of the campaign, 1 to 10,000. Default: the account's cap.",
    example: 5,
  }),
  calls_per_minute: optional(whole, shape.calls_per_minute).openapi({
    description: "Maximum calls that the campaign starts per minute, 1 to 100,000. Default: the account's cap.",
    example: 30,
  }),
  retry_config: optional(json, shape.retry_config).openapi({
    description:
      "Which contacts are called again, how often, and after how long: JSON in one part. Default: no retries.",
    example: { max_attempts: 3, intervals_minutes: [30, 240], retry_on: ["busy", "no_answer"] },
  }),
  voicemail: optional(text, shape.voicemail).openapi({
    description: `${VOICEMAIL_WORDS} Default: \`hang_up\`.`,
    example: "leave_message",
  }),
  voicemail_message: optional(text, shape.voicemail_message).openapi({
    description:
      "The message to leave if `voicemail` is `leave_message`, up to 5,000 characters. Default: the agent's " +
      "`voicemail_message`, or its greeting if that is empty.",
    example: "Hello {{first_name|there}}, please call us back about your appointment.",
  }),
  record: optional(yesOrNo, shape.record).openapi({
    description: "Whether its calls are recorded: `true` or `false`. Default: `record_outbound` of the call settings.",
    example: true,
  }),
  ...importShape,
});

/** The fields of the form that adds contacts to a campaign. */
export const appendFields = z.object(importShape);

/**
 * Returns the options for reading the form's contacts. They are used only during the import and not stored with the
 * campaign.
 */
export function importOptions(form: z.output<typeof appendFields>): ImportOptions {
  return { default_country: form.default_country ?? null, on_invalid: form.on_invalid ?? "reject" };
}
