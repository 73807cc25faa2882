import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ROLES, type Scope } from "../../scopes.ts";
import { createdAt, id, revised, updatedAt } from "./columns.ts";

/** The account of the platform's operators. It is not a customer. */
export const OPERATOR_ACCOUNT = "service-admin";

/** The accounts. Only the look-ups and operator routes use this table. */
export const accounts = sqliteTable(
  "accounts",
  {
    name: text("name").primaryKey(),
    display_name: text("display_name").notNull(),
    /** The IANA time zone of the people with whom its agents talk, unless theirs is known; null for UTC. */
    timezone: text("timezone"),
    plan: text("plan", { enum: ["starter", "growth", "scale"] }).notNull(),
    listed: integer("listed", { mode: "boolean" }).notNull().default(false),
    max_key_expiry_days: integer("max_key_expiry_days"),
    cap_concurrent_calls: integer("cap_concurrent_calls"),
    cap_calls_per_minute: integer("cap_calls_per_minute"),
    cap_calls_per_day: integer("cap_calls_per_day"),
    catalog_version: integer("catalog_version").notNull().default(0),
    recording_retention_days: integer("recording_retention_days").notNull().default(90),
    /** The operator's overrides of the plan's quotas, by name. */
    quotas: text("quotas", { mode: "json" }).$type<Record<string, number>>().notNull().default({}),
    /**
     * Console sessions that began before this time are over, for every user of the account and every identity provider.
     */
    sessions_valid_after: text("sessions_valid_after"),
    disabled_at: text("disabled_at"),
    /**
     * The first days (UTC) of later ledger volumes, ascending. The first volume begins with the account. Days are only
     * ever appended.
     */
    ledger_days: text("ledger_days", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** When (ms) the account's retention is next sent to its ledger; 0 means at once. */
    retention_due_at: integer("retention_due_at").notNull().default(0),
    /** Since when (ms) the ledger's retention has been outdated; null if it is current. */
    retention_owed_since: integer("retention_owed_since"),
    created_at: createdAt(),
    updated_at: updatedAt(),
    /** The revision of the fields that the account itself can change: its display name and time zone. */
    ...revised(),
  },
  (t) => [
    index("accounts_catalog_version").on(t.catalog_version, t.name),
    index("accounts_retention_due").on(t.retention_due_at, t.name),
    index("accounts_retention_owed").on(t.retention_owed_since).where(sql`${t.retention_owed_since} IS NOT NULL`),
  ],
);

/** Returns the column with the row's account, which is the first column of every key. */
export const accountRef = () =>
  text("account")
    .notNull()
    .references(() => accounts.name);

/** How a member signs in: with a password stored here, or at the configured OIDC provider. */
export const USER_SOURCES = ["password", "oidc"] as const;

export const users = sqliteTable(
  "users",
  {
    account: accountRef(),
    id: id(),
    email: text("email").notNull(),
    name: text("name").notNull().default(""),
    /** Empty for users without a password here. */
    password_hash: text("password_hash").notNull(),
    source: text("source", { enum: USER_SOURCES }).notNull().default("password"),
    role: text("role", { enum: ROLES }).notNull().default("owner"),
    /** Sessions of the user that began before this time are over. */
    sessions_valid_after: text("sessions_valid_after"),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    // Another provider may give several people the same email address, or none.
    uniqueIndex("users_account_email").on(t.account, t.email).where(sql`source = 'password'`),
  ],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    account: accountRef(),
    id: id(),
    name: text("name").notNull(),
    /** SHA-256 of the whole key, hex. The key itself is never stored. */
    hash: text("hash").notNull(),
    last8: text("last8").notNull(),
    scopes: text("scopes", { mode: "json" }).$type<Scope[]>().notNull(),
    /** The ids of the agents to which the key is limited; null for all. */
    agent_ids: text("agent_ids", { mode: "json" }).$type<string[]>(),
    /** The networks from which the key is accepted, in CIDR notation; null for all. */
    allowed_addresses: text("allowed_addresses", { mode: "json" }).$type<string[]>(),
    /** Whether the scopes were chosen; false if they are the default ones. */
    scopes_named: integer("scopes_named", { mode: "boolean" }).notNull().default(false),
    /** Whether the key can confirm acts without a person. */
    unattended: integer("unattended", { mode: "boolean" }).notNull().default(false),
    created_at: createdAt(),
    /** The id of the member who created it. */
    created_by: text("created_by").notNull(),
    expires_at: text("expires_at"),
    last_used_at: text("last_used_at"),
    disabled_at: text("disabled_at"),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    uniqueIndex("api_keys_account_hash").on(t.account, t.hash),
    index("api_keys_account_created").on(t.account, t.created_at, t.id),
    index("api_keys_account_disabled").on(t.account, t.disabled_at),
  ],
);

/** The changed fields by name: null if only the name is shown, otherwise the old and new value. */
export type AuditChanges = Record<string, { from: unknown; to: unknown } | null>;

/**
 * Who changed what, and when. An entry is written in the batch of the change itself. Operators' actions are also in
 * their own log.
 */
export const auditLog = sqliteTable(
  "audit_log",
  {
    account: accountRef(),
    id: id(),
    at: text("at").notNull(),
    actor: text("actor").notNull(),
    /** The actor's name at the time; null if there is none. */
    actor_name: text("actor_name"),
    action: text("action").notNull(),
    resource: text("resource").notNull(),
    resource_id: text("resource_id").notNull(),
    /** The resource's name at the time. It is never a secret, and at most the last digits of a number. */
    resource_name: text("resource_name"),
    request_id: text("request_id").notNull(),
    /**
     * The changed fields, a few of them with their old and new values; null if there are none. Never contains a secret.
     */
    changes: text("changes", { mode: "json" }).$type<AuditChanges>(),
    /** In the operators' log: the account that the entry is about. */
    about_account: text("about_account"),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("audit_log_account_at").on(t.account, t.at, t.id),
    index("audit_log_account_action").on(t.account, t.action, t.at, t.id),
    index("audit_log_account_resource").on(t.account, t.resource, t.at, t.id),
    index("audit_log_account_actor").on(t.account, t.actor, t.at, t.id),
    index("audit_log_about_account")
      .on(t.account, t.about_account, t.at, t.id)
      .where(sql`${t.about_account} IS NOT NULL`),
  ],
);
export type AuditRow = typeof auditLog.$inferSelect;
