/** An unvalidated JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a text field; "" if it is not text. */
export function textOf(record: JsonObject, field: string): string {
  const value = record[field];
  return typeof value === "string" ? value : "";
}

/** Returns a field that lists objects; an empty list if it does not. */
export function objectsOf(record: JsonObject, field: string): JsonObject[] {
  const value = record[field];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns a number field; 0 if it is not a number. */
export function numberOf(record: JsonObject, field: string): number {
  const value = record[field];
  return typeof value === "number" ? value : 0;
}
