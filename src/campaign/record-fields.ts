import { z } from "@hono/zod-openapi";

/** A number of something. */
export const whole = z.number().int().min(0);

/** A field with its description and example. */
export function field<S extends z.ZodType>(schema: S, description: string, example?: unknown): S {
  return schema.openapi(example === undefined ? { description } : { description, example });
}
