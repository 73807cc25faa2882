import { primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { OperatorScope } from "../../scopes.ts";
import { accountRef } from "./accounts.ts";
import { createdAt, id } from "./columns.ts";

/** Tokens for operators' jobs. All rows belong to the operators' account. */
export const operatorTokens = sqliteTable(
  "operator_tokens",
  {
    account: accountRef(),
    id: id(),
    name: text("name").notNull(),
    /** SHA-256 of the whole token, hex. The token itself is never stored. */
    hash: text("hash").notNull(),
    last8: text("last8").notNull(),
    scopes: text("scopes", { mode: "json" }).$type<OperatorScope[]>().notNull(),
    /** The accounts to which the token is limited; null for all. */
    accounts: text("accounts", { mode: "json" }).$type<string[]>(),
    /** The networks from which the token is accepted, in CIDR notation. */
    allowed_addresses: text("allowed_addresses", { mode: "json" }).$type<string[]>().notNull(),
    created_at: createdAt(),
    created_by: text("created_by").notNull(),
    expires_at: text("expires_at").notNull(),
    last_used_at: text("last_used_at"),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    uniqueIndex("operator_tokens_account_hash").on(t.account, t.hash),
  ],
);
