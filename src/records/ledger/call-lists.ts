import { MAX_COUNTED } from "../../kernel/http/paging.ts";
import type { CallFilter, CallPart, CallsCounted, CallsFound } from "./call-queries.ts";
import { isTallied } from "./call-totals.ts";
import type { Ledger } from "./ledger.ts";
import type { CallRow } from "./report.ts";
import { lowestIdOf, volumesWithin } from "./volumes.ts";

/** The most rows that a query reads for a page, and the most for its total. */
const MAX_READS = 10_000;

/** Where a list of calls continues: among the calls before this one, after skipping `skip` of them. */
export interface CallCursor {
  before: string | null;
  skip: number;
}

interface Page {
  rows: CallRow[];
  /** Null at the end of the list; the page may be short without being the last. */
  next: CallCursor | null;
}

/** The number of calls that a filter selects, or a lower bound if there are too many to count. */
export interface Total {
  total: number;
  total_at_least: boolean;
}

/** Returns a page of calls over all volumes of a ledger, newest first. */
export async function pageOfCalls(
  ledger: Ledger,
  filter: CallFilter,
  cursor: CallCursor,
  limit: number,
): Promise<Page> {
  return pageOver(await newestFirst(ledger, filter, cursor.before), cursor, limit, async (day, part) => {
    return (await ledger.volume(day).findCalls(filter, part)) as CallsFound;
  });
}

/** Returns a page of calls with the number that the filter selects, in one round trip if the ledger has one volume. */
export async function listedCalls(
  ledger: Ledger,
  filter: CallFilter,
  cursor: CallCursor,
  limit: number,
): Promise<Page & Total> {
  const all = await newestFirst(ledger, filter, null);
  const [newest, ...older] = all;
  const counted = new Map<string, CallsCounted>();
  const page = await pageOver(await newestFirst(ledger, filter, cursor.before), cursor, limit, async (day, part) => {
    const volume = ledger.volume(day);
    if (day !== newest) return (await volume.findCalls(filter, part)) as CallsFound;
    const [found, count] = (await volume.listCalls(filter, part, MAX_COUNTED, MAX_READS)) as [CallsFound, CallsCounted];
    counted.set(day, count);
    return found;
  });
  const first = newest === undefined ? undefined : counted.get(newest);
  const total = first ? await totalOver(ledger, filter, older, first) : await totalOver(ledger, filter, all);
  return Object.assign(page, total);
}

async function pageOver(
  days: string[],
  cursor: CallCursor,
  limit: number,
  find: (day: string, part: CallPart) => Promise<CallsFound>,
): Promise<Page> {
  const rows: CallRow[] = [];
  let { skip } = cursor;
  let reads = MAX_READS;
  for (const day of days) {
    // One row more than requested tells whether there is another page.
    const found = await find(day, { before: cursor.before, skip, limit: limit + 1 - rows.length, reads });
    rows.push(...found.rows);
    skip -= found.skipped;
    reads -= found.read;
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: { before: rows[limit - 1]?.id ?? null, skip } };
    if (found.stopped !== null) return { rows, next: { before: found.stopped, skip } };
    if (reads <= 0) return { rows, next: { before: lowestIdOf(day), skip } };
  }
  return { rows, next: null };
}

/** Adds the number of calls that a filter selects in these volumes to those already counted. */
async function totalOver(
  ledger: Ledger,
  filter: CallFilter,
  days: string[],
  counted: CallsCounted = { calls: 0, read: 0, stopped: false },
): Promise<Total> {
  if (isTallied(filter)) {
    const found = await Promise.all(days.map((day) => ledger.volume(day).countCalls(filter, 0, 0)));
    return { total: found.reduce((sum, { calls }) => sum + calls, counted.calls), total_at_least: false };
  }
  let total = counted.calls;
  let reads = MAX_READS - counted.read;
  if (counted.stopped) return { total, total_at_least: true };
  for (const day of days) {
    if (reads <= 0) return { total, total_at_least: true };
    const more: CallsCounted = await ledger.volume(day).countCalls(filter, MAX_COUNTED - total, reads);
    total += more.calls;
    reads -= more.read;
    if (more.stopped) return { total, total_at_least: true };
  }
  return { total, total_at_least: false };
}

async function newestFirst(ledger: Ledger, filter: CallFilter, before: string | null): Promise<string[]> {
  return volumesWithin(await ledger.days(), { since: filter.since, until: filter.until, before }).reverse();
}
