import { eq, ne, sql } from "drizzle-orm";
import type { z } from "zod";
import { DEFAULT_POLICY, WHO_MAY_CHAT, type WidgetPolicy, whoMayChat } from "../../account/visitors/settings.ts";
import { type AccountStore, subject } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { OF_DEFAULTS } from "../../kernel/db/revision.ts";
import { agents, widgetKeys as keyTable, agentWidgetSettings as policyTable } from "../../kernel/db/schema/index.ts";
import { askedFor } from "../../kernel/http/asked.ts";
import { conflict, invalidField, notFound } from "../../kernel/http/errors.ts";
import { whySettingsUnchanged } from "../../kernel/http/if-match.ts";
import { invalidateConfig } from "./config-cache.ts";
import type { updateAgentWidgetSettings } from "./settings-contract.ts";

interface Context {
  store: AccountStore;
  now: number;
}

interface PolicyUpdate {
  id: string;
  changes: z.output<NonNullable<typeof updateAgentWidgetSettings.body>>;
  /** The revision of the widget settings on which the change is based; null for any. */
  ifMatch: number | null;
}

/** The most attempts when others change the settings or the agent meanwhile. */
const TRIES = 5;

/**
 * Changes who may talk to an agent through a widget. `who` also changes the agent, in the same write: both or neither.
 * A value that is already in effect changes nothing. @throws ApiError 400, 404, 409, 412
 */
export async function updatePolicy(context: Context, update: PolicyUpdate) {
  const { agent_id } = update.changes;
  if (agent_id !== undefined && agent_id !== update.id) {
    throw invalidField("agent_id", "invalid_request", "must be the agent in the path, or left out");
  }
  for (let tries = 0; tries < TRIES; tries++) {
    const settings = await tryToUpdate(context, update);
    if (settings) return settings;
  }
  throw conflict("changing", "another request is changing who may chat; try again");
}

/** Returns the requested changes, given what is in effect. @throws ApiError 400 if they contradict each other */
function askedOf(changes: PolicyUpdate["changes"], policy: WidgetPolicy, agent: { auth_mode: string }) {
  const { who, auth_mode, widget_enabled } = askedFor(
    changes,
    Object.assign({ who: whoMayChat(policy, agent) }, policy),
  );
  const modes = who && WHO_MAY_CHAT[who];
  if (modes && changes.auth_mode !== undefined && changes.auth_mode !== modes.widget)
    throw invalidField("auth_mode", "invalid_request", "contradicts who; send one of the two");
  const sent: Partial<WidgetPolicy> = {};
  if (widget_enabled !== undefined) sent.widget_enabled = widget_enabled;
  const widget = modes?.widget ?? auth_mode;
  if (widget !== undefined) sent.auth_mode = widget;
  return { modes, sent };
}

/** Returns the changed settings; null if a value on which the change depends was changed in the meantime. */
async function tryToUpdate({ store, now }: Context, { id, changes, ifMatch }: PolicyUpdate) {
  const [isAgent, isIts] = [eq(agents.id, id), eq(policyTable.agent_id, id)];
  const agentRead = store.first(agents, { where: isAgent, columns: ["auth_mode"] });
  const [before, stored] = await store.read(agentRead, store.first(policyTable, { where: isIts }));
  if (!before) throw notFound("agent");
  const policy = stored ?? DEFAULT_POLICY;
  const { modes, sent } = askedOf(changes, policy, before);
  // The condition that the values on which the decision was based are unchanged.
  const isAsRead = all(
    isIts,
    eq(policyTable.auth_mode, policy.auth_mode),
    sql`(SELECT auth_mode FROM agents WHERE account = ${store.account} AND id = ${id}) IS ${before.auth_mode}`,
  );
  const updated_at = new Date(now).toISOString();
  const defaults = { ...DEFAULT_POLICY, agent_id: id, revision: OF_DEFAULTS, updated_at };
  const changed = changedColumns(policyTable, sent);
  // Compared before either row changes.
  if (modes)
    changed.agent_auth_mode = sql`(SELECT auth_mode FROM agents WHERE account = ${store.account} AND id = ${id}) IS NOT ${modes.agent}`;
  const isOther = modes && all(isAgent, ne(agents.auth_mode, modes.agent));
  const [, [row], keys, agent] = await store.write(
    { action: "update", resource: "agent_widget_settings", resource_id: id, changes: changed },
    store.insertDefaults(policyTable, defaults, ifMatch),
    subject(
      modes
        ? store.revise(policyTable, Object.assign({ updated_at }, sent), isAsRead, ifMatch)
        : store.reviseIfOther(policyTable, sent, { updated_at }, isAsRead, ifMatch),
    ),
    store.select(keyTable, { where: eq(keyTable.agent_id, id), columns: ["hash"] }),
    agentRead,
    ...(isOther ? [store.reviseAlong(agents, { auth_mode: modes.agent, updated_at }, isOther)] : []),
  );
  if (!row) {
    const [now] = await store.read(store.first(policyTable, { where: isIts }));
    if (ifMatch !== null && ifMatch !== (now?.revision ?? OF_DEFAULTS))
      throw await whySettingsUnchanged(store, policyTable, isIts, "widget settings of the agent");
    return null;
  }
  await invalidateConfig(keys);
  return Object.assign({ who: whoMayChat(row, isOther ? { auth_mode: modes.agent } : (agent ?? before)) }, row);
}
