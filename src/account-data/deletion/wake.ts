import pMap from "p-map";
import { dueDeletions } from "../../kernel/db/deletion-store.ts";
import { accountDeletion } from "../../kernel/durable/objects.ts";

/** The number of deletions woken per run, and at a time. */
const PER_RUN = 100;
const AT_ONCE = 6;

/** Wakes the deletions that are due or running at `now` (ms), because an alarm may have been lost with its process. */
export async function wakeDeletions(env: Pick<Env, "DB" | "ACCOUNT_DELETION">, now: number): Promise<void> {
  const due = await dueDeletions(env.DB, new Date(now).toISOString(), PER_RUN);
  await pMap(due, (account) => accountDeletion(env, account).wake(now), { concurrency: AT_ONCE });
}
