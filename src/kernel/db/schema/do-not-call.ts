import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { createdAt } from "./columns.ts";

/** Numbers that the account must not call. The number is the row's key, so each one is listed once. */
export const doNotCall = sqliteTable(
  "do_not_call",
  {
    account: accountRef(),
    phone_number: text("phone_number").notNull(),
    reason: text("reason"),
    /** The conversation in which the person opted out; null if a member added the number. */
    conversation_id: text("conversation_id"),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.phone_number] }),
    index("do_not_call_account_created").on(t.account, t.created_at, t.phone_number),
  ],
);

/**
 * Opt-outs of erased people. Each is an HMAC of the number under a key of the account, which is sealed in a row of this
 * table.
 */
export const erasedOptOuts = sqliteTable(
  "erased_opt_outs",
  {
    account: accountRef(),
    /** The HMAC in hexadecimal. The key's row has `-key`, which sorts before all HMACs. */
    id: text("id").notNull(),
    /** The sealed key; null in the rows of HMACs. */
    sealed: text("sealed"),
  },
  (t) => [primaryKey({ columns: [t.account, t.id] })],
);
