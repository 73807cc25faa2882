import { sql } from "drizzle-orm";

/**
 * What statistics of calls are grouped by and summed up from. The index of the calls and the query share these: SQLite
 * finds an expression in an index only where both write it the same. drizzle-kit cuts them at their commas: the initial
 * migration has them by hand, as must one that builds the index again.
 */
export const callFacts = {
  /** `2026-11-21T09`: an hour's calls stand together in the index, so that nothing is sorted. */
  hour: sql<string>`substr(created_at, 1, 13)`,
  status: sql<string>`status`,
  end_reason: sql<string | null>`end_reason`,
  over: sql<0 | 1>`ended_at IS NOT NULL`,
  /** By a person or a machine; that it was may not have been heard of before the end (`wasAnswered`). */
  picked_up: sql<0 | 1>`(status = 'completed' OR connected_at IS NOT NULL)`,
  by_machine: sql<0 | 1>`metadata ->> 'answered_by' IS 'machine'`,
  hangup_requested: sql<0 | 1>`metadata ->> 'hangup_requested' IS 1`,
  talk_ms: sql<
    number | null
  >`CAST(round((unixepoch(ended_at, 'subsec') - unixepoch(connected_at, 'subsec')) * 1000) AS integer)`,
};
