import { eq } from "drizzle-orm";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { documents } from "../../../kernel/db/schema/index.ts";
import { CHUNKS_BY_PLAN, CRAWL_PAGES_BY_PLAN } from "../limits.ts";

export async function mostChunks(store: AccountStore): Promise<number> {
  const [most] = await store.read(store.quota("knowledge_chunks", CHUNKS_BY_PLAN));
  return most;
}

/** Returns how many pages the account may fetch per day. */
export async function mostCrawledPages(store: AccountStore): Promise<number> {
  const [most] = await store.read(store.quota("crawl_pages", CRAWL_PAGES_BY_PLAN));
  return most;
}

/**
 * Stores the SHA-256 of the last processed text, and invalidates cached responses that show the document's state. They
 * would otherwise be cached until the account's configuration changes.
 */
export async function touchDocument(store: AccountStore, id: string, text_sha256: string | null): Promise<void> {
  await store.record(store.update(documents, { text_sha256 }, eq(documents.id, id)));
}
