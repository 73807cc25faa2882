import type { agentTests } from "../../kernel/db/schema/agent-tests.ts";
import type { agents } from "../../kernel/db/schema/agents.ts";

/* What the service ships: plain data, copied into accounts (tools, playbooks, FAQs) or served unchanged. */

type AgentRow = typeof agents.$inferSelect;

export interface CatalogTool {
  name: string;
  display_name: string;
  description: string;
  category: string;
  implementation_type: "python" | "http";
  /** Whether the tool changes anything. It is set for each tool, because some services use POST for searches. */
  effect: "read" | "write";
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
  /** The playbook's text, Markdown. */
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

/**
 * The allowed values of a param that determines where secrets are sent: one label of a host name; a host that matches
 * one of the vendor's patterns, where `*` matches part of a label; any public host, for software that customers
 * run themselves; or the base address of an account's own service.
 */
export type HostRule = "label" | readonly string[] | "public_host" | "base_url";

/** A value that an integration requires or accepts. */
export interface CatalogField {
  name: string;
  label: string;
  required: boolean;
  description: string;
  /** Set if the value determines to which host secrets are sent. */
  host?: HostRule;
}

/**
 * A read-only request that checks whether the stored values work, in the form of an `http` tool's configuration:
 * `{{integration.param_or_secret}}` is replaced by what the account has stored.
 */
export interface IntegrationCheck {
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  auth?:
    | { type: "bearer"; token: string }
    | { type: "basic"; username: string; password: string }
    | { type: "header"; name: string; value: string };
  /** The body, which is sent as JSON. */
  body?: Record<string, unknown>;
  /**
   * The value expected at a path of a successful JSON response; by default, any value but null. For vendors that answer
   * 200 even to invalid credentials.
   */
  expects?: { path: string; value?: unknown };
}

export interface CatalogIntegration {
  id: string;
  name: string;
  display_name: string;
  description: string;
  category: string;
  /**
   * How a program authenticates with the vendor: with a permanent token that a customer creates and stores here
   * (`token`), with hourly tokens that need a consent or an exchange (`oauth`), or by signing each request
   * (`signature`). Only `token` can be connected.
   */
  auth: "token" | "oauth" | "signature";
  params: CatalogField[];
  secrets: CatalogField[];
  /** Whether the integration also accepts secrets with any name. */
  any_secrets?: true;
  /**
   * Whether the integration receives whole conversations. Then installing it and changing its params or secrets also
   * require `listen`, and any change of its address (not only of the host) deletes its secrets.
   */
  hears?: true;
  /** The hosts to which its secrets may be sent, over https. `{param}` is replaced by a param with a `host` rule. */
  hosts: readonly string[];
  /**
   * The check. An integration without one has the reason instead, as the end of a sentence; without `token`, the reason
   * why it cannot be connected.
   */
  checks: IntegrationCheck | { none: string };
}

/** A test that a template includes. */
export type CatalogTest = Pick<typeof agentTests.$inferSelect, "name" | "steps" | "tool_mocks" | "expect">;

/** A template in the form in which it is written here. Its tests are derived from its knowledge and tools. */
export interface CatalogTemplate {
  id: string;
  agent_id: string;
  author: string;
  category: AgentRow["category"];
  created_at: string;
  description: string;
  greeting_message: string;
  icon: string;
  llm_model: string;
  name: string;
  system_prompt: string;
  version: string;
  voice_id: string;
  voice_provider: AgentRow["voice_provider"];
  tags: string[];
  /** `faq` is the name of the item's FAQ in the catalogue. */
  knowledge_items: { id: string; item_type: "faq"; summary: string; title: string; tags: string[]; faq: string }[];
  /** Names of catalogue playbooks and tools. */
  playbooks: string[];
  tools: string[];
}

export interface ShippedTemplate extends CatalogTemplate {
  tests: CatalogTest[];
}
