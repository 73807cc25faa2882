import { firstIdAt } from "../../kernel/instant-ids.ts";
import { type CallFilter, rangeOf } from "./call-queries.ts";
import { type CountedCall, callContribution } from "./counters.ts";
import { END_REASONS } from "./end-reason.ts";
import { oneOfAgents } from "./of-agents.ts";
import { CALL_COUNTS } from "./schema.ts";

/** Which calls to count, in whole buckets. */
export interface StatisticsQuery extends Pick<CallFilter, "agent_id" | "agent_ids" | "campaign_id"> {
  since: string;
  until: string;
  interval: "minute" | "hour" | "day";
  direction?: "outbound" | "inbound" | undefined;
}

/** The sums of one bucket, under the names of the counters. */
export interface BucketSums {
  /** The bucket's time: `2026-11-21T09:30`, `2026-11-21T09` or `2026-11-21`. */
  at: string;
  sums: Record<string, number>;
}

/** The number of leading characters of a time that identify its bucket. */
export const BUCKET_CHARS = { minute: 16, hour: 13, day: 10 } as const;

const SUMS = [...CALL_COUNTS, ...END_REASONS.map((reason) => `ended_${reason}`)];

/** Returns the counts of a window's calls by bucket. They are read from the counters, or from the calls for minutes. */
export function callStatistics(sql: SqlStorage, query: StatisticsQuery): BucketSums[] {
  return query.interval === "minute" ? byMinute(sql, query) : byHours(sql, query);
}

function byHours(sql: SqlStorage, query: StatisticsQuery): BucketSums[] {
  const { interval, since, until } = query;
  const { where, values } = ownedBy(query);
  const at = interval === "hour" ? "hour" : `substr(hour, 1, ${BUCKET_CHARS.day})`;
  const rows = sql.exec<Record<string, string | number>>(
    `SELECT ${at} AS at, ${SUMS.map((name) => `sum(${name}) AS ${name}`).join(", ")} FROM counters
      WHERE hour >= ? AND hour < ? AND kind = 'call'${where} GROUP BY 1`,
    since.slice(0, BUCKET_CHARS.hour),
    until.slice(0, BUCKET_CHARS.hour),
    ...values,
  );
  return Array.from(rows, (row) => {
    const sums = SUMS.map((name) => [name, Number(row[name])]);
    return { at: String(row.at), sums: Object.fromEntries(sums) };
  });
}

interface Group extends Record<string, string | number | null> {
  at: string;
  status: string;
  end_reason: string | null;
  over: number;
  connected: number;
  by_machine: number;
  hangup_requested: number;
  n: number;
  talk_ms: number;
}

/**
 * Counts calls by minute. SQLite groups calls that are counted alike. The function that maintains the counters then
 * computes the sums of each group.
 */
function byMinute(sql: SqlStorage, query: StatisticsQuery): BucketSums[] {
  const { low, high } = rangeOf(query, null);
  const { where, values } = ownedBy(query);
  const groups = sql.exec<Group>(
    `SELECT substr(created_at, 1, ${BUCKET_CHARS.minute}) AS at, status, end_reason, ended_at IS NOT NULL AS over,
        connected_at IS NOT NULL AS connected, metadata ->> 'answered_by' IS 'machine' AS by_machine, hangup_requested,
        count(*) AS n,
        total(max(0, round((unixepoch(ended_at, 'subsec') - unixepoch(connected_at, 'subsec')) * 1000))) AS talk_ms
      FROM calls WHERE line_revision > 0 AND id >= ? AND id < ?${where} GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    low,
    high,
    ...values,
  );
  return Array.from(groups, (group) => {
    const each = callContribution(oneOf(group))?.sums ?? {};
    const sums = Object.entries(each).map(([name, by]) => [name, by * group.n]);
    return { at: group.at, sums: Object.assign(Object.fromEntries(sums), { talk_ms: group.talk_ms }) };
  });
}

/** Returns a call that represents its group, without the talk time. */
function oneOf({ at, status, end_reason, over, connected, by_machine, hangup_requested }: Group): CountedCall {
  return {
    id: firstIdAt(Date.parse(`${at}Z`)),
    line_revision: 1,
    status,
    end_reason,
    connected_at: connected === 1 ? at : null,
    ended_at: over === 1 ? at : null,
    metadata: by_machine === 1 ? { answered_by: "machine" } : {},
    hangup_requested: hangup_requested === 1,
    agent_id: "",
    agent_version: null,
    campaign_id: null,
    direction: "outbound",
    api_key_id: null,
  };
}

function ownedBy({ agent_id, agent_ids, campaign_id, direction }: StatisticsQuery): {
  where: string;
  values: string[];
} {
  const named = Object.entries({ agent_id, campaign_id, direction }).flatMap(([column, value]) =>
    value === undefined ? [] : [[`${column} = ?`, value] as const],
  );
  const conditions = agent_ids === undefined ? named : [...named, oneOfAgents("agent_id", agent_ids)];
  return {
    where: conditions.map(([condition]) => ` AND ${condition}`).join(""),
    values: conditions.map(([, value]) => value),
  };
}
