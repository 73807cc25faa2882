import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { agents, agentTests } from "../../kernel/db/schema/index.ts";
import { rowsOf, selectIfSmall } from "../../kernel/db/wide-rows.ts";
import { conflict, invalidField, notFound } from "../../kernel/http/errors.ts";
import { changedMeanwhile } from "../../kernel/http/if-match.ts";
import { agentRow } from "../agents/joined.ts";
import { MAX_TESTS, type NewTest } from "./fields.ts";
import type { Repetitions } from "./verdict.ts";

export type TestRow = typeof agentTests.$inferSelect;

interface Context {
  store: AccountStore;
  /** The current time, ms. */
  now: number;
}

interface Creation extends Omit<NewTest, keyof Repetitions> {
  repeat?: number | undefined;
  min_passes?: number | undefined;
  agent_id: string;
  id: string;
  created_by: string;
  conversation_id: string | null;
}

export const isTest = (agentId: string, id: string) => and(eq(agentTests.agent_id, agentId), eq(agentTests.id, id));

/** Returns the condition that the agent exists and may have this many more tests. */
export function hasRoom(store: AccountStore, agentId: string, more = 1): SQL {
  return sql`EXISTS (SELECT 1 FROM ${agents} WHERE account = ${store.account} AND id = ${agentId}) AND (
    SELECT count(*) FROM ${agentTests} WHERE account = ${store.account} AND agent_id = ${agentId}) <= ${MAX_TESTS - more}`;
}

/**
 * Creates a test. Without `min_passes`, all its repetitions must pass.
 * @throws ApiError 400; 404 if the agent does not exist; 409 if it has the maximum number of tests
 */
export async function createTest({ store, now }: Context, given: Creation): Promise<TestRow> {
  const at = new Date(now).toISOString();
  const { agent_id, id, repeat = 1, min_passes = repeat } = given;
  if (min_passes > repeat) throw tooManyPasses(repeat);
  const row = Object.assign({ created_at: at, updated_at: at }, given, { repeat, min_passes });
  const entry = { action: "create", resource: "agent_test", resource_id: id } as const;
  const [[created]] = await store.write(entry, store.insertIf(agentTests, row, hasRoom(store, agent_id)));
  if (created) return created;
  const before = await testOf(store, agent_id, id);
  if (before) return before;
  await agentRow(store, agent_id);
  throw conflict("too_many_tests", `an agent can have at most ${MAX_TESTS} tests: delete one first`);
}

/** Returns an agent's tests, oldest first, in pieces if they are large. @throws ApiError 404 */
export async function testsOf(store: AccountStore, agentId: string) {
  const { steps, variables, tool_mocks, expect } = agentTests;
  const page = {
    table: agentTests,
    where: eq(agentTests.agent_id, agentId),
    orderBy: [asc(agentTests.created_at), asc(agentTests.id)],
    texts: [steps, variables, tool_mocks, expect],
  };
  const [agent, rows, total] = await store.read(
    store.first(agents, { where: eq(agents.id, agentId), columns: ["id"] }),
    selectIfSmall(store, page),
    store.count(agentTests, page.where),
  );
  if (!agent) throw notFound("agent");
  return { tests: await rowsOf(store, page, { rows, total }), total };
}

export async function testOf(store: AccountStore, agentId: string, id: string): Promise<TestRow | null> {
  const [row] = await store.read(store.first(agentTests, { where: isTest(agentId, id) }));
  return row ?? null;
}

interface Change {
  agent_id: string;
  id: string;
  changes: { [Field in keyof NewTest]?: NewTest[Field] | undefined };
  ifMatch: number | null;
}

/**
 * Changes a test. If all repetitions had to pass and only `repeat` changes, all must pass afterwards too. @throws
 * ApiError 400, 404, 412
 */
export async function updateTest(
  { store, now }: Context,
  { agent_id, id, changes, ifMatch }: Change,
): Promise<TestRow> {
  const { repeat, min_passes } = changes;
  if (repeat !== undefined && min_passes !== undefined && min_passes > repeat) throw tooManyPasses(repeat);
  const set: Parameters<typeof store.revise<typeof agentTests>>[1] = Object.assign({}, changes);
  const marks = { updated_at: new Date(now).toISOString() };
  const changed = changedColumns(agentTests, changes);
  if (repeat !== undefined && min_passes === undefined) {
    const passes = sql`iif(${agentTests.min_passes} = ${agentTests.repeat}, ${repeat}, ${agentTests.min_passes})`;
    set.min_passes = passes;
    changed.min_passes = sql`${agentTests.min_passes} IS NOT ${passes}`;
  }
  // Checked against the row at the time of the write, because another write may have changed the other of the two
  // values.
  const where = sql`${isTest(agent_id, id)} AND ${set.min_passes ?? agentTests.min_passes} <= ${repeat ?? agentTests.repeat}`;
  const [[row], found] = await store.write(
    { action: "update", resource: "agent_test", resource_id: id, changes: changed },
    store.reviseIfOther(agentTests, set, marks, where, ifMatch),
    store.first(agentTests, { where: isTest(agent_id, id) }),
  );
  if (row) return row;
  if (!found) throw notFound("test");
  if (ifMatch !== null && found.revision !== ifMatch) throw await changedMeanwhile(store, "test", found);
  throw tooManyPasses(repeat ?? found.repeat);
}

const tooManyPasses = (repeat: number) =>
  invalidField("min_passes", "too_large", `must be at most repeat, which is ${repeat}`);
