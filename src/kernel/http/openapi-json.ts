/** A part of the OpenAPI document. */
export type Json = Record<string, unknown>;

export function mapValues(object: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
