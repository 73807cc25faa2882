import { OpenAPIHono } from "@hono/zod-openapi";
import { accountEvents } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/serve.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { tellLedger } from "../../records/ledger/tell-retention.ts";
import * as contract from "./contract.ts";
import { readPrivacy, updatePrivacy } from "./privacy.ts";

export const privacy = new OpenAPIHono<AppEnv>();

serve(privacy, contract.getPrivacy, ({ store }) => readPrivacy(store));

serve(privacy, contract.updatePrivacy, async ({ env, store, body, now }) => {
  const settings = await updatePrivacy(store, body);
  const { conversations_days, recordings_days, calls_days } = body;
  const told = [conversations_days, recordings_days, calls_days];
  if (told.some((days) => days !== undefined)) await tellLedger({ env, store }, now);
  // Sent even if nothing changes, because an earlier message may have been lost.
  if (body.events_days !== undefined) await accountEvents(env, store.account).retentionChanged();
  if (body.audit_days !== undefined) await new Ledger({ env, store }).auditDaysChanged();
  return settings;
});
