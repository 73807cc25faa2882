import { OpenAPIHono } from "@hono/zod-openapi";
import { eq } from "drizzle-orm";
import { DEFAULT_POLICY, DEFAULT_SETTINGS, whoMayChat } from "../../account/visitors/settings.ts";
import { widgetSettings } from "../../account/visitors/widget-fields.ts";
import { subject } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { OF_DEFAULTS } from "../../kernel/db/revision.ts";
import {
  agents,
  widgetKeys as keyTable,
  agentWidgetSettings as policyTable,
  widgetSettings as settingsTable,
} from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { whySettingsUnchanged } from "../../kernel/http/if-match.ts";
import { tagAnswer } from "../../kernel/http/respond.ts";
import { serve } from "../../kernel/http/serve.ts";
import { invalidateConfig } from "./config-cache.ts";
import { mountKeyRoutes } from "./keys-routes.ts";
import * as settingsContract from "./settings-contract.ts";
import { updatePolicy } from "./update-policy.ts";
import { mountVisitorRoutes } from "./visitor-routes.ts";

export const widget = new OpenAPIHono<AppEnv>();

mountKeyRoutes(widget);

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
    subject(store.reviseIfOther(settingsTable, body, { updated_at }, all(), ifMatch)),
    store.select(keyTable, { columns: ["hash"] }),
  );
  if (!row) throw await whySettingsUnchanged(store, settingsTable, undefined, "widget settings");
  await invalidateConfig(keys);
  await tagAnswer(c, widgetSettings, row);
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
