import { MAX_COUNTED } from "../../kernel/http/paging.ts";
import type { CallFilter, CallsCounted, CallsFound } from "./call-queries.ts";
import { isTallied } from "./call-totals.ts";
import type { Ledger } from "./ledger.ts";
import type { CallRow } from "./report.ts";
import { lowestIdOf, volumesWithin } from "./volumes.ts";

/** Most rows that a query reads for a page, and as many for its total, before it answers. */
const MAX_READS = 10_000;

/** Where a list of calls goes on: before a call, after so many more are skipped. */
export interface Place {
  before: string | null;
  skip: number;
}

interface Page {
  rows: CallRow[];
  /** Null at the end of the list; the page may be short without being the last. */
  next: Place | null;
}

/** How many calls a filter selects; at least that many where there are too many to count. */
export interface Total {
  total: number;
  total_at_least: boolean;
}

/** A page of calls over all volumes of a ledger, newest first. */
export async function pageOfCalls(ledger: Ledger, filter: CallFilter, place: Place, limit: number): Promise<Page> {
  const rows: CallRow[] = [];
  let { skip } = place;
  let reads = MAX_READS;
  for (const day of await newestFirst(ledger, filter, place.before)) {
    // One more than asked for tells whether the list goes on.
    const wanted = limit + 1 - rows.length;
    const part = { before: place.before, skip, limit: wanted, reads };
    const found = (await ledger.volume(day).findCalls(filter, part)) as CallsFound;
    rows.push(...found.rows);
    skip -= found.skipped;
    reads -= found.read;
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: { before: rows[limit - 1]?.id ?? null, skip } };
    if (found.stopped !== null) return { rows, next: { before: found.stopped, skip } };
    if (reads <= 0) return { rows, next: { before: lowestIdOf(day), skip } };
  }
  return { rows, next: null };
}

/** How many calls a filter selects, over all volumes. */
export async function totalOfCalls(ledger: Ledger, filter: CallFilter): Promise<Total> {
  const days = await newestFirst(ledger, filter, null);
  if (isTallied(filter)) {
    const totals = await Promise.all(days.map((day) => ledger.volume(day).talliedCalls(filter)));
    return { total: totals.reduce((sum, n) => sum + n, 0), total_at_least: false };
  }
  let total = 0;
  let reads = MAX_READS;
  for (const day of days) {
    if (reads <= 0) return { total, total_at_least: true };
    const counted: CallsCounted = await ledger.volume(day).countCalls(filter, MAX_COUNTED - total, reads);
    total += counted.calls;
    reads -= counted.read;
    if (counted.stopped) return { total, total_at_least: true };
  }
  return { total, total_at_least: false };
}

async function newestFirst(ledger: Ledger, filter: CallFilter, before: string | null): Promise<string[]> {
  return volumesWithin(await ledger.days(), { since: filter.since, until: filter.until, before }).reverse();
}
