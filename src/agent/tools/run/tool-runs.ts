import { type SQL, sql } from "drizzle-orm";
import type { AccountStore, Write } from "../../../kernel/db/account-store.ts";
import { toolRuns } from "../../../kernel/db/schema/index.ts";

/** Runs of a tool that are kept. */
export const KEPT_RUNS = 100;
/** Most characters of an error that are kept. */
const MAX_ERROR_CHARS = 500;

/** One run of a tool as it is written down: when and how it went, never what was said. */
export type ToolRunRow = Omit<typeof toolRuns.$inferSelect, "account">;

/**
 * The statements that write down runs and forget all but the last of each tool. Done twice with the same runs of a
 * conversation, they are there once.
 */
export function runWrites(store: AccountStore, rows: ToolRunRow[]): [Write<unknown>, ...Write<unknown>[]] {
  const kept = rows.map((row) => ({
    ...row,
    error: row.error?.slice(0, MAX_ERROR_CHARS) ?? null,
  }));
  const insert = store.upsertMany(toolRuns, kept, {
    target: [toolRuns.account, toolRuns.conversation_id, toolRuns.tool_call_id],
    columns: ["tool_name", "at", "ok", "status", "duration_ms", "error"],
  });
  const names = [...new Set(rows.map(({ tool_name }) => tool_name))];
  return [insert, ...names.map((name) => store.delete(toolRuns, beyondKept(store.account, name)))];
}

/** Writes runs down in one D1 round trip; again does no harm. */
export async function recordRuns(store: AccountStore, rows: ToolRunRow[]): Promise<void> {
  if (rows.length > 0) await store.record(...runWrites(store, rows));
}

/** The runs of a tool before its last ones; found by the index alone. */
function beyondKept(account: string, name: string): SQL {
  return sql`${toolRuns.tool_name} = ${name} AND (${toolRuns.at}, ${toolRuns.id}) < (SELECT at, id FROM tool_runs WHERE account = ${account} AND tool_name = ${name} ORDER BY at DESC, id DESC LIMIT 1 OFFSET ${KEPT_RUNS - 1})`;
}
