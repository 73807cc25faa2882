import type { agents } from "../db/schema/agents.ts";

/* What the system ships: plain data, seeded into accounts (tools, playbooks, FAQs) or served as it is. */

type AgentRow = typeof agents.$inferSelect;

export interface CatalogTool {
  name: string;
  display_name: string;
  description: string;
  category: string;
  implementation_type: "python" | "http";
  implementation_code: string;
  implementation_config: Record<string, unknown>;
  /** JSON Schema of the arguments. */
  schema: Record<string, unknown>;
  tags: string[];
}

export interface CatalogPlaybook {
  name: string;
  display_name: string;
  description: string;
  category: string;
  tags: string[];
  tool_names: string[];
  triggers: string[];
  /** Markdown. */
  content: string;
}

export interface CatalogFaq {
  name: string;
  title: string;
  summary: string;
  content: string;
  category: string;
  tags: string[];
}

/** A value an integration asks for. */
export interface CatalogField {
  name: string;
  label: string;
  required: boolean;
  description: string;
}

export interface CatalogIntegration {
  id: string;
  name: string;
  display_name: string;
  description: string;
  category: string;
  params: CatalogField[];
  secrets: CatalogField[];
}

export interface CatalogTemplate {
  id: string;
  agent_id: string;
  author: string;
  category: AgentRow["category"];
  created_at: string;
  description: string;
  greeting_message: string;
  icon: string;
  llm_model: AgentRow["llm_model"];
  name: string;
  system_prompt: string;
  version: string;
  voice_id: string;
  voice_provider: AgentRow["voice_provider"];
  tags: string[];
  /** `faq` names the catalogue FAQ that the item is. */
  knowledge_items: { id: string; item_type: "faq"; summary: string; title: string; tags: string[]; faq: string }[];
  /** Names of catalogue playbooks and tools. */
  playbooks: string[];
  tools: string[];
}
