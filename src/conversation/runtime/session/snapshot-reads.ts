import { asc, eq, inArray, sql } from "drizzle-orm";
import { CATALOG } from "../../../agent/catalog/index.ts";
import { playbookMarkdown } from "../../../agent/playbooks/markdown.ts";
import type { BindingParty } from "../../../agent/tools/run/bind.ts";
import type { AccountStore, Read } from "../../../kernel/db/account-store.ts";
import { inOrder } from "../../../kernel/db/attachment-order.ts";
import {
  agentFaqs,
  agentPlaybooks,
  agents,
  faqs,
  integrationInstalls,
  playbooks,
  tools,
} from "../../../kernel/db/schema/index.ts";
import type { SessionIdentity } from "../../../kernel/http/context.ts";
import { type Install, toolsOf } from "./session-tools.ts";

/** The integrations by which an account brings its own keys for models. */
const MODEL_MAKERS = ["openai", "anthropic"];

type Rows<T> = { [K in keyof T]: T[K] extends Read<infer R> ? R : never };
/** What `agentReads` read. */
export type AgentFound = Rows<ReturnType<typeof agentReads>>;

/** The reads that every session needs, in one batch: its account, and its agent whole. */
export function agentReads(store: AccountStore, { agent_id }: Pick<SessionIdentity, "agent_id">) {
  const linked = (column: "faq_id" | "playbook_id" | "tool_name" | "position", links: string, only = sql``) =>
    sql`(SELECT ${sql.raw(column)} FROM ${sql.raw(links)} WHERE account = ${store.account} AND agent_id = ${agent_id}${only})`;
  return [
    store.profile(),
    store.first(agents, { where: eq(agents.id, agent_id) }),
    store.select(agentFaqs, {
      where: eq(agentFaqs.agent_id, agent_id),
      orderBy: inOrder.faqs,
    }),
    store.select(faqs, { where: inArray(faqs.id, linked("faq_id", "agent_faqs")) }),
    store.select(agentPlaybooks, {
      where: eq(agentPlaybooks.agent_id, agent_id),
      orderBy: inOrder.playbooks,
    }),
    store.select(playbooks, { where: inArray(playbooks.id, linked("playbook_id", "agent_playbooks")) }),
    store.select(tools, {
      where: inArray(tools.name, linked("tool_name", "agent_tools", sql` AND enabled = 1`)),
      orderBy: [linked("position", "agent_tools", sql` AND tool_name = ${tools.name}`), asc(tools.name)],
    }),
    store.select(integrationInstalls),
  ] as const;
}

/** What an agent knows and can do, as its runtime is told of it, each kind in the order that the agent has it in. */
export function knowledgeOf(
  [, , faqLinks, faqRows, playbookLinks, playbookRows, toolRows, installs]: AgentFound,
  party: BindingParty,
) {
  const byFaq = new Map(faqRows.map((row) => [row.id, row]));
  const byPlaybook = new Map(playbookRows.map((row) => [row.id, row]));
  const { tools, unavailable_tools } = toolsOf(toolRows, installs, party);
  return {
    faqs: faqLinks
      .flatMap(({ faq_id }) => byFaq.get(faq_id) ?? [])
      .map(({ name, title, summary, content }) => ({ name, title, summary, content })),
    playbooks: playbookLinks
      .flatMap(({ playbook_id }) => byPlaybook.get(playbook_id) ?? [])
      .map((row) => ({ name: row.name, display_name: row.display_name, content: playbookMarkdown(row) })),
    tools,
    unavailable_tools,
  };
}

/** What the account has installed of the makers of models, by the catalogue's ids. */
export function modelInstalls(read: AgentFound): Record<string, Install> {
  const [, , , , , , , installs] = read;
  const makers = CATALOG.integrations.filter(({ name }) => MODEL_MAKERS.includes(name)).map(({ id }) => id);
  const found = installs.filter(({ id, installed_at }) => makers.includes(id) && installed_at !== null);
  return Object.fromEntries(found.map((install) => [install.id, install]));
}
