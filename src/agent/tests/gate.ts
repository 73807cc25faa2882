import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { AccountStore, Read } from "../../kernel/db/account-store.ts";
import { agentTests } from "../../kernel/db/schema/index.ts";

/** An agent's content that is to be published, identified by its hash. */
interface Candidate {
  agent_id: string;
  hash: string;
}

/**
 * Returns SQL for the state of the last run of a test in `agent_tests` on this content, if the test is unchanged since.
 * It is NULL if no run completed all of the test's conversations.
 */
function lastState(account: string, { agent_id, hash }: Candidate): SQL {
  return sql`(SELECT outcome.value ->> '$.state' FROM test_runs AS run, json_each(run.outcomes) AS outcome
    WHERE run.account = ${account} AND run.agent_id = ${agent_id} AND run.hash = ${hash}
      AND outcome.value ->> '$.test_id' = ${agentTests.id} AND outcome.value ->> '$.revision' = ${agentTests.revision}
      AND outcome.value ->> '$.state' IS NOT NULL
    ORDER BY run.created_at DESC, run.id DESC LIMIT 1)`;
}

/**
 * Returns the condition, for the write that publishes, that every required test of the agent passed in its last run on
 * exactly this content. A test that has changed since counts as not run, and so does one whose model failed too often.
 */
export function passesRequired(store: Pick<AccountStore, "account">, candidate: Candidate): SQL {
  const { account } = store;
  return sql`NOT EXISTS (SELECT 1 FROM ${agentTests} WHERE ${agentTests.account} = ${account}
    AND ${agentTests.agent_id} = ${candidate.agent_id} AND ${agentTests.required} = 1
    AND ${lastState(account, candidate)} IS NOT 'passed')`;
}

/**
 * Returns a read of the names of the agent's required tests that fail on this content, or that have no verdict on it,
 * oldest first.
 */
export function requiredThat(
  store: AccountStore,
  outcome: "failed" | "unrun",
  candidate: Candidate,
): Read<Pick<typeof agentTests.$inferSelect, "name">[]> {
  const last = lastState(store.account, candidate);
  const isIt = outcome === "failed" ? sql`${last} = 'failed'` : sql`coalesce(${last}, 'model_failed') = 'model_failed'`;
  return store.select(agentTests, {
    where: and(eq(agentTests.agent_id, candidate.agent_id), eq(agentTests.required, true), isIt),
    columns: ["name"],
    orderBy: [asc(agentTests.created_at), asc(agentTests.id)],
  });
}
