import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { agents } from "./agents.ts";
import { createdAt, id, revised, updatedAt } from "./columns.ts";

/** Public keys of widgets. Like an API key, a widget key is looked up by its hash. */
export const widgetKeys = sqliteTable(
  "widget_keys",
  {
    account: accountRef(),
    id: id(),
    name: text("name").notNull(),
    /** SHA-256 of the whole key, hex. */
    hash: text("hash").notNull(),
    last8: text("last8").notNull(),
    /** The key itself, sealed by the vault; null if only its hash was stored, so that it cannot be shown again. */
    sealed_key: text("sealed_key"),
    agent_id: text("agent_id"),
    /** Canonical origins. An empty list allows none. */
    domain_allowlist: text("domain_allowlist", { mode: "json" }).$type<string[]>().notNull(),
    /** The account's limits for visitors by name. Null removes a limit, and a missing limit has its default. */
    limits: text("limits", { mode: "json" }).$type<Record<string, number | null>>().notNull().default({}),
    created_at: createdAt(),
    /** The id of the member or API key that created it. */
    created_by: text("created_by").notNull(),
    last_used_at: text("last_used_at"),
    disabled_at: text("disabled_at"),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    uniqueIndex("widget_keys_account_hash").on(t.account, t.hash),
    index("widget_keys_account_created").on(t.account, t.created_at, t.id),
    index("widget_keys_account_agent").on(t.account, t.agent_id),
    index("widget_keys_account_disabled").on(t.account, t.disabled_at),
    foreignKey({ columns: [t.account, t.agent_id], foreignColumns: [agents.account, agents.id] }),
  ],
);

/** The appearance of an account's widgets. There is no row until the account changes something. */
export const widgetSettings = sqliteTable(
  "widget_settings",
  {
    account: accountRef(),
    accent_color: text("accent_color").notNull(),
    launcher_label: text("launcher_label").notNull(),
    launcher_position: text("launcher_position", {
      enum: ["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"],
    }).notNull(),
    logo_url: text("logo_url").notNull(),
    primary_color: text("primary_color").notNull(),
    privacy_notice: text("privacy_notice").notNull(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [primaryKey({ columns: [t.account] })],
);

/** Who may talk to an agent through a widget. There is no row until this is changed. */
export const agentWidgetSettings = sqliteTable(
  "agent_widget_settings",
  {
    account: accountRef(),
    agent_id: text("agent_id").notNull(),
    auth_mode: text("auth_mode", { enum: ["public", "authenticated", "both"] }).notNull(),
    widget_enabled: integer("widget_enabled", { mode: "boolean" }).notNull(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.agent_id] }),
    foreignKey({ columns: [t.account, t.agent_id], foreignColumns: [agents.account, agents.id] }).onDelete("cascade"),
  ],
);

/** Used single-use tokens and codes, stored until they would have expired anyway. */
export const spentTokens = sqliteTable(
  "spent_tokens",
  {
    account: accountRef(),
    /** The token's `jti`, or the user and time step of a code. */
    id: id(),
    expires_at: text("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("spent_tokens_account_expires").on(t.account, t.expires_at),
  ],
);

/**
 * Chains of refresh tokens. Each chain began with one sign-in. There is no row until the first refresh, and the row
 * stays until the last token would have expired.
 */
export const visitorFamilies = sqliteTable(
  "visitor_families",
  {
    account: accountRef(),
    /** The `jti` of the first token. */
    id: id(),
    /** The `jti` of the only valid token; null after the family has ended. */
    current: text("current"),
    expires_at: text("expires_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.id] }), index("visitor_families_expires").on(t.expires_at)],
);
