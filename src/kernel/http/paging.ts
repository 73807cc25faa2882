import { z } from "@hono/zod-openapi";
import { digits } from "./fields.ts";

/** The maximum `offset` in a list that is paged by `after`. */
const MAX_OFFSET = 10_000;
/** The maximum total that is counted for a list that may be very long. */
export const MAX_COUNTED = 10_000;

/** Returns the schemas of `limit` and `offset` in the query string. */
export function paging(limits: { max: number; default: number } = { max: 100, default: 10 }) {
  return {
    limit: digits
      .pipe(z.number().min(1).max(limits.max))
      .optional()
      .transform((n) => n ?? limits.default)
      .openapi({
        type: "integer",
        minimum: 1,
        maximum: limits.max,
        default: limits.default,
        description: `The page size, from 1 to ${limits.max}.`,
        example: limits.default,
      }),
    offset: digits
      .optional()
      .transform((n) => n ?? 0)
      .openapi({
        type: "integer",
        minimum: 0,
        default: 0,
        description: "How many items to skip from the start of the list.",
        example: 0,
      }),
  };
}

/** Returns the schemas for a list that may be very long. It is paged by `after`, and its `offset` is limited. */
export function cursorPaging(limits?: { max: number; default: number }) {
  const { limit, offset } = paging(limits);
  return {
    limit,
    offset: offset
      .refine((n) => n <= MAX_OFFSET, `must be at most ${MAX_OFFSET}: use \`after\` to go further`)
      .openapi({
        type: "integer",
        minimum: 0,
        maximum: MAX_OFFSET,
        default: 0,
        description: `How many items to skip, at most ${MAX_OFFSET}; use \`after\` to go further.`,
        example: 0,
      }),
    after: z
      .string()
      .optional()
      .openapi({ description: "Continues a list: the `next` of the previous page.", example: CURSOR }),
  };
}

const CURSOR = "WyIwMTlhYTVjMi0wZTc3IiwwXQ.3f9cQ0c1V7mJm2mYb8x1K0q5d7w2nZ4uT6rP9sLkXyE";

const total = z.number().int().openapi({
  description: "How many items match the filters, over all pages.",
  example: 1,
});

/** Returns the schema `{ <plural>: [...], total }`, with the page's `limit` and `offset` if the list is paged. */
export function listOf<K extends string, T extends z.ZodType>(plural: K, item: T) {
  const named = plural.replaceAll("_", " ").replace("faqs", "FAQs");
  const items = z.array(item).openapi({ description: `The ${named} of this page, in the order of the operation.` });
  return z.object({ [plural]: items, total } as Record<K, z.ZodArray<T>> & {
    total: z.ZodNumber;
  });
}

export function pageOf<K extends string, T extends z.ZodType>(plural: K, item: T) {
  return listOf(plural, item).extend({
    limit: z.number().int().openapi({ description: "The requested page size.", example: 10 }),
    offset: z.number().int().openapi({ description: "The requested offset.", example: 0 }),
  });
}

/** Returns the same schema as `pageOf` for a list that may be very long. */
export function cursorPageOf<K extends string, T extends z.ZodType>(plural: K, item: T) {
  return pageOf(plural, item).extend({
    total_at_least: z.boolean().openapi({
      description: "Whether `total` is only a lower bound, because there are too many to count.",
      example: false,
    }),
    next: z
      .string()
      .nullable()
      .openapi({
        description:
          "The value to send as `after` for the next page; null at the end. While it is set, a page can have fewer " +
          "items than `limit`, or none.",
        example: CURSOR,
      }),
  });
}
