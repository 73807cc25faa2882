import { OpenAPIHono, z } from "@hono/zod-openapi";
import { eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agents, doNotCall } from "../../kernel/db/schema/index.ts";
import { conversationObject } from "../../kernel/durable/objects.ts";
import type { AppEnv, Bindings, Principal } from "../../kernel/http/context.ts";
import { openCursor, sealCursor } from "../../kernel/http/cursor.ts";
import { conflict } from "../../kernel/http/errors.ts";
import { assertMayNameContent, assertMayNameNumbers } from "../../kernel/http/hidden-filters.ts";
import { type OfAgents, ownRow, withinOwnAgents } from "../../kernel/http/own-agents.ts";
import { idempotent, recordedInTransaction, serve } from "../../kernel/http/serve.ts";
import type { Analysis } from "../analysis/analysis.ts";
import { FIRST_BRIEF } from "../analysis/brief.ts";
import { pageOfConversations } from "../ledger/conversation-lists.ts";
import { Ledger } from "../ledger/ledger.ts";
import type { ConversationRow } from "../ledger/report.ts";
import { analysisOf, listedAnalysis } from "./analysis-projection.ts";
import * as contract from "./contract.ts";
import { eraseConversations } from "./erase.ts";
import { exportConversations } from "./export-conversations.ts";
import { findConversation, findRow } from "./find-conversation.ts";
import { projectConversation } from "./projection.ts";
import { traceOf } from "./trace.ts";
import { transcriptOf } from "./transcript.ts";
import { watchConversation } from "./watch-conversation.ts";

export const conversations = new OpenAPIHono<AppEnv>();

serve(conversations, contract.listConversations, async ({ env, store, principal, query }) => {
  const { rows, next } = await listConversations({ env, store }, own(principal, query));
  const conversations = rows.map((row) => Object.assign(projectConversation(row), { analysis: listedAnalysis(row) }));
  return { conversations, limit: query.limit, next };
});

// Registered before the path with an id, which would also match `export`.
serve(conversations, contract.exportConversations, ({ env, store, principal, query }) =>
  exportConversations({ env, store, principal }, own(principal, query)),
);

/** The filters of a list that require scopes of the caller. */
type Filters = OfAgents & Pick<contract.ConversationFilters, "phone_number" | "disposition" | "successful" | "data">;

/** Checks the scopes that filters by numbers and content require, and restricts the query to the caller's agents. */
function own<Q extends Filters>(principal: Principal, query: Q) {
  assertMayNameNumbers(principal, query.phone_number);
  assertMayNameContent(principal, query.disposition);
  assertMayNameContent(principal, query.successful);
  assertMayNameContent(principal, query.data);
  return withinOwnAgents(principal, query);
}

serve(conversations, contract.getConversation, async ({ env, store, principal, params }) =>
  projectConversation(ownRow(principal, await findConversation({ env, store }, params.id), "conversation")),
);

serve(conversations, contract.getTranscript, async ({ env, store, principal, params }) => {
  const detail = ownRow(principal, await findConversation({ env, store }, params.id), "conversation");
  const [agent] = await store.read(store.first(agents, { where: eq(agents.id, detail.agent_id), columns: ["name"] }));
  return new Response(transcriptOf(detail, agent?.name ?? detail.agent_id), {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
});

serve(conversations, contract.getTrace, async ({ env, store, principal, params, now }) => {
  const detail = ownRow(principal, await findConversation({ env, store }, params.id), "conversation");
  return traceOf(detail, store.account, now);
});

serve(conversations, contract.streamConversation, ({ c, env, store, principal, params }) =>
  watchConversation({ env, store, principal }, params.id, c.req.header("last-event-id")),
);

serve(
  conversations,
  contract.analyzeConversation,
  async ({ env, store, principal, params, operation }) => {
    const row = ownRow(principal, await findRow({ env, store }, params.id), "conversation");
    return { conversation_id: row.id, analysis: await analyzeAgain({ env, store }, row, operation) };
  },
  recordedInTransaction("the conversation stores which request asked for its analysis"),
);

serve(
  conversations,
  contract.undoOptOut,
  async ({ env, store, principal, params }) => {
    const row = ownRow(principal, await findRow({ env, store }, params.id), "conversation");
    return { on_list: await undoOptOut(store, row) };
  },
  idempotent("an opt-out that was undone stays undone"),
);

serve(conversations, contract.deleteConversation, async ({ env, store, principal, params }) => {
  if (principal.agentIds !== null) ownRow(principal, await findRow({ env, store }, params.id), "conversation");
  return deleteConversation({ env, store }, params.id);
});

interface Context {
  env: Bindings;
  store: AccountStore;
}

/**
 * Requests another analysis of a conversation and returns the analysis in its present state. `operation` identifies the
 * request; null without an idempotency key. @throws ApiError 404, 409
 */
async function analyzeAgain(
  { env, store }: Context,
  row: ConversationRow,
  operation: string | null,
): Promise<Analysis | null> {
  const isPending = await conversationObject(env, store.account, row.session_key).analyze(row, operation);
  if (!isPending) return (await findConversation({ env, store }, row.id)).analysis ?? null;
  const { agent_version } = row;
  const pending = { agent_version, analysis_status: "pending", successful: null, analysis_brief: FIRST_BRIEF } as const;
  return analysisOf(pending, null);
}

/**
 * Removes the number of a conversation from the do-not-call list if this conversation put it there. Returns whether the
 * number is still on the list. @throws ApiError 409 `no_number`
 */
async function undoOptOut(
  store: AccountStore,
  { id, phone_number }: Pick<ConversationRow, "id" | "phone_number">,
): Promise<boolean> {
  if (phone_number === null) throw conflict("no_number", "the conversation has no phone number");
  const isNumber = eq(doNotCall.phone_number, phone_number);
  const [, listed] = await store.write(
    { action: "undo_opt_out", resource: "conversation", resource_id: id },
    store.delete(doNotCall, all(isNumber, eq(doNotCall.conversation_id, id))),
    store.count(doNotCall, isNumber),
  );
  return listed > 0;
}

interface Context {
  env: Bindings;
  store: AccountStore;
}

interface Query extends contract.ConversationFilters, OfAgents {
  after?: string | undefined;
  limit: number;
}

/** The position after a page's last row, as the cursor encodes it. */
const cursor = z.tuple([z.string(), z.string()]).transform(([started_at, id]) => ({ started_at, id }));

/**
 * Returns a page of conversations, newest first, and the cursor of the next page.
 * @throws ApiError 400 if `after` is not a cursor of this list
 */
async function listConversations(
  { env, store }: Context,
  { after, limit, ...filters }: Query,
): Promise<{ rows: ConversationRow[]; next: string | null }> {
  const list = { account: store.account, list: "conversations" };
  const from = after === undefined ? null : await openCursor(env, list, after, cursor);
  const { rows, next } = await pageOfConversations(new Ledger({ env, store }), filters, from, limit);
  return { rows, next: next && (await sealCursor(env, list, [next.started_at, next.id])) };
}

/** Deletes a conversation from every store. @throws ApiError 404, or the error that prevented the erasure */
async function deleteConversation(context: Context, id: string): Promise<void> {
  const row = await findRow(context, id);
  const entry = { action: "delete", resource: "conversation", resource_id: id } as const;
  // The conversation's object still holds it for a while after archiving.
  const [failure] = await eraseConversations(context, { rows: [row], isHeld: () => true, entry });
  if (failure) throw failure.error;
}
