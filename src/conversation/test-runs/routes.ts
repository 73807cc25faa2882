import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents, testRuns as runTable } from "../../kernel/db/schema/index.ts";
import { testRunObject } from "../../kernel/durable/objects.ts";
import type { AppEnv, Bindings, Principal } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/endpoint.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { ownRow } from "../../kernel/http/own-agents.ts";
import { readerOf } from "../../kernel/http/pass.ts";
import { beginRun } from "./begin-run.ts";
import * as contract from "./contract.ts";
import type { RunDetail } from "./test-run.ts";

export const testRuns = new OpenAPIHono<AppEnv>();

const STREAM = { "content-type": "text/event-stream", "cache-control": "no-store" };

serve(
  testRuns,
  contract.createTestRun,
  ({ c, env, store, principal, params, body, now, newId }) =>
    beginRun(
      { env, store, principal, author: c.get("author"), now },
      Object.assign({ id: newId(), agent_id: params.id }, body),
    ),
  ({ env, store }, id) => detailOf(env, store, id),
);

serve(testRuns, contract.listTestRuns, async ({ store, params, query: { limit, offset } }) => {
  const where = eq(runTable.agent_id, params.id);
  const orderBy = [desc(runTable.created_at), desc(runTable.id)];
  const [agent, rows, total] = await store.read(
    store.first(agents, { where: eq(agents.id, params.id), columns: ["id"] }),
    store.select(runTable, { where, orderBy, limit, offset }),
    store.count(runTable, where),
  );
  if (!agent) throw notFound("agent");
  const test_runs = rows.map(({ outcomes, ...row }) => ({
    ...row,
    tests: outcomes.map(({ test_id, passed }) => ({ test_id, passed })),
  }));
  return { test_runs, total, limit, offset };
});

serve(testRuns, contract.getTestRun, async ({ env, store, principal, params }) => {
  await ownRun(store, principal, params.id);
  const detail = await detailOf(env, store, params.id);
  if (!detail) throw notFound("test run");
  return detail;
});

serve(testRuns, contract.streamTestRun, async ({ c, env, store, principal, params }) => {
  const row = await ownRun(store, principal, params.id);
  const last = c.req.header("last-event-id");
  const lastSeen = /^\d{1,15}$/.test(last ?? "") ? Number(last) : null;
  const object = testRunObject(env, store.account, row.id);
  if (lastSeen !== null && (await object.hasEndedBefore(lastSeen))) return new Response(null, { status: 204 });
  return new Response(await object.events(lastSeen, readerOf(principal)), { headers: STREAM });
});

/** The run's row, if it is of an agent that the caller may see. @throws ApiError 404 */
async function ownRun(store: AccountStore, principal: Principal, id: string) {
  const [row] = await store.read(store.first(runTable, { where: eq(runTable.id, id), columns: ["id", "agent_id"] }));
  return ownRow(principal, row ?? null, "test run");
}

async function detailOf(env: Bindings, store: AccountStore, id: string): Promise<RunDetail | null> {
  return (await testRunObject(env, store.account, id).detail()) as RunDetail | null;
}
