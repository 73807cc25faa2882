import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/** The retention of recordings that are meant to stay, in days: a century. */
export const RECORDINGS_STAY_DAYS = 36_500;

export const DEFAULT_AUDIT_DAYS = 730;

/** Retention settings that are not set elsewhere; null to keep something as long as the account exists. */
export const privacySettings = sqliteTable("privacy_settings", {
  account: accountRef().primaryKey(),
  calls_days: integer("calls_days"),
  /** Null for as long as events are kept at all. */
  events_days: integer("events_days"),
  audit_days: integer("audit_days").$default(() => DEFAULT_AUDIT_DAYS),
});

/** Returns how many days an account keeps its audit log, by its settings if stored; null for no limit. */
export function auditDaysOf(stored: { audit_days: number | null } | undefined): number | null {
  return stored === undefined ? DEFAULT_AUDIT_DAYS : stored.audit_days;
}
