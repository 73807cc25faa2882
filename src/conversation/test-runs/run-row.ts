import { eq, inArray, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents, agentTests, type TestOutcome, testRuns } from "../../kernel/db/schema/index.ts";
import { MAX_RUNS, outcomesOf, type PlannedTest, type RunPlan, type RunRecord } from "./plan.ts";

/**
 * Adds a run to the account's list and audit log in one atomic write. Returns false if the most runs are in progress,
 * or the agent or a test's conversation was deleted. Idempotent.
 */
export async function recordRun(
  store: AccountStore,
  id: string,
  { agent_id, version, hash, created_by, created_at }: RunPlan,
  tests: readonly PlannedTest[],
): Promise<boolean> {
  const isThere = sql`EXISTS (SELECT 1 FROM ${agents} WHERE account = ${store.account} AND id = ${agent_id})`;
  const hasRoom = sql`(SELECT count(*) FROM ${testRuns} WHERE account = ${store.account} AND status = 'running') < ${MAX_RUNS}`;
  // A test made from a conversation may have been deleted with it since it was read.
  const ofConversations = tests.filter(({ conversation_id }) => conversation_id !== null).map((test) => test.id);
  const isOfConversation = inArray(
    agentTests.id,
    sql`(SELECT value FROM json_each(${JSON.stringify(ofConversations)}))`,
  );
  const areThere = sql`(SELECT count(*) FROM ${agentTests} WHERE account = ${store.account} AND ${isOfConversation}) = ${ofConversations.length}`;
  const outcomes = outcomesOf(tests, []);
  const row = {
    id,
    agent_id,
    status: "running" as const,
    reason: null,
    version,
    hash,
    outcomes,
    created_by,
    created_at,
  };
  const [, found] = await store.write(
    { action: "create", resource: "test_run", resource_id: id },
    store.insertIf(testRuns, row, sql`${isThere} AND ${hasRoom} AND ${areThere}`),
    store.first(testRuns, { where: eq(testRuns.id, id), columns: ["id"] }),
  );
  return found !== undefined;
}

export async function endRun(
  store: AccountStore,
  { id, status, reason, ended_at }: RunRecord,
  outcomes: TestOutcome[],
): Promise<void> {
  await store.record(store.update(testRuns, { status, reason, ended_at, outcomes }, eq(testRuns.id, id)));
}

export async function deleteRun(store: AccountStore, id: string): Promise<void> {
  await store.record(store.delete(testRuns, inArray(testRuns.id, [id])));
}
