import { z } from "@hono/zod-openapi";

/** ISO 8601 UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 }).openapi({ example: "2026-11-21T09:30:00.000Z" });
/** Any ISO 8601 time with its offset; kept as UTC with milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 time with an offset, such as 2026-12-01T09:00:00Z" })
  .transform((time) => new Date(time).toISOString());
export const uuid = z.uuid();
/** E.164: a plus and 7 to 15 digits. */
export const e164 = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, "must be an E.164 number such as +12025550100")
  .openapi({ example: "+12025550100" });
/** A name with something in it. */
export const label = z.string().trim().min(1, "must not be empty").max(200);
/** What tools, playbooks and FAQs are called. */
export const snakeName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, "must be snake_case: a letter, then letters, digits and underscores, 63 at most")
  .openapi({ example: "book_appointment" });
export const tags = z.array(z.string().min(1).max(50)).max(50);
/** Most bytes of a field that is JSON. */
const MAX_JSON_BYTES = 64 * 1024;
/** The bytes that a value takes as JSON. */
export const jsonBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
/** A field that holds what an account likes, as long as it is small. */
export const smallJson = <S extends z.ZodType>(schema: S) =>
  schema.refine((value) => jsonBytes(value) <= MAX_JSON_BYTES, {
    error: "must not be over 64 KB as JSON",
  });
/** Any JSON object, in a request. */
export const jsonObject = smallJson(z.record(z.string(), z.unknown()));
/** Texts by name, in an answer. Not z.record, which would drop a contact's column called `__proto__`. */
export const textsByName = z
  .custom<Record<string, string>>((value) => typeof value === "object" && value !== null)
  .openapi({ type: "object", additionalProperties: { type: "string" } });
/** Bytes: a file, or audio. */
export const bytes = z.string().openapi({ type: "string", format: "binary" });
