import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/** How many days recordings are kept that are meant to stay: a century. */
export const RECORDINGS_STAY_DAYS = 36_500;

/** How many days entries of the audit log are kept, if the account has not said otherwise. */
export const DEFAULT_AUDIT_DAYS = 730;

/** How long the account keeps what has no setting elsewhere; null to keep it as long as the account exists. */
export const privacySettings = sqliteTable("privacy_settings", {
  account: accountRef().primaryKey(),
  calls_days: integer("calls_days"),
  /** Null for as long as events are kept at all. */
  events_days: integer("events_days"),
  audit_days: integer("audit_days").$default(() => DEFAULT_AUDIT_DAYS),
});

/** Returns how many days an account keeps its audit log, by its settings if it has stored any; null for no limit. */
export function auditDaysOf(stored: { audit_days: number | null } | undefined): number | null {
  return stored === undefined ? DEFAULT_AUDIT_DAYS : stored.audit_days;
}
