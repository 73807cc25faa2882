import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/** An account's own prices. Each row applies from `since` until a later row for the same unit. */
export const prices = sqliteTable(
  "prices",
  {
    account: accountRef(),
    /** The unit's name in the service's price list. */
    what: text("what").notNull(),
    since: text("since").notNull(),
    /** Null if the default applies again. */
    unit_micros: integer("unit_micros"),
  },
  (t) => [primaryKey({ columns: [t.account, t.what, t.since] })],
);
