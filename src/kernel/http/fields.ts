import { z } from "@hono/zod-openapi";
import { readNumber, whyNoNumber } from "../numbers/read-number.ts";
import { MOST_NUMBER_CHARS } from "../numbers/written.ts";
import { templateFault } from "../rendering/placeholders.ts";
import { whyNoZone, zoneNamed } from "../zones/time-zone.ts";
import { INVALID_NUMBER } from "./issues.ts";
import { isPlainText } from "./plain-text.ts";

/** A time in ISO 8601, in UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 }).openapi({ example: "2026-11-21T09:30:00.000Z" });
export const createdAt = timestamp.openapi({ description: "When it was created (UTC); it never changes." });
export const updatedAt = timestamp.openapi({
  description: "When any of its fields last changed (UTC); initially, when it was created.",
  example: "2026-11-21T10:05:12.480Z",
});
/** Any ISO 8601 time with its offset. It is converted to UTC with milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 time with an offset, such as 2026-12-01T09:00:00Z" })
  .transform((time) => new Date(time).toISOString())
  .openapi({ type: "string", format: "date-time", example: "2026-11-21T00:00:00Z" });
/** An id in either case (RFC 9562, 4); ids are stored in lower case. */
export const uuid = z.uuid().toLowerCase();
/** A phone number in the form in which it is stored and shown, E.164: a plus sign and 7 to 15 digits. */
export const e164 = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, "must be an E.164 number such as +12025550100")
  .openapi({ example: "+12025550100" });
/**
 * A phone number with its calling code, in the form in which a person or program enters it. Every spelling of a valid
 * number becomes E.164. Anything else is `invalid_number`.
 */
export const enteredNumber = z
  .string()
  .transform((written, context) => {
    const read = readNumber(written, null);
    if ("e164" in read) return read.e164;
    context.addIssue({ code: "custom", message: whyNoNumber(read), params: { code: INVALID_NUMBER } });
    return z.NEVER;
  })
  .openapi({ type: "string", maxLength: MOST_NUMBER_CHARS, example: "+12025550100" });
/** A phone number in a query string, where an unescaped plus arrives as a space. */
export const numberInQuery = z
  .string()
  .transform((text) => text.replace(/^ (?=\d)/, "+"))
  .pipe(enteredNumber);
/** A name that is not blank. */
export const label = z.string().trim().min(1, "must not be empty").max(200);
/** An IANA time zone in any case. It is converted to the database's spelling. */
export const timezone = z
  .string()
  .transform((written, context) => {
    const zone = zoneNamed(written);
    if (zone !== null) return zone;
    context.addIssue({ code: "custom", message: whyNoZone(written) });
    return z.NEVER;
  })
  .openapi({ type: "string", example: "Europe/Berlin" });
/** Returns the schema of a text with `{{name}}` placeholders. A text with an unsupported filter is refused. */
export const template = <S extends z.ZodString>(text: S) =>
  text.superRefine((written, context) => {
    const message = templateFault(written);
    if (message !== null) context.addIssue({ code: "custom", message });
  });
/** Whether an attempt succeeded, and the reason if it did not. */
export const tried = z
  .object({
    ok: z.boolean().openapi({ description: "Whether it worked.", example: true }),
    detail: z.string().openapi({
      description: "The result, or what to do if it failed, in a sentence.",
      example: "the key works",
    }),
  })
  .openapi("Verification");
/** The maximum size of a single text in a JSON body, bytes. `readJsonBody` refuses larger texts. */
export const MAX_TEXT_BYTES = 256 * 1024;
/** A text up to that size: a prompt, a tool's code, the content of a playbook or an FAQ. */
export const longText = z.string().openapi({ maxLength: MAX_TEXT_BYTES });
const MAX_JSON_BYTES = 64 * 1024;
export const jsonBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
/** Limits the size of a field with arbitrary JSON. */
export const smallJson = <S extends z.ZodType>(schema: S) =>
  schema.refine((value) => jsonBytes(value) <= MAX_JSON_BYTES, {
    error: "must not be larger than 64 KB as JSON",
  });
export const jsonObject = smallJson(z.record(z.string(), z.unknown()));
/**
 * Texts by name in a response; null if the caller may not see them. z.record is not used, because it would drop a
 * contact's column called `__proto__`.
 */
export const textsByName = z
  .custom<Record<string, string>>((value) => typeof value === "object" && value !== null)
  .openapi({ type: ["object", "null"], additionalProperties: { type: "string" } });
/**
 * A text that every endpoint accepts for a contact's values, including uploads, so that stored values can be exported
 * and uploaded again.
 */
export const plainText = z.string().refine(isPlainText, "must not contain NUL characters or unpaired surrogates");
export const MAX_VARIABLES = 64;
/** Variables for an agent's texts in one conversation: texts by name. Their JSON is limited to this many KB. */
export const variablesUpTo = (kilobytes: number) =>
  z
    .record(plainText, plainText)
    .refine((texts) => Object.keys(texts).length <= MAX_VARIABLES, `must not have more than ${MAX_VARIABLES} names`)
    .refine((texts) => jsonBytes(texts) <= kilobytes * 1024, `must not be larger than ${kilobytes} KB as JSON`)
    .openapi({
      description: `Up to ${MAX_VARIABLES} texts by name, for the agent's prompt and greeting; ${kilobytes} KB of JSON at most.`,
      example: { first_name: "Ann" },
    });
/** A whole number in a URL. Only digits are accepted, because JavaScript would also parse `1e0` and `0x1`. */
export const digits = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .transform(Number);
/** The bytes of a file or of audio. */
export const bytes = z.string().openapi({ type: "string", format: "binary" });

/** Returns the query parameter that selects a version of the agent in `agent_id`. */
export const agentVersionFilter = (what: string) =>
  digits
    .pipe(z.number().min(1))
    .optional()
    .openapi({
      type: "integer",
      description: `Only ${what} held with the version of this number; requires \`agent_id\`, as each agent numbers its own.`,
      example: 3,
    });
