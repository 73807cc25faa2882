import { env } from "cloudflare:workers";
import { and, eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountStore } from "../../src/account-gate/account-stores.ts";
import { type AccountStore, UniqueViolation, type Write } from "../../src/db/account-store.ts";
import { exceededQuota } from "../../src/db/account-usage.ts";
import {
  accountUsage,
  agentFaqs,
  agentPlaybooks,
  agentPrompts,
  agents,
  agentTools,
  agentWidgetSettings,
  apiKeys,
  faqs,
  integrationInstalls,
  phoneNumbers,
  playbooks,
  telephonyProviders,
  tools,
  widgetKeys,
  widgetSettings,
} from "../../src/db/schema/index.ts";
import { tenant } from "../support/client.ts";

const at = "2026-11-21T12:00:00.000Z";
const times = { created_at: at, updated_at: at };

async function store(): Promise<AccountStore> {
  const { account } = await tenant();
  return accountStore(env, account, { actor: "test", request_id: "" });
}

/** One of the three items that are seeded as well as made. */
const item = (id: string, text: string, is_default: boolean) => {
  const common = { id, name: `it_${id}`, category: text, tags: [text], is_default, modified_from_default: false };
  return {
    tool: {
      ...common,
      ...times,
      display_name: text,
      description: text,
      implementation_type: "http" as const,
      implementation_code: text,
      implementation_config: { text },
      schema: {},
    },
    playbook: {
      ...common,
      ...times,
      display_name: text,
      description: "",
      tool_names: [text],
      triggers: [],
      content: text === "" ? null : text,
    },
    faq: { ...common, ...times, title: text, summary: "", content: text },
  };
};

interface Step {
  id: string;
  other: string;
  text: string;
  on: boolean;
}
/** What a random step does; ids come from a few, so that steps meet. */
const STEPS: Record<string, (store: AccountStore, step: Step) => [Write<unknown>, ...Write<unknown>[]]> = {
  addAgent: (s, { id, text }) => [
    s.insert(agents, {
      ...times,
      id,
      name: text,
      description: "",
      category: "custom",
      status: "draft",
      llm_model: "gpt-4o",
      voice_provider: "cartesia",
      voice_id: "v",
      system_prompt: text,
      greeting_message: text,
      greeting_mode: "locked",
      auth_mode: "public",
      background_audio_enabled: false,
      background_audio_volume: 0.5,
      noise_suppression_enabled: true,
      ringing_enabled: false,
      template_id: text === "" ? null : text,
      created_by: "test",
    }),
    s.insertNew(agentPrompts, {
      id,
      agent_id: id,
      version: 1,
      system_prompt: text,
      created_by: "test",
      created_at: at,
    }),
  ],
  changeAgent: (s, { id, text, on }) => [
    s.update(agents, on ? { name: text, template_id: null } : { status: "active" }, eq(agents.id, id)),
  ],
  changePrompt: (s, { id, text }) => [s.update(agentPrompts, { system_prompt: text }, eq(agentPrompts.id, id))],
  removeAgent: (s, { id }) => [s.delete(agents, eq(agents.id, id))],
  addTool: (s, { id, text, on }) => [s.insert(tools, item(id, text, on).tool)],
  changeTool: (s, { id, text }) => [
    s.update(tools, { description: text, modified_from_default: true }, eq(tools.id, id)),
  ],
  seedTools: (s, { id, other, text }) => [
    s.upsertMany(
      tools,
      [...new Set([id, other])].map((each) => item(each, text, true).tool),
      {
        target: [tools.account, tools.name],
        columns: ["display_name", "implementation_config"],
        when: and(eq(tools.is_default, true), eq(tools.modified_from_default, false)) ?? sql`false`,
      },
    ),
  ],
  removeTool: (s, { id }) => [s.delete(tools, eq(tools.id, id))],
  addPlaybook: (s, { id, text, on }) => [s.insert(playbooks, item(id, text, on).playbook)],
  changePlaybook: (s, { id, text, on }) => [
    s.update(playbooks, { content: on ? text : null, modified_from_default: on }, eq(playbooks.id, id)),
  ],
  removePlaybook: (s, { id }) => [s.delete(playbooks, eq(playbooks.id, id))],
  addFaq: (s, { id, text, on }) => [s.insert(faqs, item(id, text, on).faq)],
  changeFaq: (s, { id, text, on }) => [s.update(faqs, { content: text, modified_from_default: on }, eq(faqs.id, id))],
  removeFaq: (s, { id }) => [s.delete(faqs, eq(faqs.id, id))],
  attach: (s, { id, other }) => [
    s.insertSelected(agentFaqs, faqs, and(eq(faqs.id, other), sql`${id} IN (SELECT id FROM agents)`) ?? sql`false`, {
      agent_id: id,
      faq_id: faqs.id,
      position: sql`0`,
      created_at: at,
    }),
    s.insertNew(agentPlaybooks, { agent_id: id, playbook_id: other, created_at: at }),
  ],
  detach: (s, { id, other }) => [
    s.delete(agentFaqs, and(eq(agentFaqs.agent_id, id), eq(agentFaqs.faq_id, other)) ?? sql`false`),
  ],
  giveTool: (s, { id, other, text }) => [
    s.upsert(
      agentTools,
      { ...times, agent_id: id, tool_name: `it_${other}`, enabled: true, config: { text } },
      { target: [agentTools.account, agentTools.agent_id, agentTools.tool_name], set: { config: { text } } },
    ),
  ],
  widgetPolicy: (s, { id, on }) => [
    s.upsert(
      agentWidgetSettings,
      { agent_id: id, auth_mode: "both", widget_enabled: on, updated_at: at },
      { target: [agentWidgetSettings.account, agentWidgetSettings.agent_id], set: { widget_enabled: on } },
    ),
  ],
  widgetLook: (s, { text }) => [
    s.upsert(
      widgetSettings,
      {
        accent_color: "#000000",
        launcher_label: text,
        launcher_position: "top",
        logo_url: text,
        primary_color: "#000000",
        privacy_notice: "",
        updated_at: at,
      },
      { target: [widgetSettings.account], set: { privacy_notice: text } },
    ),
  ],
  install: (s, { id, text, on }) => [
    s.upsert(
      integrationInstalls,
      { ...times, id, params: { text }, secret_names: [], secrets: on ? `v1.k1.iv.${text}` : null },
      {
        target: [integrationInstalls.account, integrationInstalls.id],
        set: { secrets: on ? `v1.another-key.iv.${text}` : null, secret_names: [text] },
      },
    ),
  ],
  addCredentials: (s, { id, text }) => [
    s.insert(telephonyProviders, {
      id,
      provider: "twilio",
      label: text,
      credentials: `v1.k1.iv.${text}`,
      credential_keys: [text],
      created_at: at,
    }),
  ],
  sealAnew: (s, { id }) => [
    s.update(
      telephonyProviders,
      { credentials: sql`'v1.key-two' || substr(${telephonyProviders.credentials}, 6)` },
      eq(telephonyProviders.id, id),
    ),
  ],
  dropCredentials: (s, { id, on }) => [
    s.update(telephonyProviders, { deleted_at: on ? at : null }, eq(telephonyProviders.id, id)),
  ],
  eraseCredentials: (s, { id }) => [s.delete(telephonyProviders, eq(telephonyProviders.id, id))],
  addNumber: (s, { id }) => [
    s.insert(phoneNumbers, {
      ...times,
      id,
      e164: `+1202555010${id}`,
      provider: "sandbox",
      inbound_enabled: true,
      outbound_enabled: true,
    }),
  ],
  removeNumber: (s, { id }) => [s.delete(phoneNumbers, eq(phoneNumbers.id, id))],
  addKey: (s, { id, text }) => [s.insert(apiKeys, { id, name: text, hash: id, last8: "", created_at: at })],
  switchKey: (s, { id, on, text }) => [
    s.update(apiKeys, { disabled_at: on ? null : at, name: text, last_used_at: at }, eq(apiKeys.id, id)),
  ],
  removeKey: (s, { id }) => [s.delete(apiKeys, eq(apiKeys.id, id))],
  addWidgetKey: (s, { id, text }) => [
    s.insert(widgetKeys, { id, name: text, hash: id, last8: "", domain_allowlist: [text], created_at: at }),
  ],
  switchWidgetKey: (s, { id, on, text }) => [
    s.update(widgetKeys, { disabled_at: on ? null : at, domain_allowlist: [text, text] }, eq(widgetKeys.id, id)),
  ],
  removeWidgetKey: (s, { id }) => [s.delete(widgetKeys, eq(widgetKeys.id, id))],
};

const bytes = (...values: unknown[]) =>
  values.reduce<number>((sum, value) => {
    const text = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
    return sum + new TextEncoder().encode(text).length;
  }, 256);
/** A sealed value without its key's id and the dot behind it. */
const sealed = (value: string | null) => value?.replace(/^v1\.[^.]*\./, "v1.") ?? "";

/** What an account uses, counted from its rows. */
async function count(s: AccountStore): Promise<Record<string, number>> {
  const rows = await s.read(
    s.select(agents),
    s.select(agentPrompts),
    s.select(tools),
    s.select(playbooks),
    s.select(faqs),
    s.select(agentFaqs),
    s.select(agentPlaybooks),
    s.select(agentTools),
    s.select(integrationInstalls),
    s.select(telephonyProviders),
    s.select(phoneNumbers),
    s.select(apiKeys),
    s.select(widgetKeys),
    s.select(widgetSettings),
    s.select(agentWidgetSettings),
  );
  const [agent, prompt, tool, playbook, faq, withFaq, withPlaybook, withTool] = rows;
  const [, , , , , , , , installs, providers, numbers, keys, wKeys, looks, policies] = rows;
  const own = <T extends { is_default: boolean }>(all: T[]) => all.filter(({ is_default }) => !is_default).length;
  const mine = <T extends { is_default: boolean; modified_from_default: boolean }>(all: T[]) =>
    all.filter((row) => !row.is_default || row.modified_from_default);
  const sizes = [
    ...agent.map((a) => bytes(a.name, a.description, a.voice_id, a.system_prompt, a.greeting_message, a.template_id)),
    ...prompt.map((p) => bytes(p.system_prompt)),
    ...mine(tool).map((t) =>
      bytes(
        t.name,
        t.display_name,
        t.description,
        t.category,
        t.implementation_code,
        t.implementation_config,
        t.schema,
        t.tags,
      ),
    ),
    ...mine(playbook).map((p) =>
      bytes(p.name, p.display_name, p.description, p.category, p.tags, p.tool_names, p.triggers, p.content),
    ),
    ...mine(faq).map((f) => bytes(f.name, f.title, f.summary, f.content, f.category, f.tags)),
    ...[...withFaq, ...withPlaybook, ...numbers, ...policies].map(() => bytes()),
    ...withTool.map(({ config }) => bytes(config)),
    ...installs.map(({ params, secret_names, secrets }) => bytes(params, secret_names, sealed(secrets))),
    ...providers.map(({ label, credential_keys, credentials }) => bytes(label, credential_keys, sealed(credentials))),
    ...keys.map(({ name }) => bytes(name)),
    ...wKeys.map(({ name, domain_allowlist }) => bytes(name, domain_allowlist)),
    ...looks.map((l) => bytes(l.accent_color, l.launcher_label, l.logo_url, l.primary_color, l.privacy_notice)),
  ];
  return {
    agents: agent.length,
    tools: own(tool),
    playbooks: own(playbook),
    faqs: own(faq),
    api_keys: keys.filter(({ disabled_at }) => disabled_at === null).length,
    widget_keys: wKeys.filter(({ disabled_at }) => disabled_at === null).length,
    credentials: providers.filter(({ deleted_at }) => deleted_at === null).length,
    numbers: numbers.length,
    configuration_bytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}

async function usage(s: AccountStore): Promise<Record<string, number>> {
  const [rows] = await s.read(s.select(accountUsage));
  const zero = { agents: 0, tools: 0, playbooks: 0, faqs: 0, api_keys: 0, widget_keys: 0, credentials: 0, numbers: 0 };
  return Object.assign(zero, Object.fromEntries(rows.map(({ name, used }) => [name, used])));
}

/** Whatever the database has against a step: it then changes nothing. */
const refused = (error: unknown) => {
  const known = error instanceof UniqueViolation || /FOREIGN KEY constraint failed/.test(String(error));
  if (!known) throw error;
};

const ENTRY = { action: "change", resource: "thing", resource_id: "x" };

describe("what an account uses", () => {
  it("is what a count from scratch gives, whatever was written, changed, refused, and deleted with something else", async () => {
    const id = fc.constantFrom("0", "1", "2");
    const text = fc.constantFrom("", "x", "äöü", "😀".repeat(50), "longer than the others, by far");
    const step = fc.record({ kind: fc.constantFrom(...Object.keys(STEPS)), id, other: id, text, on: fc.boolean() });
    const run = fc.array(step, { maxLength: 80, size: "max" });
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(run, async (steps) => {
        const s = await store();
        for (const { kind, ...given } of steps) {
          const done = await s
            .write(ENTRY, ...(STEPS[kind]?.(s, given) ?? [s.delete(tools, sql`false`)]))
            .catch(refused);
          if (done) seen.add(kind);
        }
        expect(await usage(s)).toEqual(await count(s));
      }),
      { numRuns: 25 },
    );
    expect([...seen].sort()).toEqual(Object.keys(STEPS).sort());
  });

  it("takes nobody's words for the database's", () => {
    const wrapped = new Error("Failed query: insert … params: D1_ERROR: quota_exceeded agents: SQLITE_CONSTRAINT", {
      cause: new Error("D1_ERROR: UNIQUE constraint failed: quota_exceeded tools: SQLITE_CONSTRAINT"),
    });
    expect(exceededQuota(wrapped)).toBeNull();
    expect(exceededQuota("D1_ERROR: quota_exceeded agents: SQLITE_CONSTRAINT")).toBeNull();
  });
});
