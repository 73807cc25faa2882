import { env } from "cloudflare:workers";
import { and, eq, getTableName, sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  COUNTED_QUOTAS,
  type CountedQuota,
  exceededQuota,
  quotaChecks,
} from "../../../src/account/plan/quota-counts.ts";
import { QUOTAS_IN_DATABASE } from "../../../src/account/plan/quotas.ts";
import { type AccountStore, UniqueViolation, type Write } from "../../../src/kernel/db/account-store.ts";
import {
  agentPrompts,
  agents,
  agentVersions,
  apiKeys,
  budgets,
  documents,
  faqs,
  phoneNumbers,
  playbooks,
  telephonyProviders,
  tools,
  webhooks,
  widgetKeys,
} from "../../../src/kernel/db/schema/index.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { tenant } from "../../support/client.ts";
import type { Quotas } from "./support.ts";

const at = "2026-11-21T12:00:00.000Z";
const times = { created_at: at, updated_at: at };

/** Returns rows of the three kinds that can be defaults: a tool, a playbook and an FAQ. */
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
/** The action of each random step. Ids come from a small set, so that steps interact. */
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
  addKey: (s, { id, text }) => [
    s.insert(apiKeys, { id, name: text, hash: id, last8: "", scopes: [], created_at: at, created_by: "" }),
  ],
  switchKey: (s, { id, on, text }) => [
    s.update(apiKeys, { disabled_at: on ? null : at, name: text, last_used_at: at }, eq(apiKeys.id, id)),
  ],
  removeKey: (s, { id }) => [s.delete(apiKeys, eq(apiKeys.id, id))],
  addWidgetKey: (s, { id, text }) => [
    s.insert(widgetKeys, {
      id,
      name: text,
      hash: id,
      last8: "",
      domain_allowlist: [text],
      created_at: at,
      created_by: "",
    }),
  ],
  switchWidgetKey: (s, { id, on, text }) => [
    s.update(widgetKeys, { disabled_at: on ? null : at, domain_allowlist: [text, text] }, eq(widgetKeys.id, id)),
  ],
  removeWidgetKey: (s, { id }) => [s.delete(widgetKeys, eq(widgetKeys.id, id))],
  addBudget: (s, { id, text }) => [
    s.insert(budgets, {
      ...times,
      id,
      scope: "account",
      scope_id: null,
      period: "day",
      unit: "tokens",
      limit: 1,
      warn_at: [],
      action: "warn",
      created_by: text,
    }),
  ],
  addWebhook: (s, { id, text }) => [
    s.insert(webhooks, {
      ...times,
      id,
      url: "https://shop.example/hook",
      types: ["*"],
      enabled: true,
      shows: "neither",
      secrets: text,
      begins_at: at,
      beginning: 1,
      address_revision: 1,
      created_by: text,
    }),
  ],
  addDocument: (s, { id, text }) => [
    s.insert(documents, {
      ...times,
      id,
      title: id,
      source: "text",
      file_name: "text.md",
      content_type: "text/markdown",
      bytes: 2,
      sha256: text,
      created_by: text,
    }),
  ],
  removeDocument: (s, { id }) => [s.delete(documents, eq(documents.id, id))],
  removeWebhook: (s, { id }) => [s.delete(webhooks, eq(webhooks.id, id))],
  removeBudget: (s, { id }) => [s.delete(budgets, eq(budgets.id, id))],
  exchange: (s, { id, other, text }) => [
    s.delete(faqs, eq(faqs.id, id)),
    s.insert(playbooks, item(other, text, false).playbook),
    s.insert(faqs, item(other, text, false).faq),
  ],
};

const ALL_TABLES = [
  agents,
  tools,
  playbooks,
  faqs,
  apiKeys,
  widgetKeys,
  telephonyProviders,
  phoneNumbers,
  budgets,
  webhooks,
  agentVersions,
  documents,
].map(getTableName);

type Counts = Record<CountedQuota, number>;

/** Counts the rows of each kind. */
async function count(s: AccountStore): Promise<Counts> {
  const [agent, tool, playbook, faq, providers, numbers, keys, publicKeys, limits, hooks, versions, known] =
    await s.read(
      s.select(agents, { columns: ["id"] }),
      s.select(tools, { columns: ["is_default"] }),
      s.select(playbooks, { columns: ["is_default"] }),
      s.select(faqs, { columns: ["is_default"] }),
      s.select(telephonyProviders, { columns: ["deleted_at"] }),
      s.select(phoneNumbers, { columns: ["id"] }),
      s.select(apiKeys, { columns: ["disabled_at"] }),
      s.select(widgetKeys, { columns: ["disabled_at"] }),
      s.select(budgets, { columns: ["id"] }),
      s.select(webhooks, { columns: ["id"] }),
      s.select(agentVersions, { columns: ["number"] }),
      s.select(documents, { columns: ["bytes"] }),
    );
  const own = (rows: { is_default: boolean }[]) => rows.filter(({ is_default }) => !is_default).length;
  const enabled = (rows: { disabled_at: string | null }[]) => rows.filter((row) => row.disabled_at === null).length;
  return {
    agents: agent.length,
    tools: own(tool),
    playbooks: own(playbook),
    faqs: own(faq),
    api_keys: enabled(keys),
    widget_keys: enabled(publicKeys),
    credentials: providers.filter(({ deleted_at }) => deleted_at === null).length,
    numbers: numbers.length,
    budgets: limits.length,
    webhooks: hooks.length,
    versions: versions.length,
    documents: known.length,
    knowledge_bytes: known.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Returns the maximum number of each kind that a batch may leave. */
function countsUpTo(limit: number | null, before: Counts): Counts {
  const most = COUNTED_QUOTAS.map((name) => [name, Math.max(limit ?? Number.POSITIVE_INFINITY, before[name])]);
  return Object.fromEntries(most);
}

/** Sets the same limit for every quota; null restores the plan's. */
async function limitTo(account: string, limit: number | null) {
  const quotas = limit === null ? {} : Object.fromEntries(COUNTED_QUOTAS.map((name) => [name, limit]));
  await env.DB.prepare("UPDATE accounts SET quotas = ? WHERE name = ?").bind(JSON.stringify(quotas), account).run();
}

const ENTRY = { action: "update", resource: "agent", resource_id: "x" } as const;

/**
 * Carries out a step. Returns the quota that refused it; null if none did. The database may refuse it for other
 * reasons.
 */
async function attempt(s: AccountStore, kind: string, step: Step): Promise<CountedQuota | null> {
  try {
    await s.write(ENTRY, ...(STEPS[kind]?.(s, step) ?? [s.delete(tools, sql`false`)]));
    return null;
  } catch (error) {
    if (error instanceof UniqueViolation || /FOREIGN KEY constraint failed/.test(String(error))) return null;
    const [, name] = /quota of \d+ (\w+) is reached/.exec(String(error)) ?? [];
    const quota = COUNTED_QUOTAS.find((each) => each === name);
    if (!quota) throw error;
    return quota;
  }
}

describe("quotas on rows", () => {
  it("refuse exactly the writes that exceed the limit and add rows, and leave nothing of them", async () => {
    const id = fc.constantFrom("0", "1", "2");
    const text = fc.constantFrom("", "x", "😀");
    const limit = fc.constantFrom(0, 1, 2, null);
    const kind = fc.constantFrom(...Object.keys(STEPS));
    const step = fc.record({ kind, id, other: id, text, on: fc.boolean(), limit });
    const run = fc.array(step, { maxLength: 60, size: "max" });
    const refusedBy = new Set<string>();
    const eachAtItsLimit = Object.keys(STEPS).flatMap((one) =>
      [false, true].map((on) => ({ kind: one, id: "0", other: "0", text: "x", on, limit: 0 }) as const),
    );
    const bytesAtTheirLimit = [{ kind: "addDocument", id: "0", other: "0", text: "x", on: true, limit: 1 } as const];
    await fc.assert(
      fc.asyncProperty(run, async (steps) => {
        const who = await tenant();
        const s = accountStore(env, who.account, { actor: "test", request_id: "" });
        let before = await count(s);
        for (const { kind, limit, ...given } of steps) {
          await limitTo(who.account, limit);
          const most = countsUpTo(limit, before);
          const quota = await attempt(s, kind, given);
          const after = await count(s);
          for (const name of COUNTED_QUOTAS) expect(after[name], `${kind} ${name}`).toBeLessThanOrEqual(most[name]);
          const found = before;
          before = after;
          if (quota === null) continue;
          refusedBy.add(quota);
          expect(after, kind).toEqual(found);
          // The quota was the only reason: without the limit the step succeeds and exceeds it.
          await limitTo(who.account, null);
          expect(await attempt(s, kind, given)).toBeNull();
          before = await count(s);
          expect(before[quota], kind).toBeGreaterThan(most[quota]);
        }
        const { body } = await who.server.get<Quotas>("/api/v1/quotas");
        for (const name of COUNTED_QUOTAS) expect(body.quotas[name]?.used, name).toBe(before[name]);
      }),
      { numRuns: 11, examples: [[eachAtItsLimit], [bytesAtTheirLimit]] },
    );
    // No write of versions goes through the gate. Versions beyond their quota are deleted instead.
    const refusing = COUNTED_QUOTAS.filter((name) => name !== "versions");
    expect([...refusedBy].sort()).toEqual(refusing.sort());
  });

  it("count by a covering index", async () => {
    const { account } = await tenant();
    const changed = quotaChecks(account, { tables: ALL_TABLES, added: [] }, QUOTAS_IN_DATABASE);
    expect([changed.before.length, changed.after.length]).toEqual([COUNTED_QUOTAS.length, COUNTED_QUOTAS.length]);
    const added = quotaChecks(account, { tables: ALL_TABLES, added: ALL_TABLES }, QUOTAS_IN_DATABASE);
    expect(added.before.length + added.after.length).toBeLessThan(2 * COUNTED_QUOTAS.length);
    for (const { sql: statement, params } of [changed, added].flatMap(({ before, after }) => [...before, ...after])) {
      const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${statement}`)
        .bind(...params)
        .all<{ detail: string }>();
      const counting = plan.results.filter(({ detail }) => !/accounts|quota_ceilings|SCALAR SUBQUERY/.test(detail));
      expect(counting, statement).toEqual([
        expect.objectContaining({
          detail: expect.stringMatching(/^SEARCH \w+ USING COVERING INDEX \w+ \(account=\?( AND \w+=\?)?\)$/),
        }),
      ]);
    }
  });

  it("do not confuse other errors with the database's", () => {
    const wrapped = new Error("Failed query: insert … params: D1_ERROR: bad JSON path: 'quota_exceeded agents'", {
      cause: new Error("D1_ERROR: UNIQUE constraint failed: bad JSON path: 'quota_exceeded tools': SQLITE_CONSTRAINT"),
    });
    expect(exceededQuota(wrapped)).toBeNull();
    expect(exceededQuota("D1_ERROR: bad JSON path: 'quota_exceeded agents': SQLITE_ERROR")).toBeNull();
    expect(exceededQuota(new Error("D1_ERROR: bad JSON path: 'quota_exceeded rows': SQLITE_ERROR"))).toBeNull();
  });
});
