import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The results of the latest runs of the cron's jobs, for operators' metrics; times are in ms. */
export const scheduledJobs = sqliteTable("scheduled_jobs", {
  job: text("job").primaryKey(),
  /** Null if it has never succeeded. */
  succeeded_at: integer("succeeded_at"),
  /** Since when every run has been failing; null if the last one succeeded. */
  failing_since: integer("failing_since"),
});
