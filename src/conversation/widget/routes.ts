import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq, isNull, sql } from "drizzle-orm";
import { limitsOf } from "../../account/meter/key-limits.ts";
import { DEFAULT_POLICY, DEFAULT_SETTINGS, whoMayChat } from "../../account/visitors/settings.ts";
import { type AccountStore, subject } from "../../kernel/db/account-store.ts";
import { changedColumns, changedFields, wasSet } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { OF_DEFAULTS } from "../../kernel/db/revision.ts";
import {
  agents,
  widgetKeys as keyTable,
  agentWidgetSettings as policyTable,
  widgetSettings as settingsTable,
} from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { invalidField, notFound } from "../../kernel/http/errors.ts";
import { whySettingsUnchanged } from "../../kernel/http/if-match.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import { tagAnswer } from "../../kernel/http/respond.ts";
import { serve } from "../../kernel/http/serve.ts";
import { mintSecret } from "../../kernel/secrets/api-key.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { readAllowlist } from "./allowlist.ts";
import { forgetConfig } from "./config-cache.ts";
import * as keyContract from "./keys-contract.ts";
import { openKey, sealKey } from "./sealed-key.ts";
import * as settingsContract from "./settings-contract.ts";
import { updatePolicy } from "./update-policy.ts";
import { mountVisitorRoutes } from "./visitor-routes.ts";

export const widget = new OpenAPIHono<AppEnv>();

serve(widget, keyContract.listWidgetKeys, async ({ store }) => {
  const [rows] = await store.read(store.select(keyTable, { orderBy: [desc(keyTable.created_at), desc(keyTable.id)] }));
  return rows.map((row) => Object.assign({}, row, { limits: limitsOf(row.limits), expires_at: null }));
});

serve(
  widget,
  keyContract.createWidgetKey,
  async ({ env, store, body, now, newId }) => {
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
    const [hash, sealed_key] = await Promise.all([sha256Hex(key), sealKey(env, store.account, row.id, key)]);
    await store.write(
      { action: "create", resource: "widget_key", resource_id: row.id },
      store.insert(keyTable, { ...row, hash, sealed_key }),
    );
    return { ...row, expires_at: null, key };
  },
  async ({ store }, id) => {
    const [row] = await store.read(store.first(keyTable, { where: eq(keyTable.id, id) }));
    return row ? { ...row, expires_at: null, key: null } : null;
  },
);

serve(widget, keyContract.revealWidgetKey, async ({ env, store, params }) => {
  const entry = { action: "reveal", resource: "widget_key", resource_id: params.id };
  const row = await store.disclose(entry, keyTable, eq(keyTable.id, params.id));
  if (!row) throw notFound("widget key");
  return { id: row.id, key: await openKey(env, row) };
});

serve(widget, keyContract.updateWidgetKey, async ({ store, principal, params, body, now }) => {
  const { disabled, domain_allowlist, limits, ...rest } = body;
  const set: Parameters<typeof store.update<typeof keyTable>>[1] = {
    ...rest,
    ...(domain_allowlist && { domain_allowlist: await readAllowlist(domain_allowlist) }),
    ...(disabled !== undefined && { disabled_at: disabled ? firstDisabled(now) : null }),
  };
  // Lifting a limit lets strangers spend without bounds.
  if (Object.values(limits ?? {}).includes(null)) requireScopes(principal, ["manage"]);
  // Put into those that are set already: null lifts a limit, where a merge patch would remove it.
  const limitsSet = Object.entries(limits ?? {}).flatMap(([name, limit]) =>
    limit === undefined ? [] : [{ name, limit }],
  );
  if (limitsSet.length > 0) set.limits = withLimits(limitsSet);
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

serve(widget, keyContract.deleteWidgetKey, async ({ store, params, now }) => {
  const isKey = eq(keyTable.id, params.id);
  const [changed] = await store.write(
    { action: "delete", resource: "widget_key", resource_id: params.id },
    store.update(keyTable, { disabled_at: firstDisabled(now) }, isKey),
    store.delete(keyTable, all(isKey, isNull(keyTable.last_used_at))),
  );
  if (changed.length === 0) throw notFound("widget key");
  await forgetConfig(changed);
});

serve(widget, settingsContract.getWidgetSettings, async ({ store }) => {
  const [row] = await store.read(store.first(settingsTable));
  return row ?? { ...DEFAULT_SETTINGS, revision: OF_DEFAULTS };
});

serve(widget, settingsContract.updateWidgetSettings, async ({ c, store, body, now, ifMatch }) => {
  const updated_at = new Date(now).toISOString();
  const changes = changedColumns(settingsTable, body);
  const [, [row], keys] = await store.write(
    { action: "update", resource: "widget_settings", resource_id: store.account, changes },
    store.insertDefaults(settingsTable, { ...DEFAULT_SETTINGS, revision: OF_DEFAULTS, updated_at }, ifMatch),
    subject(store.revise(settingsTable, { ...body, updated_at }, all(), ifMatch)),
    store.select(keyTable, { columns: ["hash"] }),
  );
  if (!row) throw await whySettingsUnchanged(store, settingsTable, undefined, "widget settings");
  await forgetConfig(keys);
  await tagAnswer(c, settingsContract.widgetSettings, row);
});

serve(widget, settingsContract.getAgentWidgetSettings, async ({ store, params: { id } }) => {
  const [agent, row] = await store.read(
    store.first(agents, { where: eq(agents.id, id), columns: ["auth_mode"] }),
    store.first(policyTable, { where: eq(policyTable.agent_id, id) }),
  );
  if (!agent) throw notFound("agent");
  const policy = row ?? { ...DEFAULT_POLICY, agent_id: id, revision: OF_DEFAULTS };
  return Object.assign({ who: whoMayChat(policy, agent) }, policy);
});

serve(widget, settingsContract.updateAgentWidgetSettings, ({ store, params, body, now, ifMatch }) =>
  updatePolicy({ store, now }, { id: params.id, changes: body, ifMatch }),
);

mountVisitorRoutes(widget);

async function requireAgent(store: AccountStore, id: string): Promise<void> {
  const [agent] = await store.read(store.first(agents, { where: eq(agents.id, id), columns: ["id"] }));
  if (!agent) throw invalidField("agent_id", "unknown_agent", "no such agent");
}

/** Disabling again keeps the time of the first. */
function firstDisabled(now: number) {
  return sql`coalesce(${keyTable.disabled_at}, ${new Date(now).toISOString()})`;
}

/** The key's limits with these in their places. */
function withLimits(set: { name: string; limit: number | null }[]) {
  const places = set.map(({ name, limit }) => sql`${`$.${name}`}, json(${JSON.stringify(limit)})`);
  return sql`json_set(${keyTable.limits}, ${sql.join(places, sql`, `)})`;
}
