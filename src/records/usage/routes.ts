import { OpenAPIHono } from "@hono/zod-openapi";
import { accepts } from "hono/accepts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { type Cell, CSV_TYPE, csvStream, download } from "../../kernel/http/csv.ts";
import { invalidField } from "../../kernel/http/errors.ts";
import { readerOf } from "../../kernel/http/reader-of.ts";
import { serve } from "../../kernel/http/serve.ts";
import type { AgentIds } from "../../kernel/scopes.ts";
import { whileAllowed } from "../../kernel/streams/while-allowed.ts";
import { Ledger } from "../ledger/ledger.ts";
import { USAGE_SUMS, type UsageGroup, type UsageQuery, type UsageRow } from "../ledger/usage.ts";
import { getUsage, MAX_ROWS, usageSums } from "./contract.ts";
import { sumsShown } from "./usage-sums.ts";
import { piecesOf, requestedWindow, type UsageWindow } from "./usage-window.ts";

/** Daily usage is read this many days at a time, because a full year has too many rows to hold at once. */
const DAYS_AT_ONCE = 31;

export const usage = new OpenAPIHono<AppEnv>();

serve(usage, getUsage, async ({ c, env, store, principal, query: { from, to, group_by }, now }) => {
  const window = requestedWindow({ from, to }, now);
  const pieces = pagesOf(new Ledger({ env, store }), window, group_by, principal.agentIds);
  const types = ["application/json", "text/csv"];
  if (accepts(c, { header: "Accept", supports: types, default: "application/json" }) === "text/csv") {
    // Too many rows are refused before the response begins.
    const { value: first = [] } = await pieces.next();
    const file = whileAllowed(asCsv(first, pieces, group_by), env, store.account, readerOf(principal));
    return download(file, CSV_TYPE, `usage-${window.from}-${window.to}.csv`);
  }
  const rows: UsageRow[] = [];
  for await (const piece of pieces) {
    rows.push(...piece);
    if (rows.length > MAX_ROWS) throw tooManyRows();
  }
  return Object.assign({ usage: rows.map((row) => projectUsage(row, group_by)) }, window);
});

/** Yields the rows of a window in order, some days at a time, so that a whole year is never held in memory. */
async function* pagesOf(
  ledger: Ledger,
  window: UsageWindow,
  by: UsageGroup[],
  agentIds: AgentIds,
): AsyncGenerator<UsageRow[]> {
  const windows = by.includes("day") ? piecesOf(window, DAYS_AT_ONCE) : [window];
  for (const piece of windows) {
    const query: UsageQuery = Object.assign({ by, agent_ids: agentIds ?? undefined, limit: MAX_ROWS + 1 }, piece);
    const rows = await ledger.usage(query);
    if (rows.length > MAX_ROWS) throw tooManyRows();
    yield rows;
  }
}

function tooManyRows() {
  const message = `the result has more than ${MAX_ROWS} rows: request fewer days or groups, or a CSV`;
  return invalidField("group_by", "too_many_rows", message);
}

const FIELDS: Record<UsageGroup, string> = {
  day: "day",
  agent: "agent_id",
  campaign: "campaign_id",
  api_key: "api_key_id",
  kind: "kind",
  model: "model",
};

/** Returns a row as clients see it. */
function projectUsage({ group, sums }: UsageRow, by: UsageGroup[]) {
  const groups = Object.fromEntries(by.map((name, at) => [FIELDS[name], group[at] || null]));
  return Object.assign(
    groups,
    sumsShown((name) => sums[USAGE_SUMS.indexOf(name)] ?? 0),
  );
}

function asCsv(first: UsageRow[], others: AsyncGenerator<UsageRow[]>, by: UsageGroup[]): ReadableStream<Uint8Array> {
  const names = [...by.map((name) => FIELDS[name]), ...Object.keys(usageSums)];
  const columns = names.map((name) => [name, (row: Record<string, Cell>) => row[name]] as const);
  let rows: UsageRow[] | null = first;
  return csvStream(Object.fromEntries(columns), async () => {
    const page = rows?.map((row) => projectUsage(row, by)) ?? null;
    const { done, value } = await others.next();
    rows = done ? null : value;
    return page;
  });
}
