import { and, eq, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { documents } from "../../kernel/db/schema/index.ts";
import { knowledgeBase } from "../../kernel/durable/objects.ts";
import { originalKey } from "./original.ts";
import type { SentDocument } from "./sent-document.ts";

interface Context {
  env: Pick<Env, "KNOWLEDGE_BASE" | "DOCUMENTS">;
  store: AccountStore;
  created_by: string;
  /** The current time, ms. */
  now: number;
}

/**
 * Stores a document and queues it for reading. Returns the existing document with the same content and title; null if
 * there is none.
 */
export async function createDocument(
  { env, store, created_by, now }: Context,
  id: string,
  sent: SentDocument,
): Promise<Row | null> {
  const existing = await sameDocument(store, sent);
  if (existing !== null) return resumed(env, store.account, existing);
  const key = originalKey(store.account, id);
  const { address } = sent;
  if (address === null) await storePieces(env.DOCUMENTS, key, sent);
  const { url = null, pages = null, refresh_hours = null } = address ?? {};
  const { fields, source, file_name, content_type, bytes, sha256 } = sent;
  const { title, language = null, effective_from = null, effective_until = null } = fields;
  const at = new Date(now).toISOString();
  const row = { id, title, source, language, file_name, content_type, bytes, sha256, effective_from, effective_until };
  const settings = { url, pages, refresh_hours };
  const entry = { action: "create", resource: "document", resource_id: id } as const;
  try {
    await store.write(
      entry,
      store.insert(documents, Object.assign(row, settings, { created_by, created_at: at, updated_at: at })),
    );
  } catch (error) {
    // The row may have been stored although the response was lost. Its original must stay then.
    const stored = await sameDocument(store, sent);
    if (address === null && stored?.id !== id) await env.DOCUMENTS.delete(key);
    if (stored === null) throw error;
    return resumed(env, store.account, stored);
  }
  await processDocument(env, store.account, Object.assign(row, settings));
  return null;
}

type Row = typeof documents.$inferSelect;
type Processed = Pick<Row, "id" | "file_name" | "content_type" | "url" | "pages" | "refresh_hours">;

/** Queues a document for reading from its original or its address. */
export async function processDocument(
  env: Pick<Env, "KNOWLEDGE_BASE">,
  account: string,
  row: Processed,
): Promise<void> {
  const { id, file_name, content_type, url, pages, refresh_hours } = row;
  const original = { id, file_name, content_type };
  const base = knowledgeBase(env, account);
  if (url === null) return base.process(original);
  await base.crawl({ id, url, pages: pages ?? 1, refresh_hours }, original);
}

/** Queues a stored document whose request was interrupted before that. Returns it. */
async function resumed(env: Context["env"], account: string, row: Row): Promise<Row> {
  const states = await knowledgeBase(env, account).states([row.id]);
  if (states.length === 0) await processDocument(env, account, row);
  return row;
}

async function sameDocument(store: AccountStore, { fields: { title }, sha256 }: SentDocument): Promise<Row | null> {
  const where = and(eq(documents.title, title), eq(documents.sha256, sha256)) ?? sql`false`;
  const [row] = await store.read(store.first(documents, { where }));
  return row ?? null;
}

/** Stores an original in pieces without joining them in memory. */
async function storePieces(
  bucket: R2Bucket,
  key: string,
  { pieces, bytes, content_type }: SentDocument,
): Promise<void> {
  const { readable, writable } = new FixedLengthStream(bytes);
  const put = bucket.put(key, readable, { httpMetadata: { contentType: content_type } });
  const send = async () => {
    const writer = writable.getWriter();
    for (const piece of pieces) await writer.write(piece);
    await writer.close();
  };
  await Promise.all([put, send()]);
}
