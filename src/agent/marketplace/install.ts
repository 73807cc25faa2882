import { eq, inArray, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import {
  agentFaqs,
  agentPlaybooks,
  agents,
  agentTests,
  agentTools,
  faqs,
  playbooks,
  tools,
} from "../../kernel/db/schema/index.ts";
import { newAgentFields } from "../agents/contract.ts";
import { newAgent } from "../agents/create-agent.ts";
import { CATALOG } from "../catalog/index.ts";
import type { CatalogTemplate, ShippedTemplate } from "../catalog/types.ts";
import { seedStatements } from "./seed-catalog.ts";

interface Context {
  store: AccountStore;
  /** Who installs it. */
  created_by: string;
  now: number;
  /** Makes the agent's id. */
  newId: () => string;
}

/** The items of a template that the account already has. */
interface Installed {
  agent_id: string;
  template_id: string;
  name: string;
  playbooks: string[];
  faqs: string[];
  tools: string[];
  tests: string[];
}

/**
 * Makes an agent of a template in one atomic write: the agent, its prompt, its tests, and links to the account's own copies
 * of the playbooks, FAQs and tools. Copies the account lacks are made in the same write, so nothing is ever there twice.
 */
export async function installTemplate(
  { store, created_by, now, newId }: Context,
  template: ShippedTemplate,
  name: string,
): Promise<Installed> {
  const { description, category, llm_model, voice_provider, voice_id, system_prompt, greeting_message } = template;
  const fields = newAgentFields.parse({
    name,
    description,
    category,
    llm_model,
    voice_provider,
    voice_id,
    system_prompt,
    greeting_message,
    template_id: template.id,
  });
  const { row, statements } = newAgent({ store, created_by, now, newId }, fields);
  const { id, created_at } = row;
  const faqNames = template.knowledge_items.map(({ faq }) => faq);
  await store.write(
    { action: "install_template", resource: "agent", resource_id: id },
    ...statements,
    ...seedStatements(store, now, itemsOf(template, faqNames)),
    store.insertSelected(agentFaqs, faqs, inArray(faqs.name, faqNames), {
      agent_id: id,
      faq_id: faqs.id,
      position: sql`0`,
      body_hash: sql`NULL`,
      created_at,
    }),
    store.insertSelected(agentPlaybooks, playbooks, inArray(playbooks.name, template.playbooks), {
      agent_id: id,
      playbook_id: playbooks.id,
      position: sql`0`,
      body_hash: sql`NULL`,
      created_at,
    }),
    store.insertSelected(agentTools, tools, inArray(tools.name, template.tools), {
      agent_id: id,
      tool_name: tools.name,
      enabled: sql`1`,
      config: sql`'{}'`,
      position: sql`0`,
      body_hash: sql`NULL`,
      created_at,
      updated_at: created_at,
    }),
    ...template.tests.map((test) =>
      store.insert(agentTests, {
        ...test,
        id: uuidv7({ msecs: now }),
        agent_id: id,
        variables: {},
        required: false,
        conversation_id: null,
        created_by,
        created_at,
        updated_at: created_at,
      }),
    ),
  );
  return installedAs(template, row);
}

/** The agent that was created from the template under this id; null if there is none. */
export async function installedBefore(store: AccountStore, template: ShippedTemplate, id: string) {
  const [row] = await store.read(store.first(agents, { where: eq(agents.id, id), columns: ["id", "name"] }));
  return row ? installedAs(template, row) : null;
}

function installedAs(template: ShippedTemplate, { id, name }: { id: string; name: string }): Installed {
  return {
    agent_id: id,
    template_id: template.id,
    name,
    playbooks: template.playbooks,
    faqs: template.knowledge_items.map(({ faq }) => faq),
    tools: template.tools,
    tests: template.tests.map((test) => test.name),
  };
}

/** The shipped items a template names. */
function itemsOf(template: CatalogTemplate, faqNames: string[]) {
  return {
    tools: CATALOG.tools.filter(({ name }) => template.tools.includes(name)),
    playbooks: CATALOG.playbooks.filter(({ name }) => template.playbooks.includes(name)),
    faqs: CATALOG.faqs.filter(({ name }) => faqNames.includes(name)),
  };
}
