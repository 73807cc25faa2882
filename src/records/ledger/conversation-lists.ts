import { DAY_MS } from "../../kernel/time.ts";
import type { ConversationFilter, ConversationPlace, ConversationsFound } from "./conversation-queries.ts";
import type { Ledger } from "./ledger.ts";
import type { ConversationRow } from "./report.ts";

/** Most rows that a query compares for a page before it answers; as many are passed over to find where to go on. */
const MAX_READS = 10_000;
/** A conversation on a call is of the call's volume and begins after it, never this much later, ms. */
const LATEST_BEGIN_MS = DAY_MS;

interface Page {
  rows: ConversationRow[];
  /** Null at the end of the list; the page may be short without being the last. */
  next: ConversationPlace | null;
}

/**
 * A page of conversations over all volumes of a ledger, newest first: older volumes are asked only where they may have
 * one that belongs on the page.
 */
export async function pageOfConversations(
  ledger: Ledger,
  filter: ConversationFilter,
  after: ConversationPlace | null,
  limit: number,
): Promise<Page> {
  const days = await daysOf(ledger, filter, after);
  // One more than asked for tells whether the list goes on.
  const part = { after, limit: limit + 1, reads: Math.ceil(MAX_READS / Math.max(1, days.length)) };
  const found: ConversationRow[] = [];
  let stopped: ConversationPlace | null = null;
  for (const [i, day] of days.entries()) {
    const inVolume = (await ledger.volume(day).findConversations(filter, part)) as ConversationsFound;
    found.push(...inVolume.rows);
    found.sort(newestFirst);
    if (inVolume.stopped !== null && (stopped === null || newestFirst(inVolume.stopped, stopped) < 0))
      stopped = placeOf(inVolume.stopped);
    const reach = stopped;
    const isLast = i === days.length - 1;
    // From here on, older volumes may have some in between.
    const mixed = isLast ? "" : new Date(Date.parse(day) + LATEST_BEGIN_MS).toISOString();
    const rows = found.filter((row) => row.started_at >= mixed && (reach === null || newestFirst(row, reach) <= 0));
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: placeOf(rows[limit - 1]) };
    if (isLast || (reach !== null && reach.started_at >= mixed)) return { rows, next: reach };
  }
  return { rows: [], next: null };
}

/** The days of the volumes that may have conversations behind a place, newest first. */
async function daysOf(ledger: Ledger, { call_id, since, until }: ConversationFilter, after: ConversationPlace | null) {
  if (call_id !== undefined) {
    const day = await ledger.dayOf(call_id);
    return day === null ? [] : [day];
  }
  const days = await ledger.days();
  const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
  const to = Math.min(
    ...[until, after?.started_at].map((at) => (at === undefined ? Number.MAX_VALUE : Date.parse(at))),
  );
  return days
    .filter((day, i) => {
      const next = days[i + 1];
      // The first volume also has what clocks that differ put before it.
      const isAhead = i > 0 && Date.parse(day) > to;
      return !isAhead && (next === undefined || Date.parse(next) + LATEST_BEGIN_MS > from);
    })
    .reverse();
}

function newestFirst(a: ConversationPlace, b: ConversationPlace): number {
  if (a.started_at !== b.started_at) return a.started_at < b.started_at ? 1 : -1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? 1 : -1;
}

function placeOf(row: ConversationPlace | undefined): ConversationPlace | null {
  return row ? { started_at: row.started_at, id: row.id } : null;
}
