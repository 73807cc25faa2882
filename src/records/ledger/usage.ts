import { oneOfAgents } from "./of-agents.ts";

export const USAGE_GROUPS = ["day", "agent", "campaign", "api_key", "kind", "model"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export const USAGE_SUMS = [
  "calls",
  "answered",
  "talk_ms",
  "conversations",
  "input_tokens",
  "cached_tokens",
  "output_tokens",
  "speech_chars",
  "carrier_s",
  "tool_runs",
  "cost_micros",
  "cost_incomplete",
] as const;
export type UsageSum = (typeof USAGE_SUMS)[number];

export interface UsageQuery {
  /** Days (UTC): the first day, and the day after the last. */
  from: string;
  to: string;
  by: UsageGroup[];
  /** Restricts the usage to one agent, campaign or API key. */
  only?: { agent_id?: string; campaign_id?: string; api_key_id?: string };
  agent_ids?: readonly string[] | undefined;
  /** The most groups to return. */
  limit: number;
}

/** The values of a group in the requested order ("" for none), and its sums in the order of USAGE_SUMS. */
export interface UsageRow {
  group: string[];
  sums: number[];
}

const COLUMN: Record<UsageGroup, string> = {
  day: "substr(hour, 1, 10)",
  agent: "agent_id",
  campaign: "campaign_id",
  api_key: "api_key_id",
  kind: "kind",
  model: "model",
};

/** Returns the usage from a volume's counters, ordered by group. */
export function readUsage(sql: SqlStorage, { from, to, by, only = {}, agent_ids, limit }: UsageQuery): UsageRow[] {
  const groups = by.map((name) => COLUMN[name]);
  const named = Object.entries(only).map(([column, value]) => [`${column} = ?`, value] as const);
  const conditions = agent_ids === undefined ? named : [...named, oneOfAgents("agent_id", agent_ids)];
  const rows = sql
    .exec(
      `SELECT ${[...groups, ...USAGE_SUMS.map((name) => `sum(${name})`)].join(", ")} FROM counters
       WHERE ${["hour >= ?", "hour < ?", ...conditions.map(([condition]) => condition)].join(" AND ")}
       ${groups.length === 0 ? "HAVING count(*) > 0" : `GROUP BY ${groups.join(", ")} ORDER BY ${groups.join(", ")}`}
       LIMIT ?`,
      from,
      to,
      ...conditions.map(([, value]) => value),
      limit,
    )
    .raw();
  return [...rows].map((row) => ({
    group: row.slice(0, groups.length).map(String),
    sums: row.slice(groups.length).map(Number),
  }));
}

export function mergeUsage(volumes: UsageRow[][]): UsageRow[] {
  const [first = [], ...others] = volumes.filter((rows) => rows.length > 0);
  if (others.length === 0) return first;
  const merged = new Map<string, UsageRow>();
  for (const row of [first, ...others].flat()) {
    const key = row.group.join("\n");
    const before = merged.get(key);
    const sums = before ? row.sums.map((sum, at) => sum + (before.sums[at] ?? 0)) : row.sums;
    merged.set(key, { group: row.group, sums });
  }
  return [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
