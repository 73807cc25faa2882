import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { createdAt, id } from "./columns.ts";

/** The list of campaigns. It is a projection of each campaign object's own record, which the object pushes here. */
export const campaigns = sqliteTable(
  "campaigns",
  {
    account: accountRef(),
    id: id(),
    status: text("status", { enum: ["draft", "running", "paused", "stopped", "completed"] }).notNull(),
    agent_id: text("agent_id"),
    /** The version of the agent to which the campaign is pinned; null if it follows the version in force. */
    agent_version: integer("agent_version"),
    from_number: text("from_number"),
    /** The object's change number, so that an older push never overwrites a newer one. */
    revision: integer("revision").notNull(),
    record: text("record", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("campaigns_account_created").on(t.account, t.created_at, t.id),
    index("campaigns_account_agent_status").on(t.account, t.agent_id, t.status),
    // For the count of open campaigns, which is needed to create a campaign.
    index("campaigns_open").on(t.account, t.id).where(sql`status IN ('draft', 'running', 'paused')`),
    check("campaigns_record_is_object", sql`json_type(${t.record}) = 'object'`),
  ],
);
