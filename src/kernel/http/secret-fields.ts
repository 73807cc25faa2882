import { z } from "@hono/zod-openapi";

const SECRETS = new WeakSet<object>();

/**
 * Returns the schema of a response field that is shown once. The field is null in a response that is replayed for an
 * idempotency key, and is never stored with one.
 */
export function secretText(documented: { description: string; example?: string }) {
  const description = `${documented.description} Null in a response that is replayed for an idempotency key.`;
  const field = z
    .string()
    .nullable()
    .openapi(Object.assign({}, documented, { description }));
  SECRETS.add(field);
  return field;
}

/** Checks whether responses with this schema contain a secret that is shown once. */
export function holdsSecrets(schema: z.ZodType): boolean {
  return SECRETS.has(schema) || partsOf(schema).some(holdsSecrets);
}

/** Replaces each secret in a response with null. */
export function withoutSecrets(schema: z.ZodType, answer: unknown): unknown {
  if (SECRETS.has(schema)) return null;
  if (schema instanceof z.ZodObject) return withoutSecretMembers(schema, answer);
  if (schema instanceof z.ZodArray && Array.isArray(answer)) {
    return answer.map((item) => withoutSecrets(schema.element as z.ZodType, item));
  }
  return partsOf(schema).reduce((shown, part) => withoutSecrets(part, shown), answer);
}

function withoutSecretMembers({ shape }: z.ZodObject, answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null) return answer;
  const members = Object.entries(answer).map(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return [name, field ? withoutSecrets(field as z.ZodType, value) : value];
  });
  return Object.fromEntries(members);
}

export function partsOf(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape) as z.ZodType[];
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  if (schema instanceof z.ZodUnion) return schema.options as z.ZodType[];
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return [schema.unwrap() as z.ZodType];
  }
  return [];
}
