import { inArray, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agentTests, testRuns } from "../../kernel/db/schema/index.ts";
import { testRunObject } from "../../kernel/durable/objects.ts";

interface Context {
  env: Pick<Env, "TEST_RUN">;
  store: AccountStore;
}

/**
 * Deletes the tests that were created from these conversations, and their results in test runs. The tests are deleted
 * first, so that a run that begins at the same time does not include them.
 */
export async function eraseTests({ env, store }: Context, conversations: string[]): Promise<void> {
  const ids = JSON.stringify(conversations);
  const isOfThem = sql`value ->> '$.conversation_id' IN (SELECT value FROM json_each(${ids}))`;
  const holds = sql`EXISTS (SELECT 1 FROM json_each(${testRuns.outcomes}) WHERE ${isOfThem})`;
  const [, runs] = await store.record(
    store.delete(agentTests, inArray(agentTests.conversation_id, sql`(SELECT value FROM json_each(${ids}))`)),
    store.select(testRuns, { where: holds, columns: ["id"] }),
  );
  if (runs.length === 0) return;
  for (const { id } of runs) await testRunObject(env, store.account, id).erase(conversations);
  const others = sql`(SELECT json_group_array(json(value)) FROM json_each(${testRuns.outcomes}) WHERE NOT coalesce(${isOfThem}, 0))`;
  await store.record(store.update(testRuns, { outcomes: others }, holds));
}
