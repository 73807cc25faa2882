import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/** How many days recordings are kept that are meant to stay: a century. */
export const RECORDINGS_STAY_DAYS = 36_500;

/** How long the account keeps what has no setting elsewhere; null to keep it as long as the account exists. */
export const privacySettings = sqliteTable("privacy_settings", {
  account: accountRef().primaryKey(),
  calls_days: integer("calls_days"),
  /** Null for as long as events are kept at all. */
  events_days: integer("events_days"),
  audit_days: integer("audit_days"),
});
