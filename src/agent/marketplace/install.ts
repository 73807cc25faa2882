import { asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { type AccountStore, ReferenceViolation } from "../../kernel/db/account-store.ts";
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
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { newAgentFields } from "../agents/contract.ts";
import { newAgent } from "../agents/create-agent.ts";
import { CATALOG } from "../catalog/index.ts";
import type { CatalogTemplate, ShippedTemplate } from "../catalog/types.ts";
import { toolBody } from "../versions/content.ts";
import { mayChangeAnything, scopesToUse } from "../versions/may-change.ts";
import { changing } from "../versions/publish.ts";
import { seedStatements } from "./seed-catalog.ts";

interface Context {
  store: AccountStore;
  caller: Authority;
  created_by: string;
  now: number;
  newId: () => string;
}

/** The result of an installation: the agent with the names of its items. */
interface Installed {
  agent_id: string;
  template_id: string;
  name: string;
  playbooks: string[];
  faqs: string[];
  tools: string[];
  tests: string[];
}

/** The maximum number of attempts if a tool of the template changes in the meantime. */
const TRIES = 5;

/**
 * Creates an agent from a template in one atomic write: the agent, its prompt, its tests, and links to the account's
 * own copies of the playbooks, FAQs and tools. Missing copies are created in the same write, so that there are no
 * duplicates.
 * @throws ApiError 403, 409
 */
export async function installTemplate(context: Context, template: ShippedTemplate, name: string): Promise<Installed> {
  for (let tries = 0; tries < TRIES; tries++) {
    const isJudged = await judgeTools(context, template);
    try {
      return await tryToInstall(context, template, name, isJudged);
    } catch (error) {
      // A tool changed after the decision, so neither the agent nor its attachments were created.
      if (!(isJudged && error instanceof ReferenceViolation)) throw error;
    }
  }
  throw changing();
}

/**
 * Refuses callers who may not let an agent use the template's tools, in the account's version or as shipped. Returns
 * the condition that the tools are unchanged since that decision; undefined if no decision was needed.
 * @throws ApiError 403
 */
async function judgeTools({ store, caller }: Context, template: ShippedTemplate): Promise<SQL | undefined> {
  if (mayChangeAnything(caller)) return undefined;
  const names = JSON.stringify(template.tools);
  const isIts = sql`${tools.name} IN (SELECT value FROM json_each(${names}))`;
  const [rows] = await store.read(store.select(tools, { where: isIts, orderBy: [asc(tools.name)] }));
  const shipped = CATALOG.tools.map((tool) => toolBody({ ...tool, max_runs: null, bind: null }));
  const used = template.tools.flatMap((name) => {
    const [row, own] = [rows.find((one) => one.name === name), shipped.find((one) => one.name === name)];
    // A default that the account has not changed is updated to the shipped version when the template is installed.
    const isOwn = row && (!row.is_default || row.modified_from_default);
    const body = isOwn ? toolBody(row) : (own ?? row);
    return body ? [{ id: name, body: toolBody(body), enabled: true }] : [];
  });
  requireScopes(caller, scopesToUse([], used));
  const asRead = JSON.stringify(rows.map((row) => [row.name, row.revision]));
  const found = sql`SELECT name, revision FROM tools WHERE account = ${store.account} AND name IN (SELECT value FROM json_each(${names})) ORDER BY name`;
  return sql`(SELECT json_group_array(json_array(name, revision)) FROM (${found})) = ${asRead}`;
}

async function tryToInstall(
  { store, created_by, now, newId }: Context,
  template: ShippedTemplate,
  name: string,
  isJudged: SQL | undefined,
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
  const { row, statements } = newAgent({ store, created_by, now, newId }, fields, isJudged);
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

/** Returns the agent that was created from the template under this id; null if there is none. */
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

function itemsOf(template: CatalogTemplate, faqNames: string[]) {
  return {
    tools: CATALOG.tools.filter(({ name }) => template.tools.includes(name)),
    playbooks: CATALOG.playbooks.filter(({ name }) => template.playbooks.includes(name)),
    faqs: CATALOG.faqs.filter(({ name }) => faqNames.includes(name)),
  };
}
