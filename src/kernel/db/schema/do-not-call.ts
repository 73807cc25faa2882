import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { createdAt } from "./columns.ts";

/** Numbers the account must not call. The number is its own key: it is on the list once. */
export const doNotCall = sqliteTable(
  "do_not_call",
  {
    account: accountRef(),
    phone_number: text("phone_number").notNull(),
    reason: text("reason"),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.phone_number] }),
    index("do_not_call_account_created").on(t.account, t.created_at, t.phone_number),
  ],
);
