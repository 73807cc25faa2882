import type { agents, DocumentMode, documents, faqs, playbooks, tools } from "../../kernel/db/schema/index.ts";

type AgentRow = typeof agents.$inferSelect;

/** The agent's own fields that a version contains: those that conversations use, except those that grant access. */
const VERSIONED = [
  "name",
  "llm_model",
  "fallback_model",
  "voice_provider",
  "voice_id",
  "system_prompt",
  "greeting_message",
  "voicemail_message",
  "greeting_mode",
  "background_audio_enabled",
  "background_audio_volume",
  "noise_suppression_enabled",
  "ringing_enabled",
  "transfer_targets",
  "max_output_tokens",
  "filler_after_ms",
  "timezone",
  "language",
  "languages",
  "key_terms",
  "phrases",
  "storage",
  "redact",
  "analysis",
] as const satisfies readonly (keyof AgentRow)[];

export type VersionFields = Pick<AgentRow, (typeof VERSIONED)[number]>;

const FAQ_BODY = ["name", "title", "summary", "content", "category", "tags"] as const;
const PLAYBOOK_BODY = [
  "name",
  "display_name",
  "description",
  "category",
  "tags",
  "tool_names",
  "triggers",
  "content",
] as const;
const TOOL_BODY = [
  "name",
  "display_name",
  "description",
  "category",
  "implementation_type",
  "implementation_code",
  "implementation_config",
  "schema",
  "effect",
  "max_runs",
  "bind",
  "tags",
] as const;

const DOCUMENT_BODY = ["title", "sha256", "text_sha256"] as const;

export type DocumentBody = Pick<typeof documents.$inferSelect, (typeof DOCUMENT_BODY)[number]>;
export type FaqBody = Pick<typeof faqs.$inferSelect, (typeof FAQ_BODY)[number]>;
export type PlaybookBody = Pick<typeof playbooks.$inferSelect, (typeof PLAYBOOK_BODY)[number]>;
export type ToolBody = Pick<typeof tools.$inferSelect, (typeof TOOL_BODY)[number]>;

/** An FAQ, playbook, tool or document as attached to an agent. */
export interface Item<B> {
  id: string;
  body: B;
}

/** A tool with the agent's settings for it. */
export interface ToolItem extends Item<ToolBody> {
  enabled: boolean;
  config: Record<string, unknown>;
}

/** A document as attached to an agent, identified by its title and the SHA-256 of its original and its text. */
export interface DocumentItem extends Item<DocumentBody> {
  mode: DocumentMode;
  /** The SHA-256 of the text that conversations search while it is stored; null for the newest text. */
  text: string | null;
}

/** A complete agent as its conversations use it: its fields, and its items of each kind in order. */
export interface AgentContent {
  fields: VersionFields;
  tools: ToolItem[];
  playbooks: Item<PlaybookBody>[];
  faqs: Item<FaqBody>[];
  documents: DocumentItem[];
}

export const fieldsOf = (row: VersionFields): VersionFields => picked(row, VERSIONED);
export const documentBody = (row: DocumentBody): DocumentBody => picked(row, DOCUMENT_BODY);
export const faqBody = (row: FaqBody): FaqBody => picked(row, FAQ_BODY);
export const playbookBody = (row: PlaybookBody): PlaybookBody => picked(row, PLAYBOOK_BODY);
export const toolBody = (row: ToolBody): ToolBody => picked(row, TOOL_BODY);

/** Replaces the row's fields with those stored in a version. Fields that the version lacks stay. */
export function withFields<R extends object>(row: R, stored: Record<string, unknown>): R {
  const fields = VERSIONED.filter((field) => field in row && field in stored);
  return Object.assign({}, row, Object.fromEntries(fields.map((field) => [field, stored[field]])));
}

function picked<T extends object, K extends keyof T>(row: T, columns: readonly K[]): Pick<T, K> {
  return Object.fromEntries(columns.map((column) => [column, row[column]])) as Pick<T, K>;
}
