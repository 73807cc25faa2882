import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { createdAt, id } from "./columns.ts";

/** Receipts of erasures. They are a projection of each erasure's own object, without identifiers of people. */
export const erasures = sqliteTable(
  "erasures",
  {
    account: accountRef(),
    id: id(),
    status: text("status", { enum: ["pending", "complete"] }).notNull(),
    subject: text("subject", { enum: ["phone_number", "visitor_id", "conversation_id"] }).notNull(),
    /** The last two digits of a number. */
    hint: text("hint"),
    /** How many records were erased so far, by kind. */
    counts: text("counts", { mode: "json" }).$type<Record<string, number>>().notNull(),
    created_at: createdAt(),
    completed_at: text("completed_at"),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("erasures_account_created").on(t.account, t.created_at, t.id),
    // For the count of pending erasures, which is needed to create an erasure.
    index("erasures_pending").on(t.account).where(sql`status = 'pending'`),
  ],
);
