import { z } from "zod";
import { agentChanges, agent as contract, versionedFields } from "../../agent/agents/contract.ts";
import { changeOf } from "../change.ts";
import { cut } from "../result.ts";
import { acting, confirm, id, limit, looking, type Tool } from "../tool.ts";

/**
 * The maximum length of an agent's text that is shown, characters, and the maximum number of its FAQs, playbooks and
 * tools.
 */
const TEXT_CHARS = 20_000;
const MOST_ATTACHED = 100;

/** A text of an agent. It is not validated as a template, because it may be cut within a placeholder. */
const shownText = z.string();
const { shape: fields } = contract;
const summary = z.object({
  id: z.string(),
  name: shownText,
  description: shownText,
  status: fields.status,
  llm_model: shownText,
});
const agent = summary.extend({
  fallback_model: shownText.nullable(),
  system_prompt: shownText,
  greeting_message: shownText,
  voicemail_message: shownText,
  greeting_mode: fields.greeting_mode,
  voice_provider: fields.voice_provider,
  voice_id: fields.voice_id,
  faqs: z.array(fields.faqs.element.pick({ name: true, title: true })),
  playbooks: z.array(fields.playbooks.element.pick({ name: true }).extend({ description: shownText })),
  tools: z.array(fields.tools.element.pick({ tool_name: true, enabled: true })),
  timezone: shownText.nullable(),
  language: shownText,
  languages: z.array(shownText),
  key_terms: z.array(shownText),
  phrases: z.record(z.string(), shownText.nullable()),
  versioning: fields.versioning,
  updated_at: fields.updated_at,
});
/** Returns an agent in the form that a model sees, with its size limited. */
const shown = (value: z.output<typeof agent>): z.output<typeof agent> => ({
  ...value,
  description: cut(value.description, TEXT_CHARS / 10),
  system_prompt: cut(value.system_prompt, TEXT_CHARS),
  greeting_message: cut(value.greeting_message, TEXT_CHARS / 10),
  voicemail_message: cut(value.voicemail_message, TEXT_CHARS / 10),
  faqs: value.faqs.slice(0, MOST_ATTACHED),
  playbooks: value.playbooks
    .slice(0, MOST_ATTACHED)
    .map(({ name, description }) => ({ name, description: cut(description, 100) })),
  tools: value.tools.slice(0, MOST_ATTACHED),
});
/** The schema of an agent's fields that acts on it need. */
export const actingAgent = agent.pick({ id: true, name: true, greeting_message: true, tools: true });

const findAgents = looking(
  {
    name: "find_agents",
    title: "Find agents",
    description: "Lists voice agents by words in their name or description, newest first.",
    scopes: ["read"],
    input: z.strictObject({ query: z.string().max(200).optional().describe("Words to look for."), limit: limit(50) }),
    output: z.object({ agents: z.array(summary), total: z.number() }),
  },
  async ({ api }, { query = "", limit: most }) => {
    const words = query.toLowerCase().split(/\s+/);
    const agents: z.output<typeof summary>[] = [];
    let total = 0;
    for await (const one of api.each("/api/v1/agents", summary)) {
      const text = `${one.name} ${one.description}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
      total += 1;
      if (agents.length < most) agents.push({ ...one, description: cut(one.description, 300) });
    }
    return { agents, total };
  },
);

const showAgent = looking(
  {
    name: "show_agent",
    title: "Show an agent",
    description: "Returns an agent's prompt, greeting, languages, model, voice, tools, playbooks and FAQs.",
    scopes: ["read"],
    input: z.strictObject({ agent_id: id("The agent, from find_agents.") }),
    output: z.object({ agent, revision: z.number() }),
  },
  async ({ api }, { agent_id }) => {
    const { value, revision } = await api.revised(`/api/v1/agents/${agent_id}`, agent);
    return { agent: shown(value), revision };
  },
);

const changes = agentChanges
  .pick({
    name: true,
    description: true,
    system_prompt: true,
    greeting_message: true,
    voicemail_message: true,
    greeting_mode: true,
    status: true,
    llm_model: true,
    fallback_model: true,
    timezone: true,
    language: true,
    languages: true,
    key_terms: true,
  })
  .extend({ phrases: agentChanges.shape.phrases.unwrap().strict().optional() })
  .strict();

const editAgent = acting(
  {
    name: "edit_agent",
    title: "Change an agent",
    description:
      "Changes an agent's texts, languages, model or status. Callers hear the change at once, or under manual " +
      "versioning once it is published, so the change has to be confirmed. The first call says what would change.",
    scopes: ["build"],
    input: z.strictObject({
      agent_id: id("The agent, from find_agents."),
      changes: changes.describe("The fields to change; others stay as they are."),
      confirm,
    }),
    output: z.object({ agent }),
    hints: { destructive: true, idempotent: true, openWorld: false },
  },
  async ({ api, principal }, { agent_id, changes: body }) => {
    const path = `/api/v1/agents/${agent_id}`;
    const { value, revision } = await api.revised(path, agent);
    const changed = Object.keys(body);
    return {
      scope: "build",
      effect: {
        to_numbers: [],
        count: 0,
        details: { agent: value.name, agent_id, revision, ...changeOf(value, body, principal) },
      },
      summary: `Change ${changed.join(", ") || "nothing"} of the agent ${value.name}, ${whenHeard(value.versioning, changed)}`,
      on: agent_id,
      confirmed: true,
      perform: async () => ({ done: true, agent: shown(await api.send("PATCH", path, agent, { body, revision })) }),
    };
  },
);

/** Describes when a change of these fields takes effect. With the versioning `manual`, that is after publishing. */
function whenHeard(versioning: "auto" | "manual", fields: string[]): string {
  const isDraft = versioning === "manual" && fields.every((field) => field in versionedFields.shape);
  return isDraft ? "which callers hear once it is published" : "which callers hear at once";
}

export const agentTools: Tool[] = [findAgents, showAgent, editAgent];
