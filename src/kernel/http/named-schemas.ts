import type { z } from "@hono/zod-openapi";

/** Schemas by component name. */
export const namedSchemas = new Map<string, z.ZodType>();

/**
 * Names a schema that several fields use with descriptions of their own. It is registered before all operations:
 * otherwise the first of these fields would give the component its description, and have none itself.
 */
export function named<S extends z.ZodType>(name: string, description: string, schema: S): S {
  const component = schema.openapi(name, { description });
  namedSchemas.set(name, component);
  return component;
}
