import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agentTests } from "../../kernel/db/schema/index.ts";
import { type ApiError, conflict } from "../../kernel/http/errors.ts";

/** Most names of tests in an answer. */
const MOST_NAMED = 10;

/** What is to be published: an agent's content by its hash. */
interface Candidate {
  agent_id: string;
  hash: string;
}

/** How the test of a row of `agent_tests`, as it is now, went last on this content: 1, 0, or NULL where it was not run. */
function lastOutcome(account: string, { agent_id, hash }: Candidate): SQL {
  return sql`(SELECT outcome.value ->> '$.passed' FROM test_runs AS run, json_each(run.outcomes) AS outcome
    WHERE run.account = ${account} AND run.agent_id = ${agent_id} AND run.hash = ${hash}
      AND outcome.value ->> '$.test_id' = ${agentTests.id} AND outcome.value ->> '$.revision' = ${agentTests.revision}
      AND outcome.value ->> '$.passed' IS NOT NULL
    ORDER BY run.created_at DESC, run.id DESC LIMIT 1)`;
}

/**
 * The condition, for the write that publishes, that every required test of the agent passed when it was run last on this
 * very content. A test that was changed since counts as not run.
 */
export function passesRequired(store: Pick<AccountStore, "account">, candidate: Candidate): SQL {
  const { account } = store;
  return sql`NOT EXISTS (SELECT 1 FROM ${agentTests} WHERE ${agentTests.account} = ${account}
    AND ${agentTests.agent_id} = ${candidate.agent_id} AND ${agentTests.required} = 1
    AND coalesce(${lastOutcome(account, candidate)}, 0) = 0)`;
}

/** Why the content does not pass its agent's required tests, by name; null where it does. */
export async function whyNotPublishable(store: AccountStore, candidate: Candidate): Promise<ApiError | null> {
  const outcome = lastOutcome(store.account, candidate);
  const required = and(eq(agentTests.agent_id, candidate.agent_id), eq(agentTests.required, true));
  const orderBy = [asc(agentTests.created_at), asc(agentTests.id)];
  const [failed, unrun] = await store.read(
    store.select(agentTests, { where: and(required, sql`${outcome} = 0`), columns: ["name"], orderBy }),
    store.select(agentTests, { where: and(required, sql`${outcome} IS NULL`), columns: ["name"], orderBy }),
  );
  if (failed.length > 0)
    return conflict("tests_failed", `required tests fail on what is to be published: ${named(failed)}`);
  if (unrun.length > 0)
    return conflict("tests_not_run", `required tests were not run on what is to be published: ${named(unrun)}`);
  return null;
}

function named(tests: readonly { name: string }[]): string {
  const names = tests.slice(0, MOST_NAMED).map(({ name }) => `“${name}”`);
  return tests.length > MOST_NAMED ? `${names.join(", ")} and ${tests.length - MOST_NAMED} more` : names.join(", ");
}
