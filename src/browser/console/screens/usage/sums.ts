import type { Body } from "../../api/client.ts";

type Row = Body<"Usage">;
const SUMS = [
  "calls",
  "answered",
  "conversations",
  "minutes",
  "input_tokens",
  "cached_tokens",
  "output_tokens",
  "tool_runs",
  "cost",
  "cost_incomplete",
] as const;
export type Sums = Pick<Row, (typeof SUMS)[number]>;

export function sumOf(rows: Sums[]): Sums {
  const total = (name: keyof Sums) => rows.reduce((sum, row) => sum + row[name], 0);
  return {
    calls: total("calls"),
    answered: total("answered"),
    conversations: total("conversations"),
    // Minutes are rounded to three decimals.
    minutes: Math.round(total("minutes") * 1_000) / 1_000,
    input_tokens: total("input_tokens"),
    cached_tokens: total("cached_tokens"),
    output_tokens: total("output_tokens"),
    tool_runs: total("tool_runs"),
    cost: total("cost"),
    cost_incomplete: total("cost_incomplete"),
  };
}

/** Returns the usage of each of these days, including zeros, optionally of one kind only. */
export function byDay(rows: Row[], days: string[], kind?: string): Sums[] {
  const found = new Map<string | undefined, Row[]>();
  for (const row of rows) {
    if (kind !== undefined && row.kind !== kind) continue;
    found.set(row.day, [...(found.get(row.day) ?? []), row]);
  }
  return days.map((day) => sumOf(found.get(day) ?? []));
}

type Priced = Pick<Body<"Conversation">, "cost">;

/** Returns the distinct items without a price in these conversations. */
export function unpricedOf(conversations: Priced[]): string[] {
  const items = conversations.flatMap(({ cost }) => cost?.items ?? []);
  return [...new Set(items.filter(({ unit_micros }) => unit_micros === null).map(({ what }) => what))];
}
