import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/** The retention of recordings that are kept for good, in days: a century. */
export const RECORDINGS_STAY_DAYS = 36_500;

export const DEFAULT_AUDIT_DAYS = 730;

/** Retention settings that are not stored elsewhere. Null means that records are kept as long as the account exists. */
export const privacySettings = sqliteTable("privacy_settings", {
  account: accountRef().primaryKey(),
  calls_days: integer("calls_days"),
  /** Null means as long as events are kept at all. */
  events_days: integer("events_days"),
  audit_days: integer("audit_days").$default(() => DEFAULT_AUDIT_DAYS),
});

/**
 * Returns how many days an account keeps its audit log, from its stored settings if there are any; null means no limit.
 */
export function auditDaysOf(stored: { audit_days: number | null } | undefined): number | null {
  return stored === undefined ? DEFAULT_AUDIT_DAYS : stored.audit_days;
}
