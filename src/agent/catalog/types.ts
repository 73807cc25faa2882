import type { agentTests } from "../../kernel/db/schema/agent-tests.ts";
import type { agents } from "../../kernel/db/schema/agents.ts";

/* What the system ships: plain data, seeded into accounts (tools, playbooks, FAQs) or served as it is. */

type AgentRow = typeof agents.$inferSelect;

export interface CatalogTool {
  name: string;
  display_name: string;
  description: string;
  category: string;
  implementation_type: "python" | "http";
  /** Whether it changes anything; said for each, since some services are searched by POST. */
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

/**
 * What a param that decides where secrets go is held to: one label of a host name; a whole host of one of the vendor's
 * patterns, in which `*` stands for part of a label; any public host, for software that customers run themselves; or the
 * address that a service of one's own begins with.
 */
export type HostRule = "label" | readonly string[] | "public_host" | "base_url";

/** A value an integration asks for. */
export interface CatalogField {
  name: string;
  label: string;
  required: boolean;
  description: string;
  /** Set where the value decides to which host secrets go. */
  host?: HostRule;
}

/**
 * One read-only request that shows whether what is stored works, in the terms of an `http` tool's configuration:
 * `{{integration.param_or_secret}}` stands for what the account has stored.
 */
export interface IntegrationCheck {
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  auth?:
    | { type: "bearer"; token: string }
    | { type: "basic"; username: string; password: string }
    | { type: "header"; name: string; value: string };
  /** Sent as JSON. */
  body?: Record<string, unknown>;
  /** What the JSON of a good answer has at this path: this value, or any but null; for those who answer 200 to anybody. */
  expects?: { path: string; value?: unknown };
}

export interface CatalogIntegration {
  id: string;
  name: string;
  display_name: string;
  description: string;
  category: string;
  /**
   * How the vendor lets a program in: by something lasting that a customer can make and store here (`token`), by tokens
   * of an hour that take a consent or an exchange (`oauth`), or by a signature over each request (`signature`). Only the
   * first can be connected.
   */
  auth: "token" | "oauth" | "signature";
  params: CatalogField[];
  secrets: CatalogField[];
  /** Whether it takes secrets of any name beside those. */
  any_secrets?: true;
  /**
   * Whether whole conversations go to it, so that installing it and changing its params or secrets require `listen` too,
   * and any change of its address, not only of its host, drops its secrets.
   */
  hears?: true;
  /** The hosts that its secrets may go to, over https; `{param}` stands for a param that has a `host` rule. */
  hosts: readonly string[];
  /** Where there is none, why, as the end of a sentence; of one that takes no token, why it cannot be connected. */
  checks: IntegrationCheck | { none: string };
}

/** A test that comes with a template. */
export type CatalogTest = Pick<typeof agentTests.$inferSelect, "name" | "steps" | "tool_mocks" | "expect">;

/** A template as it is written down; its tests follow from what it knows and can do. */
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
  /** `faq` names the catalogue FAQ that the item is. */
  knowledge_items: { id: string; item_type: "faq"; summary: string; title: string; tags: string[]; faq: string }[];
  /** Names of catalogue playbooks and tools. */
  playbooks: string[];
  tools: string[];
}

/** A template as it is shipped. */
export interface ShippedTemplate extends CatalogTemplate {
  tests: CatalogTest[];
}
