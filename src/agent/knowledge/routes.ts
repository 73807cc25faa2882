import { OpenAPIHono } from "@hono/zod-openapi";
import { eq } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { UniqueViolation } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { isRevision } from "../../kernel/db/revision.ts";
import { documents } from "../../kernel/db/schema/index.ts";
import { knowledgeBase } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { invalidField, notFound } from "../../kernel/http/errors.ts";
import { whyUnchanged } from "../../kernel/http/if-match.ts";
import { assertOwnAgent, withinOwnAgents } from "../../kernel/http/own-agents.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { pageOfQuestions } from "../../records/ledger/question-lists.ts";
import { findAgent } from "../versions/find-version.ts";
import { taken } from "../versions/taken.ts";
import * as contract from "./contract.ts";
import { createDocument, processDocument } from "./create-document.ts";
import { changesOf, documentOf, documentPage, documentRow } from "./documents.ts";
import { daysOutOfOrder, keepsDaysInOrder } from "./fields.ts";
import { findKnowledge, type Searched } from "./find-knowledge.ts";
import { originalKey } from "./original.ts";
import { reportKept, sentDocument } from "./sent-document.ts";
import { statesOf } from "./states.ts";
import { textOf } from "./text-of.ts";

export const knowledge = new OpenAPIHono<AppEnv>();

serve(knowledge, contract.listDocuments, async ({ env, store, principal, query: { limit, offset } }) => {
  const { documents, total } = await documentPage({ env, store, caller: principal }, { limit, offset });
  return { documents, total, limit, offset };
});

serve(knowledge, contract.createDocument, async ({ c, env, store, principal, now }) => {
  const sent = await sentDocument(c);
  const created_by = c.get("author").actor;
  const id = uuidv7({ msecs: now });
  const existing = await createDocument({ env, store, created_by, now }, id, sent);
  const document = await documentOf({ env, store, caller: principal }, existing?.id ?? id);
  if (existing !== null) reportKept(c, sent, Object.assign({ detected: document.language }, existing));
  return document;
});

serve(
  knowledge,
  contract.searchKnowledge,
  async ({ env, store, principal, body: { query, agent_id, limit }, now }) => {
    if (agent_id === undefined && principal.agentIds !== null)
      throw invalidField("agent_id", "required", "is required for an API key that is limited to agents");
    let searched: Searched = "account";
    if (agent_id !== undefined) {
      assertOwnAgent(principal, agent_id);
      const agent = await findAgent(store, agent_id);
      const live = taken(agent, "live");
      searched = typeof live === "string" ? agent.draft : live.content;
    }
    return { results: await findKnowledge({ env, store, now }, { query, searched, limit }) };
  },
  idempotent("a search changes nothing"),
);

// Registered before the path with an id, which would also match `unanswered`.
serve(knowledge, contract.listUnansweredQuestions, async ({ env, store, principal, query }) => {
  const { limit, offset, agent_id, agent_ids } = withinOwnAgents(principal, query);
  const page = { agent_ids: agent_id === undefined ? (agent_ids ?? null) : [agent_id], limit, offset };
  const { questions, total } = await pageOfQuestions(new Ledger({ env, store }), page);
  const shown = questions.map(({ id: _, at, ...question }) => Object.assign(question, { asked_at: at }));
  return { questions: shown, total, limit, offset };
});

serve(knowledge, contract.getDocument, ({ env, store, principal, params: { id } }) =>
  documentOf({ env, store, caller: principal }, id),
);

serve(knowledge, contract.updateDocument, async ({ env, store, principal, params: { id }, body, now, ifMatch }) => {
  const isIt = eq(documents.id, id);
  const set = await changesOf({ env, store, caller: principal }, id, body);
  const entry = {
    action: "update",
    resource: "document",
    resource_id: id,
    changes: changedColumns(documents, set),
  } as const;
  const marks = { updated_at: new Date(now).toISOString() };
  try {
    const daysInOrder = keepsDaysInOrder(set);
    const change = store.reviseIfOther(documents, set, marks, all(isIt, daysInOrder), ifMatch);
    const [[row]] = await store.write(entry, change);
    if (!row) {
      const isRevised = store.count(documents, all(isIt, isRevision(documents, ifMatch)));
      if (daysInOrder && (await store.read(isRevised))[0] > 0) throw daysOutOfOrder(set);
      throw await whyUnchanged(store, documents, isIt, "document");
    }
    if (set.refresh_hours !== undefined && row.url !== null)
      await knowledgeBase(env, store.account).schedule(id, row.refresh_hours);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    const message = "a document with this content and title already exists";
    throw invalidField("title", "duplicate_document", message, message);
  }
  return documentOf({ env, store, caller: principal }, id);
});

serve(knowledge, contract.deleteDocument, async ({ env, store, params: { id } }) => {
  const entry = { action: "delete", resource: "document", resource_id: id } as const;
  const [gone] = await store.write(entry, store.delete(documents, eq(documents.id, id)));
  // Also sent if the document is already deleted, because an interrupted request may have left these behind. The text is
  // removed last: as long as there is any, the daily cleanup finds the original of a deleted document.
  await env.DOCUMENTS.delete(originalKey(store.account, id));
  await knowledgeBase(env, store.account).remove(id);
  if (gone.length === 0) throw notFound("document");
});

serve(
  knowledge,
  contract.refreshDocument,
  async ({ env, store, principal, params: { id } }) => {
    const caller = principal;
    const row = await documentRow({ store, caller }, id);
    await store.note({ action: "refresh", resource: "document", resource_id: id });
    await processDocument(env, store.account, row);
    return documentOf({ env, store, caller }, id);
  },
  idempotent("the document is read again"),
);

serve(knowledge, contract.getDocumentContent, async ({ env, store, principal, params: { id } }) => {
  await documentRow({ store, caller: principal }, id);
  return { parts: await textOf(env, store.account, id) };
});

serve(
  knowledge,
  contract.listDocumentChunks,
  async ({ env, store, principal, params: { id }, query: { limit, offset } }) => {
    await documentRow({ store, caller: principal }, id);
    const [stateOf, chunks] = await Promise.all([
      statesOf(env, store.account, [id]),
      knowledgeBase(env, store.account).chunks(id, offset, limit),
    ]);
    const shown = chunks.map(({ place: position, heading, text }) => ({ chunk: position, heading, text }));
    return { chunks: shown, total: stateOf(id).chunks, limit, offset };
  },
);

serve(knowledge, contract.listDocumentPages, async ({ env, store, principal, params: { id } }) => {
  await documentRow({ store, caller: principal }, id);
  const pages = await knowledgeBase(env, store.account).pages(id);
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return { pages: pages.map((page) => Object.assign({}, page, { read_at: at(page.read_at) })) };
});

serve(knowledge, contract.getDocumentOriginal, async ({ env, store, principal, params: { id } }) => {
  const { file_name, content_type } = await documentRow({ store, caller: principal }, id);
  const original = await env.DOCUMENTS.get(originalKey(store.account, id));
  if (original === null) throw notFound("original");
  return new Response(original.body, {
    headers: {
      "content-type": content_type,
      "content-length": String(original.size),
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file_name).replaceAll("'", "%27")}`,
      "cache-control": "no-store",
    },
  });
});
