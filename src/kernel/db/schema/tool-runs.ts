import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { id } from "./columns.ts";

/**
 * The last runs of each tool, without anything that was said. No reference to the tool or the conversation: a run that
 * is delivered late must not fail, and a tool that is deleted takes its runs along.
 */
export const toolRuns = sqliteTable(
  "tool_runs",
  {
    account: accountRef(),
    id: id(),
    tool_name: text("tool_name").notNull(),
    at: text("at").notNull(),
    /** Null for a run that somebody asked for by the API. */
    conversation_id: text("conversation_id"),
    tool_call_id: text("tool_call_id"),
    ok: integer("ok", { mode: "boolean" }).notNull(),
    /** The HTTP status that the service answered, null where it did not. */
    status: integer("status"),
    duration_ms: integer("duration_ms").notNull(),
    error: text("error"),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("tool_runs_account_tool").on(t.account, t.tool_name, t.at, t.id),
    // A call of a conversation is delivered until it has arrived, and is there once.
    uniqueIndex("tool_runs_account_call").on(t.account, t.conversation_id, t.tool_call_id),
  ],
);
