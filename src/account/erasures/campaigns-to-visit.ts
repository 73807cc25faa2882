import { asc, eq, gt } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { auditLog, campaigns } from "../../kernel/db/schema/index.ts";
import { DAY_MS } from "../../kernel/time.ts";

/** A deletion that was interrupted has its campaign listed again well within this time, ms. */
const DELETED_LATELY_MS = DAY_MS;

/**
 * The campaigns whose objects may hold something of a person, in the order of their ids, after one: those that D1 lists,
 * in any status, and those deleted lately. Fewer than `limit` are the last. One that is created or cloned while they are
 * visited comes behind the others.
 */
export async function campaignsToVisit(
  store: Pick<AccountStore, "read" | "select">,
  after: string,
  limit: number,
  now: number,
): Promise<string[]> {
  const since = new Date(now - DELETED_LATELY_MS).toISOString();
  const isDeletion = all(eq(auditLog.resource, "campaign"), eq(auditLog.action, "delete"), gt(auditLog.at, since));
  const [listed, deleted] = await store.read(
    store.select(campaigns, { where: gt(campaigns.id, after), columns: ["id"], orderBy: [asc(campaigns.id)], limit }),
    store.select(auditLog, {
      where: all(isDeletion, gt(auditLog.resource_id, after)),
      columns: ["resource_id"],
      orderBy: [asc(auditLog.resource_id)],
      limit,
    }),
  );
  const ids = [...listed.map(({ id }) => id), ...deleted.map(({ resource_id }) => resource_id)];
  return [...new Set(ids)].sort().slice(0, limit);
}
