import { inArray, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { seedStatements } from "../accounts/seed-catalog.ts";
import { CATALOG } from "../catalog/index.ts";
import type { CatalogTemplate } from "../catalog/types.ts";
import type { AccountStore } from "../db/account-store.ts";
import {
  agentFaqs,
  agentPlaybooks,
  agentPrompts,
  agents,
  agentTools,
  faqs,
  playbooks,
  tools,
} from "../db/schema/index.ts";

/**
 * Makes an agent of a template in one atomic write: the agent, its prompt, and links to the account's own copies of the
 * playbooks, FAQs and tools. Copies the account lacks are made in the same write, so nothing is ever there twice.
 */
export async function installTemplate(
  store: AccountStore,
  template: CatalogTemplate,
  name: string,
  createdBy: string,
  now: number,
): Promise<{
  agent_id: string;
  template_id: string;
  name: string;
  playbooks: string[];
  faqs: string[];
  tools: string[];
}> {
  const id = uuidv7({ msecs: now });
  const promptId = uuidv7({ msecs: now });
  const at = new Date(now).toISOString();
  const faqNames = template.knowledge_items.map(({ faq }) => faq);
  const { description, category, llm_model, voice_provider, voice_id, system_prompt, greeting_message } = template;
  const agent = {
    id,
    name,
    description,
    category,
    llm_model,
    voice_provider,
    voice_id,
    system_prompt,
    greeting_message,
    status: "draft" as const,
    greeting_mode: "interruptible" as const,
    auth_mode: "authenticated" as const,
    background_audio_enabled: false,
    background_audio_volume: 0.5,
    noise_suppression_enabled: true,
    ringing_enabled: false,
    template_id: template.id,
    active_prompt_id: promptId,
    created_by: createdBy,
    created_at: at,
    updated_at: at,
  };
  await store.write(
    { action: "install_template", resource: "agent", resource_id: id },
    store.insert(agents, agent),
    store.insert(agentPrompts, {
      id: promptId,
      agent_id: id,
      version: 1,
      system_prompt,
      created_by: createdBy,
      created_at: at,
    }),
    ...seedStatements(store, now, itemsOf(template, faqNames)),
    store.insertSelected(agentFaqs, faqs, inArray(faqs.name, faqNames), {
      agent_id: id,
      faq_id: faqs.id,
      created_at: at,
    }),
    store.insertSelected(agentPlaybooks, playbooks, inArray(playbooks.name, template.playbooks), {
      agent_id: id,
      playbook_id: playbooks.id,
      created_at: at,
    }),
    store.insertSelected(agentTools, tools, inArray(tools.name, template.tools), {
      agent_id: id,
      tool_name: tools.name,
      enabled: sql`1`,
      config: sql`'{}'`,
      created_at: at,
      updated_at: at,
    }),
  );
  return {
    agent_id: id,
    template_id: template.id,
    name,
    playbooks: template.playbooks,
    faqs: faqNames,
    tools: template.tools,
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
