import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents, testRuns as runTable } from "../../kernel/db/schema/index.ts";
import { testRunObject } from "../../kernel/durable/objects.ts";
import { forAnyOrigin } from "../../kernel/http/any-origin.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import type { AppEnv, Bindings } from "../../kernel/http/context.ts";
import type { Reader } from "../../kernel/http/credential.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { STREAM_HEADERS } from "../../kernel/http/event-stream.ts";
import { ownRow } from "../../kernel/http/own-agents.ts";
import { readerOf } from "../../kernel/http/reader-of.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { redeemTicket } from "../../kernel/streams/redeem-ticket.ts";
import { issueTicket } from "../../kernel/streams/stream-ticket.ts";
import { beginRun } from "./begin-run.ts";
import * as contract from "./contract.ts";
import { shownOutcome } from "./plan.ts";
import * as streams from "./streams-contract.ts";
import type { RunDetail } from "./test-run.ts";

export const testRuns = new OpenAPIHono<AppEnv>();

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
    tests: outcomes.map(shownOutcome),
  }));
  return { test_runs, total, limit, offset };
});

serve(testRuns, contract.getTestRun, async ({ env, store, principal, params }) => {
  await ownRun(store, principal, params.id);
  const read = (from: number) => detailOf(env, store, params.id, from);
  const first = await read(0);
  if (!first) throw notFound("test run");
  // An object of the previous release returns all results at once, without `next`.
  if (typeof first.next !== "number") return first;
  // The run is shown as it was with the first piece: a result before a later piece may be missing, but is not counted.
  return { ...first, results: resultPieces(read, first) };
});

/** Reads the results in pieces, because all of them may be too long for one message. */
async function* resultPieces(read: (from: number) => Promise<RunDetail | null>, first: RunDetail) {
  yield first.results;
  for (let { next } = first; typeof next === "number"; ) {
    const detail = await read(next);
    if (!detail) throw notFound("test run");
    yield detail.results;
    next = detail.next;
  }
}

serve(testRuns, streams.streamTestRun, async ({ c, env, store, principal, params }) => {
  const row = await ownRun(store, principal, params.id);
  return watch(testRunObject(env, store.account, row.id), c.req.header("last-event-id"), readerOf(principal));
});

/** Names a run's events in a ticket. */
const streamOf = (id: string) => `test_run:${id}`;

serve(
  testRuns,
  streams.createTicket,
  async ({ env, store, principal, params, now }) => {
    const base = baseOf(env);
    const { id } = await ownRun(store, principal, params.id);
    const { ticket, expiresAt } = await issueTicket(env.SIGNING_KEYS, principal, streamOf(id), now);
    return {
      url: `${base}/api/test-runs/${id}/events?ticket=${ticket}`,
      expires_at: new Date(expiresAt).toISOString(),
    };
  },
  idempotent("a ticket changes nothing, and an unused one expires within a minute"),
);

testRuns.use("/api/test-runs/*", forAnyOrigin);
serve(testRuns, streams.streamByTicket, async ({ c, env, params, query: { ticket, last_event_id } }) => {
  const { account, store, reader, authority } = await redeemTicket(c, streamOf(params.id), ticket);
  const row = await ownRun(store, authority, params.id);
  return watch(testRunObject(env, account, row.id), c.req.header("last-event-id") || last_event_id, reader);
});

/** Streams the run's events after the event `lastSeen`; answers 204 if that was the last. */
async function watch(run: ReturnType<typeof testRunObject>, lastSeen: string | undefined, reader: Reader) {
  const after = /^\d{1,15}$/.test(lastSeen ?? "") ? Number(lastSeen) : null;
  if (after !== null && (await run.hasEndedBefore(after))) return new Response(null, { status: 204 });
  return new Response(await run.events(after, reader), {
    headers: STREAM_HEADERS,
  });
}

/** Returns the run's row, if the caller may see its agent. @throws ApiError 404 */
async function ownRun(store: AccountStore, authority: Pick<Authority, "agentIds">, id: string) {
  const [row] = await store.read(store.first(runTable, { where: eq(runTable.id, id), columns: ["id", "agent_id"] }));
  return ownRow(authority, row ?? null, "test run");
}

async function detailOf(env: Bindings, store: AccountStore, id: string, from?: number): Promise<RunDetail | null> {
  return (await testRunObject(env, store.account, id).detail(from)) as RunDetail | null;
}
