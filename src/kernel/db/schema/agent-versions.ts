import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { agents } from "./agents.ts";
import { createdAt } from "./columns.ts";
import type { DocumentMode } from "./documents.ts";

/** An FAQ, playbook, tool or document in a version: its id, how it is attached, and the hash of its content. */
export interface VersionItem {
  kind: "faq" | "playbook" | "tool" | "document";
  id: string;
  /** SHA-256 of the body in hexadecimal. */
  hash: string;
  /** How a tool or document is attached; null for the other kinds. */
  settings: { enabled: boolean; config: Record<string, unknown> } | { mode: DocumentMode } | null;
}

/** Versions of whole agents, stored when they are first used. Only a version's note and dates ever change. */
export const agentVersions = sqliteTable(
  "agent_versions",
  {
    account: accountRef(),
    agent_id: text("agent_id").notNull(),
    /** Counted from 1 for each agent. */
    number: integer("number").notNull(),
    /** SHA-256 of the fields and items in hexadecimal. The same content is always the same version. */
    hash: text("hash").notNull(),
    fields: text("fields", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    items: text("items", { mode: "json" }).$type<VersionItem[]>().notNull(),
    note: text("note"),
    created_by: text("created_by").notNull(),
    created_at: createdAt(),
    published_at: text("published_at"),
    published_by: text("published_by"),
    /** When it was last used, to the day. */
    used_at: text("used_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.agent_id, t.number] }),
    uniqueIndex("agent_versions_hash").on(t.account, t.agent_id, t.hash),
    index("agent_versions_account_used").on(t.account, t.used_at),
    // Covers the look-up of recently used versions, which every new conversation makes.
    index("agent_versions_recent").on(t.account, t.agent_id, t.used_at, t.number, t.hash),
    foreignKey({ columns: [t.account, t.agent_id], foreignColumns: [agents.account, agents.id] }).onDelete("cascade"),
  ],
);

/**
 * The content of FAQs, playbooks and tools in versions, and the titles and hashes of documents. Each is stored once per
 * account, however many versions share it.
 */
export const versionBodies = sqliteTable(
  "version_bodies",
  {
    account: accountRef(),
    hash: text("hash").notNull(),
    body: text("body", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    created_at: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.account, t.hash] })],
);
