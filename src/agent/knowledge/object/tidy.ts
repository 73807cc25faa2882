import { inArray, sql } from "drizzle-orm";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { documents } from "../../../kernel/db/schema/index.ts";
import type { ObjectPart } from "../../../kernel/durable/object-part.ts";
import { DAY_MS, HOUR_MS } from "../../../kernel/time.ts";
import { heldTexts } from "../../versions/held-texts.ts";
import type { DocumentStore } from "./document-store.ts";

const AT_ONCE = 1_000;
const TIDIED_AT = "tidied at";
/** After this time an original is assumed to belong to no document, ms: the request that stored it was interrupted. */
const LISTED_WITHIN_MS = HOUR_MS;

interface Dependencies {
  kv: SyncKvStorage;
  store: DocumentStore;
  account: AccountStore;
  originals: Pick<R2Bucket, "list" | "delete">;
}

/**
 * Deletes what interrupted requests left behind, once a day while the account is open: texts and originals without a
 * document.
 */
export function tidying({ kv, store, account, originals }: Dependencies): ObjectPart {
  const listed = async (ids: readonly string[]): Promise<Set<string>> => {
    const where = inArray(documents.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
    const [rows] = await account.read(account.select(documents, { where, columns: ["id"] }));
    return new Set(rows.map(({ id }) => id));
  };
  const tidyTexts = async () => {
    let ids = store.idsAfter("", AT_ONCE);
    while (ids.length > 0) {
      const known = await listed(ids);
      for (const id of ids) if (!known.has(id)) store.remove(id);
      ids = store.idsAfter(ids.at(-1) ?? "", AT_ONCE);
    }
    store.findStale();
    const earlier = store.withEarlierTexts();
    store.dropEarlierTexts(earlier, await heldTexts(account, earlier));
  };
  const tidyOriginals = async (now: number) => {
    const prefix = `${account.account}/`;
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await originals.list({ prefix, limit: AT_ONCE, ...(cursor !== undefined && { cursor }) });
      const old = page.objects.filter(({ uploaded }) => now - uploaded.getTime() > LISTED_WITHIN_MS);
      const known = await listed(old.map(({ key }) => key.slice(prefix.length)));
      const orphans = old.filter(({ key }) => !known.has(key.slice(prefix.length)));
      if (orphans.length > 0) await originals.delete(orphans.map(({ key }) => key));
      [more, cursor] = page.truncated ? [true, page.cursor] : [false, undefined];
    }
  };
  return {
    dueAt: () => (store.idsAfter("", 1).length === 0 ? null : (kv.get<number>(TIDIED_AT) ?? 0) + DAY_MS),
    run: async (now) => {
      const [status] = await account.read(account.accountStatus());
      // During a restore, the account is closed, and its documents may not be listed yet.
      if (status === "open") {
        await tidyTexts();
        await tidyOriginals(now);
      }
      kv.put(TIDIED_AT, now);
    },
  };
}
