import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq, isNull, sql } from "drizzle-orm";
import type { AccountStore, Write } from "../db/account-store.ts";
import { changedFields, wasSet } from "../db/audit-changes.ts";
import { all } from "../db/conditions.ts";
import {
  agents,
  widgetKeys as keyTable,
  agentWidgetSettings as policyTable,
  widgetSettings as settingsTable,
} from "../db/schema/index.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { invalidField, notFound } from "../http/errors.ts";
import { mintSecret } from "../secrets/api-key.ts";
import { sha256Hex } from "../secrets/hashing.ts";
import { readAllowlist } from "./allowlist.ts";
import { forgetConfig } from "./config-cache.ts";
import * as contract from "./contract.ts";
import { DEFAULT_POLICY, DEFAULT_SETTINGS, withChanges } from "./settings.ts";
import { mountVisitorRoutes } from "./visitor-routes.ts";

export const widget = new OpenAPIHono<AppEnv>();

serve(widget, contract.listWidgetKeys, async ({ store }) => {
  const [rows] = await store.read(store.select(keyTable, { orderBy: [desc(keyTable.created_at), desc(keyTable.id)] }));
  return rows.map((row) => ({ ...row, expires_at: null }));
});

serve(
  widget,
  contract.createWidgetKey,
  async ({ store, body, now, newId }) => {
    const domain_allowlist = await readAllowlist(body.domain_allowlist);
    if (body.agent_id) await requireAgent(store, body.agent_id);
    const key = mintSecret(`pk_live_${store.account}`);
    const row = {
      id: newId(),
      name: body.name,
      agent_id: body.agent_id,
      domain_allowlist,
      last8: key.slice(-8),
      created_at: new Date(now).toISOString(),
    };
    await store.write(
      { action: "create", resource: "widget_key", resource_id: row.id },
      store.insert(keyTable, { ...row, hash: await sha256Hex(key) }),
    );
    return { ...row, expires_at: null, key };
  },
  async ({ store }, id) => {
    const [row] = await store.read(store.first(keyTable, { where: eq(keyTable.id, id) }));
    return row ? { ...row, expires_at: null, key: null } : null;
  },
);

serve(widget, contract.updateWidgetKey, async ({ store, params, body, now }) => {
  const { disabled, domain_allowlist, ...rest } = body;
  const set = {
    ...rest,
    ...(domain_allowlist && { domain_allowlist: await readAllowlist(domain_allowlist) }),
    ...(disabled !== undefined && { disabled_at: disabled ? firstDisabled(now) : null }),
  };
  if (rest.agent_id) await requireAgent(store, rest.agent_id);
  const isKey = eq(keyTable.id, params.id);
  if (Object.keys(set).length === 0) {
    const [key] = await store.read(store.first(keyTable, { where: isKey, columns: ["id"] }));
    if (!key) throw notFound("widget key");
    return;
  }
  const changes = changedFields({ disabled: wasSet(keyTable.disabled_at) }, body);
  const entry = { action: "update", resource: "widget_key", resource_id: params.id, changes };
  const [changed] = await store.write(entry, store.update(keyTable, set, isKey));
  if (changed.length === 0) throw notFound("widget key");
  await forgetConfig(changed);
});

serve(widget, contract.deleteWidgetKey, async ({ store, params, now }) => {
  const isKey = eq(keyTable.id, params.id);
  const [changed] = await store.write(
    { action: "delete", resource: "widget_key", resource_id: params.id },
    store.update(keyTable, { disabled_at: firstDisabled(now) }, isKey),
    store.delete(keyTable, all(isKey, isNull(keyTable.last_used_at))),
  );
  if (changed.length === 0) throw notFound("widget key");
  await forgetConfig(changed);
});

serve(widget, contract.getWidgetSettings, async ({ store }) => {
  const [row] = await store.read(store.first(settingsTable));
  return row ?? DEFAULT_SETTINGS;
});

serve(widget, contract.updateWidgetSettings, async ({ store, body, now }) => {
  const updated_at = new Date(now).toISOString();
  const [, keys] = await store.write(
    // What was there is not read: named is what was sent.
    { action: "update", resource: "widget_settings", resource_id: store.account, changes: changedFields({}, body) },
    store.upsert(
      settingsTable,
      { ...withChanges(DEFAULT_SETTINGS, body), updated_at },
      { target: [settingsTable.account], set: { ...body, updated_at } },
    ),
    store.select(keyTable, { columns: ["hash"] }),
  );
  await forgetConfig(keys);
});

serve(widget, contract.getAgentWidgetSettings, async ({ store, params: { id } }) => {
  const [agent, row] = await store.read(
    store.first(agents, { where: eq(agents.id, id), columns: ["id"] }),
    store.first(policyTable, { where: eq(policyTable.agent_id, id) }),
  );
  if (!agent) throw notFound("agent");
  return row ?? { ...DEFAULT_POLICY, agent_id: id };
});

serve(widget, contract.updateAgentWidgetSettings, async ({ store, params: { id }, body, now }) => {
  if (body.agent_id !== undefined && body.agent_id !== id) {
    throw invalidField("agent_id", "invalid_request", "must be the agent of the path or left out");
  }
  const [agent, before] = await store.read(
    store.first(agents, { where: eq(agents.id, id), columns: ["id"] }),
    store.first(policyTable, { where: eq(policyTable.agent_id, id) }),
  );
  if (!agent) throw notFound("agent");
  const { agent_id, ...sent } = body;
  const changes = changedFields(before ?? DEFAULT_POLICY, sent);
  const updated_at = new Date(now).toISOString();
  const fresh = { ...withChanges(DEFAULT_POLICY, sent), agent_id: id };
  const [[row], keys] = await store.write(
    { action: "update", resource: "agent_widget_settings", resource_id: id, changes },
    store.upsert(
      policyTable,
      { ...fresh, updated_at },
      { target: [policyTable.account, policyTable.agent_id], set: { ...sent, updated_at } },
    ),
    store.select(keyTable, { where: eq(keyTable.agent_id, id), columns: ["hash"] }),
  );
  await forgetConfig(keys);
  return row ?? fresh;
});

mountVisitorRoutes(widget);

/** Part of an agent's deletion: its widget keys lead nowhere until they are given another. */
export function unpinWidgetKeys(store: AccountStore, agentId: string): Write<unknown> {
  return store.update(keyTable, { agent_id: null }, eq(keyTable.agent_id, agentId));
}

async function requireAgent(store: AccountStore, id: string): Promise<void> {
  const [agent] = await store.read(store.first(agents, { where: eq(agents.id, id), columns: ["id"] }));
  if (!agent) throw invalidField("agent_id", "unknown_agent", "no such agent");
}

/** Disabling again keeps the time of the first. */
function firstDisabled(now: number) {
  return sql`coalesce(${keyTable.disabled_at}, ${new Date(now).toISOString()})`;
}
