import { z } from "@hono/zod-openapi";

export const whole = z.number().int().min(0);

export function field<S extends z.ZodType>(schema: S, description: string, example?: unknown): S {
  return schema.openapi(example === undefined ? { description } : { description, example });
}
