import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { type AuditPart, type AuditPosition, mergedPage } from "../../kernel/audit-position.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { type AuditRow, auditLog } from "../../kernel/db/schema/index.ts";
import { MAX_COUNTED } from "../../kernel/http/paging.ts";
import type { TimedAct } from "../../records/ledger/acts.ts";
import type { Ledger } from "../../records/ledger/ledger.ts";
import type { AuditFilters } from "./contract.ts";

/** An entry of the log, regardless of its store. */
export type AuditEntry = Omit<AuditRow, "account" | "about_account">;

/**
 * The position where a page begins: after the entry `after` (null means at the newest entry), skipping `skip` further
 * entries.
 */
export interface PageStart {
  after: AuditPosition | null;
  skip: number;
}

interface Context {
  store: AccountStore;
  ledger: Ledger;
}

/**
 * Returns a page of the account's log, newest first. Entries about changes are in D1, and those about acts in the
 * volumes of the ledger.
 */
export async function listedEntries(context: Context, filters: AuditFilters, start: PageStart, limit: number) {
  const { after, skip } = await passedOver(context, filters, start);
  // Skipping did not reach the page: the log ended, or one request may not read further.
  if (skip > 0 || (start.skip > 0 && after === null)) {
    const counted = await readParts(context, filters, { before: null, limit: 0 }, MAX_COUNTED);
    return Object.assign({ rows: [] as AuditEntry[], next: after && { after, skip } }, totalOf(counted));
  }
  // One more entry than requested is read, to show whether there is another page.
  const parts = await readParts(context, filters, { before: after, limit: limit + 1 }, MAX_COUNTED);
  const { rows, next } = mergedPage<AuditEntry>(parts, limit);
  return Object.assign({ rows, next: next && { after: next, skip: 0 } }, totalOf(parts));
}

/** Returns the position after the skipped entries. Reads only their times and ids. */
async function passedOver({ store, ledger }: Context, filters: AuditFilters, start: PageStart): Promise<PageStart> {
  const { after, skip } = start;
  if (skip === 0) return start;
  const where = all(wanted(filters), after === null ? undefined : isBehind(after));
  const page = { where, orderBy: NEWEST_FIRST, limit: skip, columns: ["at" as const, "id" as const] };
  const [changes] = await ledger.read(store.select(auditLog, page));
  const part = { before: after, limit: skip };
  const acts = await Promise.all((await ledger.volumes()).map((volume) => volume.positionsOfActs(filters, part)));
  const { rows, next } = mergedPage<AuditPosition>(
    [partOf(changes, skip), ...(acts as AuditPart<AuditPosition>[])],
    skip,
  );
  return { after: next, skip: next === null ? 0 : skip - rows.length };
}

type Counted = AuditPart<AuditEntry> & { total: number; more: boolean };

/** Reads a page from each store, and counts the matching entries there up to `most`. */
async function readParts(
  { store, ledger }: Context,
  filters: AuditFilters,
  part: { before: AuditPosition | null; limit: number },
  most: number,
): Promise<Counted[]> {
  const { before, limit } = part;
  const where = wanted(filters);
  const [changes, total] = await ledger.read(
    store.select(auditLog, {
      where: all(where, before === null ? undefined : isBehind(before)),
      orderBy: NEWEST_FIRST,
      limit,
    }),
    store.countTo(auditLog, most + 1, where),
  );
  const ofChanges = { total: Math.min(total, most), more: total > most };
  const acts = await Promise.all((await ledger.volumes()).map((volume) => volume.listActs(filters, part, most)));
  return [Object.assign(partOf(changes, limit), ofChanges), ...(acts as (Counted & AuditPart<TimedAct>)[])];
}

function totalOf(parts: Counted[]): { total: number; total_at_least: boolean } {
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  return {
    total: Math.min(total, MAX_COUNTED),
    total_at_least: total > MAX_COUNTED || parts.some(({ more }) => more),
  };
}

function partOf<Row extends AuditPosition>(rows: Row[], limit: number): AuditPart<Row> {
  return { rows, readTo: rows.length < limit ? null : (rows.at(-1) ?? null) };
}

const NEWEST_FIRST = [desc(auditLog.at), desc(auditLog.id)];

function isBehind({ at, id }: AuditPosition): SQL {
  return sql`(${auditLog.at}, ${auditLog.id}) < (${at}, ${id})`;
}

/** Returns the condition for entries that meet all filters. */
export function wanted({ action, resource, actor, since, until }: AuditFilters): SQL | undefined {
  return and(
    action === undefined ? undefined : eq(auditLog.action, action),
    resource === undefined ? undefined : eq(auditLog.resource, resource),
    actor === undefined ? undefined : eq(auditLog.actor, actor),
    since === undefined ? undefined : gte(auditLog.at, since),
    until === undefined ? undefined : lt(auditLog.at, until),
  );
}
