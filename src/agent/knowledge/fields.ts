import { z } from "@hono/zod-openapi";
import { type SQL, sql } from "drizzle-orm";
import { documents } from "../../kernel/db/schema/index.ts";
import { type ApiError, invalidField } from "../../kernel/http/errors.ts";
import { label } from "../../kernel/http/fields.ts";
import { languageNamed, whyNoLanguage } from "../speech/language.ts";
import { MAX_PAGES, REFRESH_HOURS } from "./limits.ts";

/** The supported media types by file extension. */
const CONTENT_TYPES = {
  md: "text/markdown",
  markdown: "text/markdown",
  txt: "text/plain",
  html: "text/html",
  htm: "text/html",
  csv: "text/csv",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
} as const;

export const contentTypeField = z.enum(Object.values(CONTENT_TYPES));

/** Returns the media type of a file by its extension; null if it cannot be read. */
export function contentTypeOf(fileName: string): z.output<typeof contentTypeField> | null {
  const ending = fileName.slice(fileName.lastIndexOf(".") + 1).toLowerCase();
  return Object.entries(CONTENT_TYPES).find(([name]) => name === ending)?.[1] ?? null;
}

const language = z
  .string()
  .transform((written, context) => {
    const tag = languageNamed(written);
    if (tag !== null) return tag;
    context.addIssue({ code: "custom", message: whyNoLanguage(written) });
    return z.NEVER;
  })
  .nullable()
  .openapi({
    type: ["string", "null"],
    maxLength: 35,
    description: "The language of its text (BCP 47). Null: the detected language.",
    example: "en-US",
  });

const day = (which: string) =>
  z.iso
    .date("must be a day such as 2026-12-31")
    .nullable()
    .openapi({
      description: `The ${which} day on which agents find it, in the account's time zone; null for no limit.${which === "last" ? " Not before the first." : ""}`,
      example: which === "first" ? "2026-12-01" : "2026-12-31",
    });

export const documentFields = z.object({
  title: label.openapi({ description: "The name, up to 200 characters.", example: "Price list 2026" }),
  language,
  effective_from: day("first"),
  effective_until: day("last"),
});

export const addressFields = z.object({
  url: z.string().max(2_000).openapi({
    description: "The address that it is read from: https, on a public host.",
    example: "https://www.example.com/help",
  }),
  pages: z
    .number()
    .int()
    .min(1)
    .max(MAX_PAGES)
    .openapi({
      description: `The maximum number of pages to read, up to ${MAX_PAGES}. With 1, only the address is read; with more, also pages of its sitemap and linked pages on the same host.`,
      example: 20,
    }),
  refresh_hours: z
    .number()
    .int()
    .min(REFRESH_HOURS.min)
    .max(REFRESH_HOURS.max)
    .nullable()
    .openapi({
      description: `The number of hours after which the address is read again, at least ${REFRESH_HOURS.min}; null for never.`,
      example: 168,
    }),
});

interface Days {
  effective_from?: string | null | undefined;
  effective_until?: string | null | undefined;
}

/** Creates the 400 for a document whose last day is before its first. It names a field that was sent. */
export function daysOutOfOrder({ effective_until }: Days): ApiError {
  const field = effective_until === undefined ? "effective_from" : "effective_until";
  return invalidField(field, "invalid", "`effective_until` must not be before `effective_from`");
}

/** @throws ApiError 400 */
export function assertDaysInOrder(days: Days): void {
  const { effective_from, effective_until } = days;
  if (effective_from && effective_until && effective_until < effective_from) throw daysOutOfOrder(days);
}

/**
 * Returns the condition that a stored document's last day is not before its first after this change, or that the change
 * leaves both as they are. Returns undefined if the change contains neither.
 */
export function keepsDaysInOrder({ effective_from, effective_until }: Days): SQL | undefined {
  if (effective_from === undefined && effective_until === undefined) return undefined;
  const [from, until] = [documents.effective_from, documents.effective_until];
  const first = effective_from === undefined ? sql`${from}` : sql`${effective_from}`;
  const last = effective_until === undefined ? sql`${until}` : sql`${effective_until}`;
  const isSame = sql`(${first} IS ${from} AND ${last} IS ${until})`;
  return sql`(${first} IS NULL OR ${last} IS NULL OR ${first} <= ${last} OR ${isSame})`;
}

/** The fields that a change of a document may contain. */
export const documentChanges = documentFields
  .partial()
  .extend({ refresh_hours: addressFields.shape.refresh_hours.optional() });
