import type { z } from "@hono/zod-openapi";

/** The schemas by component name. */
export const namedSchemas = new Map<string, z.ZodType>();

/**
 * Names a schema that several fields use, each with its own description. It is registered before all operations.
 * Otherwise the first of these fields would give its description to the component, and have none itself.
 */
export function named<S extends z.ZodType>(name: string, description: string, schema: S): S {
  const component = schema.openapi(name, { description });
  namedSchemas.set(name, component);
  return component;
}
