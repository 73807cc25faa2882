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
      .openapi({ type: "integer", minimum: 1, maximum: limits.max, default: limits.default }),
    offset: whole
      .optional()
      .transform((n) => n ?? 0)
      .openapi({ type: "integer", minimum: 0, default: 0 }),
  };
}

/** `{ <plural>: [...], total }`, with the page's `limit` and `offset` where the list is paged. */
export function listOf<K extends string, T extends z.ZodType>(plural: K, item: T) {
  return z.object({ [plural]: z.array(item), total: z.number().int() } as Record<K, z.ZodArray<T>> & {
    total: z.ZodNumber;
  });
}

export function pageOf<K extends string, T extends z.ZodType>(plural: K, item: T) {
  return listOf(plural, item).extend({ limit: z.number().int(), offset: z.number().int() });
}
