import { sql } from "drizzle-orm";
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { agents } from "./agents.ts";
import { createdAt, id, revised, updatedAt } from "./columns.ts";

/** Carrier credentials, sealed by the vault; only the names of their fields are readable. */
export const telephonyProviders = sqliteTable(
  "telephony_providers",
  {
    account: accountRef(),
    id: id(),
    provider: text("provider").notNull(),
    label: text("label").notNull(),
    credentials: text("credentials").notNull(),
    credential_keys: text("credential_keys", { mode: "json" }).$type<string[]>().notNull(),
    created_at: createdAt(),
    /** Set when the credentials are deleted. The row remains for some time, because calls in progress still use it. */
    deleted_at: text("deleted_at"),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("telephony_providers_account_created").on(t.account, t.created_at, t.id),
    index("telephony_providers_account_deleted").on(t.account, t.deleted_at),
    index("telephony_providers_deleted").on(t.deleted_at).where(sql`deleted_at IS NOT NULL`),
  ],
);

/** A summary of a number check. */
export interface LastCheck {
  /** When the check was made, ISO 8601. */
  at: string;
  ok: boolean;
  failed: string[];
}

export const phoneNumbers = sqliteTable(
  "phone_numbers",
  {
    account: accountRef(),
    id: id(),
    e164: text("e164").notNull(),
    provider: text("provider").notNull(),
    credentials_id: text("credentials_id"),
    agent_id: text("agent_id"),
    inbound_enabled: integer("inbound_enabled", { mode: "boolean" }).notNull(),
    outbound_enabled: integer("outbound_enabled", { mode: "boolean" }).notNull(),
    /** Null if the number was never checked. */
    last_check: text("last_check", { mode: "json" }).$type<LastCheck>(),
    created_at: createdAt(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    uniqueIndex("phone_numbers_account_e164").on(t.account, t.e164),
    index("phone_numbers_account_created").on(t.account, t.created_at, t.id),
    index("phone_numbers_account_agent").on(t.account, t.agent_id, t.created_at, t.id),
    index("phone_numbers_account_credentials").on(t.account, t.credentials_id),
    foreignKey({ columns: [t.account, t.agent_id], foreignColumns: [agents.account, agents.id] }),
    foreignKey({
      columns: [t.account, t.credentials_id],
      foreignColumns: [telephonyProviders.account, telephonyProviders.id],
    }),
  ],
);
