import { z } from "@hono/zod-openapi";

/** `limit` and `offset` of a list as the query string carries them. */
export function paging(limits: { max: number; default: number } = { max: 100, default: 10 }) {
  const whole = z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number);
  return {
    limit: whole
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
    offset: whole
      .optional()
      .transform((n) => n ?? 0)
      .openapi({
        type: "integer",
        minimum: 0,
        default: 0,
        description: "How many to skip from the start of the list.",
        example: 0,
      }),
  };
}

/** The total number of matching items. */
const total = z.number().int().openapi({
  description: "How many match the filters, over all pages.",
  example: 1,
});

/** `{ <plural>: [...], total }`, with the page's `limit` and `offset` where the list is paged. */
export function listOf<K extends string, T extends z.ZodType>(plural: K, item: T) {
  const items = z.array(item).openapi({ description: `The ${plural} of this page, in the order of the operation.` });
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
