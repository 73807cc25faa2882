import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { createdAt, id, revised, updatedAt } from "./columns.ts";

/** Limits of usage per day or month. The account's meter counts the usage. */
export const budgets = sqliteTable(
  "budgets",
  {
    account: accountRef(),
    id: id(),
    scope: text("scope", { enum: ["account", "agent", "campaign", "api_key"] }).notNull(),
    /** The agent or key, which may have been deleted since; null for the whole account. */
    scope_id: text("scope_id"),
    period: text("period", { enum: ["day", "month"] }).notNull(),
    unit: text("unit", { enum: ["tokens", "call_minutes", "speech_chars", "usd_micros"] }).notNull(),
    limit: integer("limit").notNull(),
    /** The shares of the limit at which to warn. */
    warn_at: text("warn_at", { mode: "json" }).$type<number[]>().notNull(),
    action: text("action", { enum: ["warn", "stop_new", "end"] }).notNull(),
    created_by: text("created_by").notNull(),
    created_at: createdAt(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("budgets_account_created").on(t.account, t.created_at, t.id),
  ],
);
