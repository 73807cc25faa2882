import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agentDocuments, agents, documents } from "../../kernel/db/schema/index.ts";
import { inTurn, piecesOf } from "../../kernel/db/wide-rows.ts";
import { knowledgeBase } from "../../kernel/durable/objects.ts";
import { invalidField, notFound } from "../../kernel/http/errors.ts";
import { type Authority, isWithin } from "../../kernel/scopes.ts";
import { documentsSeenBy } from "../items.ts";
import type { documentChanges } from "./fields.ts";
import { statesOf } from "./states.ts";

export interface DocumentReader {
  env: Pick<Env, "KNOWLEDGE_BASE">;
  store: AccountStore;
  caller: Pick<Authority, "agentIds">;
}

type Row = typeof documents.$inferSelect;
type Use = { agent_id: string; name: string; mode: (typeof agentDocuments.$inferSelect)["mode"] };

/** The maximum number of attachments that are read at once. A single document may have more. */
const MOST_USES = 10_000;

/** Reads which agents have the selected documents, at most `limit` attachments. */
function useReads(store: AccountStore, ids: SQL, limit?: number) {
  const links = sql`(SELECT agent_id FROM agent_documents WHERE account = ${store.account} AND document_id IN (${ids}))`;
  return [
    store.select(agentDocuments, {
      where: sql`${agentDocuments.document_id} IN (${ids})`,
      columns: ["agent_id", "document_id", "mode"],
      ...(limit !== undefined && { limit }),
    }),
    store.select(agents, { where: inArray(agents.id, links), columns: ["id", "name"], orderBy: [asc(agents.name)] }),
  ] as const;
}

/** Reads the state of crawls. Makes no request if no document has an address. */
async function crawlsOf(env: DocumentReader["env"], account: string, rows: readonly Row[]) {
  const ids = rows.flatMap(({ id, url }) => (url === null ? [] : [id]));
  const sites = ids.length === 0 ? [] : await knowledgeBase(env, account).sites(ids);
  return new Map(
    sites.map(({ document, bytes, pages_read, pages_failed, pages_waiting, next_refresh_at: at }) => {
      const next_refresh_at = at === null ? null : new Date(at).toISOString();
      return [document, { bytes, crawl: { pages_read, pages_failed, pages_waiting, next_refresh_at } }];
    }),
  );
}

/** Returns the uses of each document in the order of the agents. Each link is read once. */
function usesOf(
  links: readonly (typeof agentDocuments.$inferSelect)[],
  named: readonly Pick<typeof agents.$inferSelect, "id" | "name">[],
): Map<string, Use[]> {
  const linksOf = Map.groupBy(links, ({ agent_id }) => agent_id);
  const uses = named.flatMap(({ id, name }) =>
    (linksOf.get(id) ?? []).map(({ document_id, mode }) => ({ document_id, use: { agent_id: id, name, mode } })),
  );
  const grouped = Map.groupBy(uses, ({ document_id }) => document_id);
  return new Map([...grouped].map(([id, ofIt]) => [id, ofIt.map(({ use }) => use)]));
}

/** Adds each document's processing state and the agents that have it, if the caller may see them. */
async function shown(
  { env, store, caller }: DocumentReader,
  rows: readonly Row[],
  links: readonly (typeof agentDocuments.$inferSelect)[],
  named: readonly Pick<typeof agents.$inferSelect, "id" | "name">[],
) {
  const stateOf = await statesOf(
    env,
    store.account,
    rows.map(({ id }) => id),
  );
  const crawls = await crawlsOf(env, store.account, rows);
  const uses = usesOf(
    links,
    named.filter(({ id }) => isWithin(caller.agentIds, id)),
  );
  return rows.map((row) => {
    const { status, reason, language, chunks, refreshed_at } = stateOf(row.id);
    const used_by = uses.get(row.id) ?? [];
    const read_at = refreshed_at === null ? null : new Date(refreshed_at).toISOString();
    const { crawl, bytes } = crawls.get(row.id) ?? { crawl: null, bytes: row.bytes };
    const own = { status, reason, chunks, bytes, crawl, used_by };
    return Object.assign({}, row, own, { language: row.language ?? language, refreshed_at: read_at });
  });
}

/**
 * Returns a page of the documents that the caller may see, newest first. If too many agents have them, they come in
 * pieces that are read one after the other.
 */
export async function documentPage(reader: DocumentReader, { limit, offset }: { limit: number; offset: number }) {
  const { store, caller } = reader;
  const where = documentsSeenBy(caller, store);
  const own = all(sql`account = ${store.account}`, where);
  const ids = sql`SELECT id FROM documents WHERE ${own} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`;
  const isOfPage = sql`${agentDocuments.document_id} IN (${ids})`;
  const [rows, total, links, named, counts] = await store.read(
    store.select(documents, {
      ...(where && { where }),
      orderBy: [desc(documents.created_at), desc(documents.id)],
      limit,
      offset,
    }),
    store.count(documents, where),
    ...useReads(store, ids, MOST_USES),
    store.countBy(agentDocuments, { id: agentDocuments.document_id }, { where: isOfPage }),
  );
  if (links.length < MOST_USES) return { documents: await shown(reader, rows, links, named), total };
  const uses = new Map(counts.map(({ id, n }) => [id, n]));
  const pieces = piecesOf(
    rows.map((row) => ({ id: row, bytes: uses.get(row.id) ?? 0 })),
    MOST_USES,
  );
  const documentsOf = async (piece: Row[]) => {
    const chosen = sql`SELECT value FROM json_each(${JSON.stringify(piece.map(({ id }) => id))})`;
    return shown(reader, piece, ...(await store.read(...useReads(store, chosen))));
  };
  return { documents: inTurn(pieces, documentsOf), total };
}

/** Returns a document that the caller may see. @throws ApiError 404 */
export async function documentOf(reader: DocumentReader, id: string) {
  const { store, caller } = reader;
  const [row, links, named] = await store.read(
    store.first(documents, { where: all(eq(documents.id, id), documentsSeenBy(caller, store)) }),
    ...useReads(store, sql`SELECT ${id}`),
  );
  if (!row) throw notFound("document");
  const [document] = await shown(reader, [row], links, named);
  if (!document) throw notFound("document");
  return document;
}

/** Returns the row of a document that the caller may see. @throws ApiError 404 */
export async function documentRow({ store, caller }: Omit<DocumentReader, "env">, id: string): Promise<Row> {
  const where = and(eq(documents.id, id), documentsSeenBy(caller, store));
  const [row] = await store.read(store.first(documents, { where: where ?? sql`false` }));
  if (!row) throw notFound("document");
  return row;
}

/**
 * Returns the changes to store. The detected language of a document without one of its own is in effect already, so it
 * is not stored. @throws ApiError 400, 404
 */
export async function changesOf(
  { env, store, caller }: DocumentReader,
  id: string,
  body: z.output<typeof documentChanges>,
) {
  const { language, ...others } = body;
  if (!body.refresh_hours && !language) return body;
  const row = await documentRow({ store, caller }, id);
  if (body.refresh_hours && row.url === null)
    throw invalidField("refresh_hours", "no_address", "is only allowed for documents that are read from an address");
  if (!language || row.language !== null) return body;
  const stateOf = await statesOf(env, store.account, [id]);
  return stateOf(id).language === language ? others : body;
}
