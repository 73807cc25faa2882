import { DAY_MS } from "../../kernel/time.ts";
import type { ConversationCursor, ConversationFilter, ConversationsFound } from "./conversation-queries.ts";
import type { Ledger } from "./ledger.ts";
import type { ConversationRow } from "./report.ts";

/** The most rows that a query compares for a page, and the most rows that it skips to find where to continue. */
const MAX_READS = 10_000;
/**
 * A call's conversation is stored in the call's volume. It begins after the call, but less than this much later (ms).
 */
const LATEST_BEGIN_MS = DAY_MS;

interface Page {
  rows: ConversationRow[];
  /** Null at the end of the list; the page may be short without being the last. */
  next: ConversationCursor | null;
}

/**
 * Returns a page of conversations over all volumes of a ledger, newest first. Older volumes are read only if they may
 * contain a conversation of the page.
 */
export async function pageOfConversations(
  ledger: Ledger,
  filter: ConversationFilter,
  after: ConversationCursor | null,
  limit: number,
): Promise<Page> {
  const days = await daysOf(ledger, filter, after);
  // One row more than requested tells whether there is another page.
  const part = { after, limit: limit + 1, reads: Math.ceil(MAX_READS / Math.max(1, days.length)) };
  const found: ConversationRow[] = [];
  let stopped: ConversationCursor | null = null;
  for (const [i, day] of days.entries()) {
    const inVolume = (await ledger.volume(day).findConversations(filter, part)) as ConversationsFound;
    found.push(...inVolume.rows);
    found.sort(newestFirst);
    if (inVolume.stopped !== null && (stopped === null || newestFirst(inVolume.stopped, stopped) < 0))
      stopped = cursorOf(inVolume.stopped);
    const reach = stopped;
    const isLast = i === days.length - 1;
    // Conversations before this time may be interleaved with those of older volumes.
    const mixed = isLast ? "" : new Date(Date.parse(day) + LATEST_BEGIN_MS).toISOString();
    const rows = found.filter((row) => row.started_at >= mixed && (reach === null || newestFirst(row, reach) <= 0));
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: cursorOf(rows[limit - 1]) };
    if (isLast || (reach !== null && reach.started_at >= mixed)) return { rows, next: reach };
  }
  return { rows: [], next: null };
}

/** Returns the days of the volumes that may contain conversations after a position, newest first. */
async function daysOf(ledger: Ledger, { call_id, since, until }: ConversationFilter, after: ConversationCursor | null) {
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
      // The first volume also stores ids from before its first day, which come from differing clocks.
      const isAhead = i > 0 && Date.parse(day) > to;
      return !isAhead && (next === undefined || Date.parse(next) + LATEST_BEGIN_MS > from);
    })
    .reverse();
}

function newestFirst(a: ConversationCursor, b: ConversationCursor): number {
  if (a.started_at !== b.started_at) return a.started_at < b.started_at ? 1 : -1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? 1 : -1;
}

function cursorOf(row: ConversationCursor | undefined): ConversationCursor | null {
  return row ? { started_at: row.started_at, id: row.id } : null;
}
