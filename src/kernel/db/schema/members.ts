import { index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ROLES } from "../../scopes.ts";
import { accountRef } from "./accounts.ts";
import { createdAt, id } from "./columns.ts";

/** Pending invitations of members, one per address. */
export const invitations = sqliteTable(
  "invitations",
  {
    account: accountRef(),
    id: id(),
    /** The email address in lower case. */
    email: text("email").notNull(),
    role: text("role", { enum: ROLES }).notNull(),
    /** SHA-256 of the token, hex. */
    hash: text("hash").notNull(),
    /** The id of the member whose authority the invitation carries: the one who sent it last. */
    invited_by: text("invited_by").notNull(),
    created_at: createdAt(),
    expires_at: text("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    uniqueIndex("invitations_account_email").on(t.account, t.email),
    index("invitations_account_hash").on(t.account, t.hash),
  ],
);

/**
 * Removed members who sign in through an OIDC provider. The provider still signs them in, but the service refuses them.
 */
export const removedMembers = sqliteTable(
  "removed_members",
  {
    account: accountRef(),
    id: id(),
    email: text("email").notNull(),
    removed_at: text("removed_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.id] })],
);
