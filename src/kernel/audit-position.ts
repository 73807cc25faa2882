import { firstIdAt } from "./instant-ids.ts";

/** The position of an entry in the audit log, which is ordered by `at` (ISO 8601, UTC) and then by id. */
export interface AuditPosition {
  at: string;
  id: string;
}

export function newestFirst(a: AuditPosition, b: AuditPosition): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? 1 : -1;
}

/**
 * Returns the UUIDv7 that separates newer entries from older ones: entries older than this position have lower ids. It
 * may differ from the position's own id, because that id need not contain the position's time.
 */
export function dividingId({ at, id }: AuditPosition): string {
  const ms = Date.parse(at);
  const [lowest, above] = [firstIdAt(ms), firstIdAt(ms + 1)];
  return id < lowest ? lowest : id > above ? above : id;
}

/** The part of a page that comes from one store of the log. */
export interface AuditPart<Row extends AuditPosition> {
  /** The entries, newest first. */
  rows: Row[];
  /** The last position that was read; null if the store has no older entries. */
  readTo: AuditPosition | null;
}

/**
 * Merges the parts of a page from all stores of the log. The page ends at the first position where a store stopped
 * reading, so that no entry is left out or returned twice; it may have fewer entries than `limit`. The next page
 * continues after `next`, which is null at the end of the log.
 */
export function mergedPage<Row extends AuditPosition>(
  parts: AuditPart<Row>[],
  limit: number,
): { rows: Row[]; next: AuditPosition | null } {
  const [reach = null] = parts.flatMap(({ readTo }) => readTo ?? []).sort(newestFirst);
  const rows = parts
    .flatMap((part) => part.rows)
    .sort(newestFirst)
    .filter((row) => reach === null || newestFirst(row, reach) <= 0);
  const last = rows[limit - 1];
  if (rows.length > limit && last) return { rows: rows.slice(0, limit), next: { at: last.at, id: last.id } };
  return { rows, next: reach && { at: reach.at, id: reach.id } };
}
