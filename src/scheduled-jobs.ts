import { ScheduledJobs } from "./kernel/db/scheduled-jobs.ts";
import { logError } from "./kernel/log.ts";
import { withinTime } from "./kernel/time-limit.ts";

/** The work of a job, which starts nothing new after `deadline`, ms. */
export type Job = (deadline: number) => Promise<unknown>;

/** How long a job may take on work, ms; the next run goes on. */
const BUDGET_MS = 25_000;
/** A job that has not ended by then, ms, counts as failed, and is not waited for. */
const LONGEST_MS = 60_000;

/**
 * Runs the jobs side by side, each with a budget of its own: one that fails or does not end stops no other. Each failure
 * is logged, and shown in the metrics until the job succeeds.
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
