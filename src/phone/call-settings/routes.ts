import { OpenAPIHono } from "@hono/zod-openapi";
import { is, or, SQL, sql } from "drizzle-orm";
import { subject } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { mergedJson } from "../../kernel/db/merged-json.ts";
import { OF_DEFAULTS } from "../../kernel/db/revision.ts";
import { callSettings as settingsTable } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { whySettingsUnchanged } from "../../kernel/http/if-match.ts";
import { serve } from "../../kernel/http/serve.ts";
import { tellLedger } from "../../records/ledger/tell-retention.ts";
import * as contract from "./contract.ts";
import { DEFAULT_CALL_SETTINGS } from "./settings.ts";

export const callSettings = new OpenAPIHono<AppEnv>();

const DEFAULTS = { ...DEFAULT_CALL_SETTINGS, revision: OF_DEFAULTS };

serve(callSettings, contract.getCallSettings, async ({ store }) => {
  const [row] = await store.read(store.first(settingsTable));
  return row ?? DEFAULTS;
});

serve(callSettings, contract.updateCallSettings, async ({ env, store, body, ifMatch, now }) => {
  const { disclosure, ...columns } = body;
  const set: Parameters<typeof store.revise<typeof settingsTable>>[1] = { ...columns };
  if (disclosure !== undefined) set.disclosure = mergedJson(settingsTable.disclosure, disclosure);
  const changes = changedColumns(settingsTable, set);
  // Writing the current values changes nothing and emits no event.
  const differs = or(...Object.values(changes).filter((change) => is(change, SQL))) ?? sql`false`;
  const [, [changed], row = DEFAULTS] = await store.write(
    { action: "update", resource: "call_settings", resource_id: store.account, changes },
    store.insertDefaults(settingsTable, DEFAULTS, ifMatch),
    subject(store.revise(settingsTable, set, differs, ifMatch)),
    store.first(settingsTable),
    ...(body.retention_days === undefined ? [] : [store.retentionDue()]),
  );
  if (!changed && ifMatch !== null && row.revision !== ifMatch)
    throw await whySettingsUnchanged(store, settingsTable, undefined, "call settings");
  if (body.retention_days !== undefined) await tellLedger({ env, store }, now);
  return row;
});
