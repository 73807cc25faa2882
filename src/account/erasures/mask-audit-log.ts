import { asc, eq, gt } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { type AuditChanges, auditLog } from "../../kernel/db/schema/index.ts";
import { MASKED_VISITOR, type NumberMask } from "../../kernel/mask-number.ts";

/** How many entries a step masked, and after which entry it continues; null at the end. */
export interface AuditSwept {
  masked: number;
  next: string | null;
}

/** What entries name a person by: the number anywhere, and a visitor as what an entry is about. */
export interface AuditedPerson {
  mask: NumberMask | null;
  visitor: string | null;
}

/** Masks a person in the next `limit` entries of the audit log. Who did what and when stays. */
export async function maskAuditLog(
  store: Pick<AccountStore, "read" | "record" | "select" | "update">,
  { mask, visitor }: AuditedPerson,
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
  const updates = entries.flatMap(({ id, resource, resource_id, resource_name, changes }) => {
    const isVisitor = visitor !== null && resource === VISITOR_TOKEN && resource_id === visitor;
    const set = {
      resource_id: isVisitor ? MASKED_VISITOR : (mask?.text(resource_id) ?? resource_id),
      resource_name: resource_name && (mask?.text(resource_name) ?? resource_name),
      changes: (mask ? mask.json(changes) : changes) as AuditChanges | null,
    };
    const isMasked = JSON.stringify(set) !== JSON.stringify({ resource_id, resource_name, changes });
    return isMasked ? [store.update(auditLog, set, eq(auditLog.id, id))] : [];
  });
  if (updates.length > 0) await store.record(...updates);
  return { masked: updates.length, next: entries.length < limit ? null : (entries.at(-1)?.id ?? null) };
}

/** The kind of resource whose id is the visitor's own. */
const VISITOR_TOKEN = "visitor_token";
