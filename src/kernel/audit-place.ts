import { firstIdAt } from "./instant-ids.ts";

/** The place of an entry in the audit log, which is ordered by `at` (ISO 8601, UTC), then by id. */
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
 * Returns the id that divides entries whose time is in their UUIDv7: the ids of older entries than the place are lower. It
 * may differ from the id of the place, which need not contain the place's time.
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
  /** The last place that was read; null if the store has no older entries. */
  readTo: AuditPlace | null;
}

/**
 * Merges a page of all stores of the log. The page ends at the first place that a store was not read beyond, so that no
 * entry is left out or shown twice; it may then have fewer entries than `limit`. It continues after `next`, null at the end
 * of the log.
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
