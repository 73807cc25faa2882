import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { agents } from "./agents.ts";
import { createdAt, id, revised, updatedAt } from "./columns.ts";

export const DOCUMENT_SOURCES = ["file", "text", "url"] as const;

/**
 * How an agent uses a document: `auto` decides by its length, `search` only finds it by search, `prompt` includes it in
 * the prompt.
 */
export const DOCUMENT_MODES = ["auto", "search", "prompt"] as const;
export type DocumentMode = (typeof DOCUMENT_MODES)[number];

/**
 * Documents, with the settings that people choose. The account's `KnowledgeBase` holds their text and processing state.
 */
export const documents = sqliteTable(
  "documents",
  {
    account: accountRef(),
    id: id(),
    title: text("title").notNull(),
    source: text("source", { enum: DOCUMENT_SOURCES }).notNull(),
    /** The language, BCP 47; null to use the detected language. */
    language: text("language"),
    file_name: text("file_name").notNull(),
    content_type: text("content_type").notNull(),
    /**
     * The address from which the document is read, the maximum number of its pages, and the refresh interval in hours;
     * null for files and texts.
     */
    url: text("url"),
    pages: integer("pages"),
    refresh_hours: integer("refresh_hours"),
    /** The size of the original; 0 for an address. */
    bytes: integer("bytes").notNull(),
    /** SHA-256 of the original, or of the address, in hexadecimal. Versions of agents refer to the document by it. */
    sha256: text("sha256").notNull(),
    /** SHA-256 of the last processed text, in hexadecimal; null if there is none yet. */
    text_sha256: text("text_sha256"),
    /**
     * The first and the last day on which agents find the document, in the account's time zone; null means no limit.
     */
    effective_from: text("effective_from"),
    effective_until: text("effective_until"),
    created_by: text("created_by").notNull(),
    created_at: createdAt(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    uniqueIndex("documents_same").on(t.account, t.title, t.sha256),
    index("documents_account_created").on(t.account, t.created_at, t.id),
    index("documents_account_bytes").on(t.account, t.bytes),
  ],
);

export const agentDocuments = sqliteTable(
  "agent_documents",
  {
    account: accountRef(),
    agent_id: text("agent_id").notNull(),
    document_id: text("document_id").notNull(),
    mode: text("mode", { enum: DOCUMENT_MODES }).notNull(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.agent_id, t.document_id] }),
    index("agent_documents_in_order").on(t.account, t.agent_id, t.created_at, t.document_id),
    index("agent_documents_account_document").on(t.account, t.document_id),
    foreignKey({ columns: [t.account, t.agent_id], foreignColumns: [agents.account, agents.id] }).onDelete("cascade"),
    foreignKey({ columns: [t.account, t.document_id], foreignColumns: [documents.account, documents.id] }).onDelete(
      "cascade",
    ),
  ],
);
