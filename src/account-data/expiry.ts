import { Maintenance } from "../kernel/db/maintenance.ts";
import { D1_ENTRIES } from "./stores.ts";

/**
 * Returns the jobs that delete the D1 rows expired at `now` (ms), until none are left or the job's deadline (ms) has
 * passed.
 */
export function expiryJobs({ DB }: Pick<Env, "DB">, now: number): Record<string, (deadline: number) => Promise<void>> {
  const maintenance = new Maintenance(DB);
  const jobs = D1_ENTRIES.flatMap(([, { expiry }]) => {
    if (!expiry) return [];
    const { job, most, run } = expiry;
    const work = async (deadline: number) => {
      while (Date.now() < deadline && (await run(maintenance, now, most)) === most);
    };
    return [[job, work] as const];
  });
  return Object.fromEntries(jobs);
}
