import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { scheduledJobs } from "./schema/index.ts";

/** Stores the results of the cron's jobs. */
export class ScheduledJobs {
  readonly #db;

  constructor(d1: D1Database) {
    this.#db = drizzle(d1);
  }

  /** Records how a run ended at `now` (ms). */
  async ran(jobs: string[], failed: ReadonlySet<string>, now: number): Promise<void> {
    const rows = jobs.map((job) =>
      failed.has(job) ? { job, failing_since: now } : { job, succeeded_at: now, failing_since: null },
    );
    if (rows.length === 0) return;
    await this.#db
      .insert(scheduledJobs)
      .values(rows)
      .onConflictDoUpdate({
        target: scheduledJobs.job,
        set: {
          succeeded_at: sql`coalesce(excluded.succeeded_at, ${scheduledJobs.succeeded_at})`,
          failing_since: sql`iif(excluded.failing_since IS NULL, NULL, coalesce(${scheduledJobs.failing_since}, excluded.failing_since))`,
        },
      });
  }
}
