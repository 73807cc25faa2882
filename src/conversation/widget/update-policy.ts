import { eq, ne, sql } from "drizzle-orm";
import type { z } from "zod";
import { DEFAULT_POLICY, WHO_MAY_CHAT, whoMayChat } from "../../account/visitors/settings.ts";
import { type AccountStore, subject } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { OF_DEFAULTS } from "../../kernel/db/revision.ts";
import { agents, widgetKeys as keyTable, agentWidgetSettings as policyTable } from "../../kernel/db/schema/index.ts";
import { invalidField, notFound } from "../../kernel/http/errors.ts";
import { whySettingsUnchanged } from "../../kernel/http/if-match.ts";
import { forgetConfig } from "./config-cache.ts";
import type { updateAgentWidgetSettings } from "./settings-contract.ts";

interface Context {
  store: AccountStore;
  now: number;
}

interface PolicyUpdate {
  /** The agent's. */
  id: string;
  changes: z.output<NonNullable<typeof updateAgentWidgetSettings.body>>;
  /** The revision of the widget settings that they are to be changed from; null for any. */
  ifMatch: number | null;
}

/**
 * Changes who may talk to an agent through a widget. `who` changes the agent too, in the same write: both or neither.
 * @throws ApiError 400, 404, 412
 */
export async function updatePolicy({ store, now }: Context, { id, changes, ifMatch }: PolicyUpdate) {
  const { agent_id, who, ...rest } = changes;
  if (agent_id !== undefined && agent_id !== id) {
    throw invalidField("agent_id", "invalid_request", "must be the agent in the path, or left out");
  }
  const [isAgent, isIts] = [eq(agents.id, id), eq(policyTable.agent_id, id)];
  const agentRead = store.first(agents, { where: isAgent, columns: ["auth_mode"] });
  const [before] = await store.read(agentRead);
  if (!before) throw notFound("agent");
  const modes = who && WHO_MAY_CHAT[who];
  const sent = modes ? Object.assign({}, rest, { auth_mode: modes.widget }) : rest;
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
    subject(store.revise(policyTable, { ...sent, updated_at }, isIts, ifMatch)),
    store.select(keyTable, { where: eq(keyTable.agent_id, id), columns: ["hash"] }),
    agentRead,
    ...(isOther ? [store.reviseAlong(agents, { auth_mode: modes.agent, updated_at }, isOther)] : []),
  );
  if (!row) throw await whySettingsUnchanged(store, policyTable, isIts, "widget settings of the agent");
  await forgetConfig(keys);
  return Object.assign({ who: who ?? whoMayChat(row, agent ?? before) }, row);
}
