import { ScheduledJobs } from "./kernel/db/scheduled-jobs.ts";
import { logError } from "./kernel/log.ts";
import { withinTime } from "./kernel/time-limit.ts";

/** A job that starts no new work after `deadline`, ms. */
export type Job = (deadline: number) => Promise<unknown>;

/** How long a job may start new work, ms. The next run continues. */
const BUDGET_MS = 25_000;
/** A job that runs longer than this counts as failed and is no longer awaited, ms. */
const LONGEST_MS = 60_000;

/**
 * Runs the jobs in parallel, each with its own time budget, so that a job that fails or hangs does not stop the others.
 * A failure is logged, and the metrics show it until the job succeeds.
 */
export async function runJobs(jobs: Readonly<Record<string, Job>>, { DB }: Pick<Env, "DB">): Promise<void> {
  const began = Date.now();
  const names = Object.keys(jobs);
  const running = Object.values(jobs).map(async (job) => withinTime(job(began + BUDGET_MS), LONGEST_MS));
  const ended = await Promise.allSettled(running);
  const failed = new Set<string>();
  for (const [n, outcome] of ended.entries()) {
    const job = names[n] ?? "";
    if (outcome.status === "fulfilled") continue;
    failed.add(job);
    logError("scheduled", outcome.reason, { job });
  }
  try {
    await new ScheduledJobs(DB).ran(names, failed, Date.now());
  } catch (error) {
    logError("scheduled", error);
  }
}
