import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How the last runs of the cron's jobs ended, for operators' metrics; times are in ms. */
export const scheduledJobs = sqliteTable("scheduled_jobs", {
  job: text("job").primaryKey(),
  /** Null if it has never succeeded. */
  succeeded_at: integer("succeeded_at"),
  /** Since when every run has failed; null if the last one succeeded. */
  failing_since: integer("failing_since"),
});
