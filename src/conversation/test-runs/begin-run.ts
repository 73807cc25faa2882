import { and, asc, eq, inArray } from "drizzle-orm";
import { type AgentContent, type ToolBody, toolBody } from "../../agent/versions/content.ts";
import { scopesToUse } from "../../agent/versions/may-change.ts";
import type { AccountStore, Author } from "../../kernel/db/account-store.ts";
import { agents, agentTests, testRuns, tools } from "../../kernel/db/schema/index.ts";
import { testRunObject } from "../../kernel/durable/objects.ts";
import type { Bindings, Principal } from "../../kernel/http/context.ts";
import { holderOf } from "../../kernel/http/credential-holder.ts";
import { type ApiError, conflict, notFound, tooMany } from "../../kernel/http/errors.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { MAX_CONVERSATIONS, MAX_RUNS, type PlannedTest, type RunPlan } from "./plan.ts";
import type { RunDetail } from "./test-run.ts";
import { versionToTest } from "./tested.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  principal: Principal;
  author: Author;
  /** Milliseconds. */
  now: number;
}

interface Order {
  id: string;
  agent_id: string;
  /** Null for the current draft. */
  version: number | null;
  /** Ids of tests; empty for all tests of the agent. */
  tests?: string[] | undefined;
  /** The fewest repetitions of each test. */
  repeat: number;
  allow_tools: string[];
}

/** The retry delay if the most runs are in progress, ms. */
const AGAIN_MS = 15_000;

/** Begins a test run. @throws ApiError 403, 404, 409, 429 */
export async function beginRun(
  { env, store, principal, author, now }: Context,
  { id, agent_id, version, tests: chosen, repeat, allow_tools }: Order,
): Promise<RunDetail> {
  const [agent, rows, allowed] = await store.read(
    store.first(agents, { where: eq(agents.id, agent_id), columns: ["id"] }),
    store.select(agentTests, {
      where: and(eq(agentTests.agent_id, agent_id), chosen && inArray(agentTests.id, chosen)),
      orderBy: [asc(agentTests.created_at), asc(agentTests.id)],
    }),
    store.select(tools, { where: inArray(tools.name, allow_tools) }),
  );
  if (!agent) throw notFound("agent");
  if (chosen?.some((one) => !rows.some((row) => row.id === one))) throw notFound("test", "tests");
  assertMayRun(principal, allowed.map(toolBody));
  if (rows.length === 0) throw conflict("no_tests", "the agent has no tests to run");
  const planned = rows.map((row) => plannedTest(row, repeat));
  if (planned.reduce((sum, { times }) => sum + times, 0) > MAX_CONVERSATIONS)
    throw conflict(
      "too_many_conversations",
      `a run can hold at most ${MAX_CONVERSATIONS} conversations: run fewer tests`,
    );
  // In an earlier version or a restored attachment, a tool may name another integration than it does now.
  const mayTest = ({ tools: items }: AgentContent) =>
    assertMayRun(
      principal,
      items.flatMap(({ body }) => (allow_tools.includes(body.name) ? [body] : [])),
    );
  const tested = await versionToTest(store, { agent_id, version, created_by: author.actor, now, mayTest });
  const plan: RunPlan = {
    agent_id,
    version: tested.number,
    hash: tested.hash,
    llm_model: tested.llm_model,
    fallback_model: tested.fallback_model,
    is_saved: version === null,
    allow_tools,
    holder: holderOf(principal),
    author,
    created_by: author.actor,
    created_at: new Date(now).toISOString(),
  };
  const object = testRunObject(env, store.account, id);
  if (!(await object.begin(plan, planned))) throw await whyRefused(store);
  const detail = await object.detail();
  if (!detail) throw notFound("test run");
  return detail as RunDetail;
}

/** Refuses a caller who may not let an agent use these tools. @throws ApiError 403 */
function assertMayRun(caller: Authority, allowed: ToolBody[]): void {
  requireScopes(
    caller,
    scopesToUse(
      [],
      allowed.map((body) => ({ id: body.name, body, enabled: true })),
    ),
  );
}

/** Returns why a run was refused: too many are in progress, or what it should test was deleted meanwhile. */
async function whyRefused(store: AccountStore): Promise<ApiError> {
  const [running] = await store.read(store.count(testRuns, eq(testRuns.status, "running")));
  if (running < MAX_RUNS) return notFound("test");
  return tooMany("test_runs", `${MAX_RUNS} test runs are in progress: wait until one has ended`, AGAIN_MS);
}

/** Plans a test with its own number of repetitions, or the requested minimum if that is higher. */
function plannedTest(row: typeof agentTests.$inferSelect, atLeast: number): PlannedTest {
  const { id, name, revision, steps, variables, tool_mocks, expect, repeat, min_passes, conversation_id } = row;
  const times = Math.max(repeat, atLeast);
  return { id, name, revision, steps, variables, tool_mocks, expect, repeat, min_passes, conversation_id, times };
}
