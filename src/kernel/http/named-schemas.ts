import type { z } from "@hono/zod-openapi";

/** By the names of their components. */
export const namedSchemas = new Map<string, z.ZodType>();

/**
 * Names a schema that fields with words of their own consist of. It is registered before all operations: else the first
 * of these fields would lend the component its words, and have none itself.
 */
export function named<S extends z.ZodType>(name: string, description: string, schema: S): S {
  const component = schema.openapi(name, { description });
  namedSchemas.set(name, component);
  return component;
}
