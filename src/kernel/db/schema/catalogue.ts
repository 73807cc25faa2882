import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { agents } from "./agents.ts";
import { createdAt, id, revised, updatedAt } from "./columns.ts";

/** The source of a bound argument's value. `unverified` allows what guests and inbound callers say about themselves. */
export type Binding = string | { from: string; unverified: boolean };
export type Bindings = Record<string, Binding>;

const tags = () => text("tags", { mode: "json" }).$type<string[]>().notNull();
/**
 * Returns the column that tells whether the row was seeded. Seeding no longer updates a row after the account has
 * changed it.
 */
const isDefault = () => integer("is_default", { mode: "boolean" }).notNull();
const modifiedFromDefault = () => integer("modified_from_default", { mode: "boolean" }).notNull();

export const tools = sqliteTable(
  "tools",
  {
    account: accountRef(),
    id: id(),
    name: text("name").notNull(),
    display_name: text("display_name").notNull(),
    description: text("description").notNull(),
    category: text("category").notNull(),
    implementation_type: text("implementation_type", { enum: ["python", "http"] }).notNull(),
    implementation_code: text("implementation_code").notNull(),
    implementation_config: text("implementation_config", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    schema: text("schema", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Null for the default, which depends on the request's method. */
    effect: text("effect", { enum: ["read", "write"] }),
    /** The limit per conversation; null for the default of its effect. */
    max_runs: integer("max_runs"),
    /** The arguments that code fills in instead of the model; null if there are none. */
    bind: text("bind", { mode: "json" }).$type<Bindings>(),
    tags: tags(),
    is_default: isDefault(),
    modified_from_default: modifiedFromDefault(),
    created_at: createdAt(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    uniqueIndex("tools_account_name").on(t.account, t.name),
    index("tools_account_category").on(t.account, t.category, t.name),
    index("tools_account_type").on(t.account, t.implementation_type, t.name),
    index("tools_account_default").on(t.account, t.is_default),
  ],
);

export const playbooks = sqliteTable(
  "playbooks",
  {
    account: accountRef(),
    id: id(),
    name: text("name").notNull(),
    display_name: text("display_name").notNull(),
    description: text("description").notNull(),
    category: text("category").notNull(),
    tags: tags(),
    tool_names: text("tool_names", { mode: "json" }).$type<string[]>().notNull(),
    triggers: text("triggers", { mode: "json" }).$type<string[]>().notNull(),
    /** The Markdown as it was sent; null if it is rendered from the other fields. */
    content: text("content"),
    is_default: isDefault(),
    modified_from_default: modifiedFromDefault(),
    created_at: createdAt(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    uniqueIndex("playbooks_account_name").on(t.account, t.name),
    index("playbooks_account_category").on(t.account, t.category, t.name),
    index("playbooks_account_default").on(t.account, t.is_default),
  ],
);

export const faqs = sqliteTable(
  "faqs",
  {
    account: accountRef(),
    id: id(),
    name: text("name").notNull(),
    title: text("title").notNull(),
    summary: text("summary").notNull(),
    content: text("content").notNull(),
    category: text("category").notNull(),
    tags: tags(),
    is_default: isDefault(),
    modified_from_default: modifiedFromDefault(),
    created_at: createdAt(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    uniqueIndex("faqs_account_name").on(t.account, t.name),
    index("faqs_account_default").on(t.account, t.is_default),
  ],
);

/**
 * Returns the column with the position among the agent's items of its kind, counting up to -1. Items with 0 have no
 * position and come last.
 */
const position = () => integer("position").notNull().default(0);

/**
 * Returns the column with the body (`version_bodies`) that is used instead of the item's current content, because a
 * version was restored. It is null if the item itself is used.
 */
const heldAt = () => text("body_hash");

export const agentFaqs = sqliteTable(
  "agent_faqs",
  {
    account: accountRef(),
    agent_id: text("agent_id").notNull(),
    faq_id: text("faq_id").notNull(),
    position: position(),
    body_hash: heldAt(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.agent_id, t.faq_id] }),
    index("agent_faqs_in_order").on(t.account, t.agent_id, t.position, t.created_at, t.faq_id),
    index("agent_faqs_account_faq").on(t.account, t.faq_id),
    foreignKey({ columns: [t.account, t.agent_id], foreignColumns: [agents.account, agents.id] }).onDelete("cascade"),
    foreignKey({ columns: [t.account, t.faq_id], foreignColumns: [faqs.account, faqs.id] }).onDelete("cascade"),
  ],
);

export const agentPlaybooks = sqliteTable(
  "agent_playbooks",
  {
    account: accountRef(),
    agent_id: text("agent_id").notNull(),
    playbook_id: text("playbook_id").notNull(),
    position: position(),
    body_hash: heldAt(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.agent_id, t.playbook_id] }),
    index("agent_playbooks_in_order").on(t.account, t.agent_id, t.position, t.created_at, t.playbook_id),
    index("agent_playbooks_account_playbook").on(t.account, t.playbook_id),
    foreignKey({ columns: [t.account, t.agent_id], foreignColumns: [agents.account, agents.id] }).onDelete("cascade"),
    foreignKey({ columns: [t.account, t.playbook_id], foreignColumns: [playbooks.account, playbooks.id] }).onDelete(
      "cascade",
    ),
  ],
);

export const agentTools = sqliteTable(
  "agent_tools",
  {
    account: accountRef(),
    agent_id: text("agent_id").notNull(),
    tool_name: text("tool_name").notNull(),
    enabled: integer("enabled", { mode: "boolean" }).notNull(),
    config: text("config", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    position: position(),
    body_hash: heldAt(),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.agent_id, t.tool_name] }),
    index("agent_tools_in_order").on(t.account, t.agent_id, t.position, t.tool_name),
    index("agent_tools_account_tool").on(t.account, t.tool_name),
    foreignKey({ columns: [t.account, t.agent_id], foreignColumns: [agents.account, agents.id] }).onDelete("cascade"),
    foreignKey({ columns: [t.account, t.tool_name], foreignColumns: [tools.account, tools.name] }).onDelete("cascade"),
  ],
);

/** Integrations that an account has installed. Uninstalling keeps the row and its stored secrets. */
export const integrationInstalls = sqliteTable(
  "integration_installs",
  {
    account: accountRef(),
    id: id(),
    installed_at: text("installed_at"),
    params: text("params", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Sealed by the vault; null if none were given. */
    secrets: text("secrets"),
    secret_names: text("secret_names", { mode: "json" }).$type<string[]>().notNull(),
    created_at: createdAt(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [primaryKey({ columns: [t.account, t.id] })],
);
