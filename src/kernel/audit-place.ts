import { firstIdAt } from "./instant-ids.ts";

/** Where an entry is in the audit log, which is in the order of `at` (ISO 8601, UTC) and of ids within a millisecond. */
export interface AuditPlace {
  at: string;
  id: string;
}

/** The order of the log. */
export function newestFirst(a: AuditPlace, b: AuditPlace): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? 1 : -1;
}

/**
 * The id that divides entries whose time is in their UUIDv7: those behind the place have a lower one. The id of the place
 * itself may be of another instant than its time.
 */
export function dividingId({ at, id }: AuditPlace): string {
  const ms = Date.parse(at);
  const [lowest, above] = [firstIdAt(ms), firstIdAt(ms + 1)];
  return id < lowest ? lowest : id > above ? above : id;
}

/** What one store of the log has of a page. */
export interface AuditPart<Row extends AuditPlace> {
  /** Newest first. */
  rows: Row[];
  /** The store was read down to here, including it; null if it has nothing further back. */
  readTo: AuditPlace | null;
}

/**
 * A page over all stores of the log: no entry is left out or shown twice, because nothing is shown from behind the place
 * that a store was read to. The page continues behind `next`, null at the end of the log; it is short where a store was
 * not read far enough to fill it.
 */
export function mergedPage<Row extends AuditPlace>(
  parts: AuditPart<Row>[],
  limit: number,
): { rows: Row[]; next: AuditPlace | null } {
  const [reach = null] = parts.flatMap(({ readTo }) => readTo ?? []).sort(newestFirst);
  const rows = parts
    .flatMap((part) => part.rows)
    .sort(newestFirst)
    .filter((row) => reach === null || newestFirst(row, reach) <= 0);
  const last = rows[limit - 1];
  if (rows.length > limit && last) return { rows: rows.slice(0, limit), next: { at: last.at, id: last.id } };
  return { rows, next: reach && { at: reach.at, id: reach.id } };
}
