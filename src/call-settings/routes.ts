import { OpenAPIHono } from "@hono/zod-openapi";
import { changedFields } from "../db/audit-changes.ts";
import { callSettings as settingsTable } from "../db/schema/index.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { DEFAULT_CALL_SETTINGS } from "./settings.ts";

export const callSettings = new OpenAPIHono<AppEnv>();

serve(callSettings, contract.getCallSettings, async ({ store }) => {
  const [row] = await store.read(store.first(settingsTable));
  return row ?? DEFAULT_CALL_SETTINGS;
});

serve(callSettings, contract.updateCallSettings, async ({ store, body }) => {
  const [row] = await store.read(store.first(settingsTable));
  const before = row ?? DEFAULT_CALL_SETTINGS;
  const changes = changedFields(before, body);
  if (Object.keys(changes).length === 0) return before;
  const [[after]] = await store.write(
    { action: "update", resource: "call_settings", resource_id: store.account, changes },
    store.upsert(settingsTable, { ...DEFAULT_CALL_SETTINGS, ...body }, { target: [settingsTable.account], set: body }),
  );
  return after ?? before;
});
