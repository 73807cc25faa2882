import { asc, eq, gt } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { auditLog } from "../../kernel/db/schema/index.ts";
import { type AuditedPerson, maskedEntry } from "../../kernel/mask-entry.ts";

/** The number of entries that a step masked, and the entry after which the next step continues; null at the end. */
interface AuditSwept {
  masked: number;
  next: string | null;
}

/**
 * Masks a person in the next `limit` entries of the audit log in D1, which are those about changes. Author, action and
 * time are kept.
 */
export async function maskAuditLog(
  store: Pick<AccountStore, "read" | "record" | "select" | "update">,
  person: AuditedPerson,
  after: string,
  limit: number,
): Promise<AuditSwept> {
  const [entries] = await store.read(
    store.select(auditLog, {
      where: all(gt(auditLog.id, after)),
      columns: ["id", "resource", "resource_id", "resource_name", "changes"],
      orderBy: [asc(auditLog.id)],
      limit,
    }),
  );
  const updates = entries.flatMap(({ id, ...entry }) => {
    const masked = maskedEntry(entry, person);
    return masked === null ? [] : [store.update(auditLog, masked, eq(auditLog.id, id))];
  });
  if (updates.length > 0) await store.record(...updates);
  return { masked: updates.length, next: entries.length < limit ? null : (entries.at(-1)?.id ?? null) };
}
