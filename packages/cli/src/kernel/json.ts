/** An unvalidated JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A field that should be text; "" if it is not. */
export function textOf(record: JsonObject, field: string): string {
  const value = record[field];
  return typeof value === "string" ? value : "";
}

/** A field that should be a list of objects; empty where it is not. */
export function objectsOf(record: JsonObject, field: string): JsonObject[] {
  const value = record[field];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A field that should be a number; 0 where it is not. */
export function numberOf(record: JsonObject, field: string): number {
  const value = record[field];
  return typeof value === "number" ? value : 0;
}
