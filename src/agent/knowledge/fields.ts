import { z } from "@hono/zod-openapi";
import { label } from "../../kernel/http/fields.ts";
import { languageNamed, whyNoLanguage } from "../speech/language.ts";

/** The media types that documents can have, by the endings of their names. */
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

/** Returns the media type of a file by the ending of its name; null if it is none that can be read. */
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
    description: "The language of its text (BCP 47). Null: the one that is detected.",
    example: "en-US",
  });

const day = (which: string) =>
  z.iso
    .date("must be a day such as 2026-12-31")
    .nullable()
    .openapi({
      description: `The ${which} day on which agents find it, in the account's time zone; null for no limit.`,
      example: which === "first" ? "2026-12-01" : "2026-12-31",
    });

/** What people set of a document. */
export const documentFields = z.object({
  title: label.openapi({ description: "What it is called, up to 200 characters.", example: "Price list 2026" }),
  language,
  effective_from: day("first"),
  effective_until: day("last"),
});
