import { foreignKey, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef, users } from "./accounts.ts";
import { createdAt, id } from "./columns.ts";

/** The account's rules for console sessions, if they differ from the defaults. */
export const signInPolicies = sqliteTable("sign_in_policies", {
  account: accountRef().primaryKey(),
  require_second_factor: integer("require_second_factor", { mode: "boolean" }).notNull().default(false),
  session_hours: integer("session_hours").notNull().default(12),
  idle_minutes: integer("idle_minutes").notNull().default(120),
});

/** The TOTP secret of each user who has a second factor or is setting one up. */
export const secondFactors = sqliteTable(
  "second_factors",
  {
    account: accountRef(),
    id: id(),
    /** The sealed secret; null until the first code confirms one. */
    secret: text("secret"),
    /** The sealed secret that a code has not confirmed yet. */
    pending_secret: text("pending_secret"),
    /** SHA-256 of each unused recovery code together with its user, hex. */
    recovery_codes: text("recovery_codes", { mode: "json" }).$type<string[]>().notNull().default([]),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    foreignKey({ columns: [t.account, t.id], foreignColumns: [users.account, users.id] }).onDelete("cascade"),
  ],
);

/** Links with which users can set a new password, one per user. */
export const passwordResets = sqliteTable(
  "password_resets",
  {
    account: accountRef(),
    id: id(),
    /** SHA-256 of the token, hex. */
    hash: text("hash").notNull(),
    created_by: text("created_by").notNull(),
    expires_at: text("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    foreignKey({ columns: [t.account, t.id], foreignColumns: [users.account, users.id] }).onDelete("cascade"),
    index("password_resets_account_hash").on(t.account, t.hash),
  ],
);
