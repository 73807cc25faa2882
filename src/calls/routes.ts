import { OpenAPIHono } from "@hono/zod-openapi";
import { and, desc, eq } from "drizzle-orm";
import type { CallStatus } from "../carriers/call-status.ts";
import type { AccountStore } from "../db/account-store.ts";
import { calls as callTable } from "../db/schema/index.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import * as contract from "./contract.ts";
import { recordedEndReason } from "./end-reason.ts";
import { hangUpCall } from "./hang-up.ts";
import { originateCall } from "./originate-call.ts";
import { takeWebhook } from "./take-webhook.ts";
import { documentResponse, genuine, providerNamed, verifiedEvents } from "./webhook.ts";

export const calls = new OpenAPIHono<AppEnv>();

type CallRow = typeof callTable.$inferSelect;

serve(calls, contract.originateCall, ({ env, store, body, now }) => originateCall({ env, store, now }, body));

serve(calls, contract.listCalls, async ({ store, query }) => {
  const { agent_id, campaign_id, status, limit, offset } = query;
  const where = and(
    agent_id === undefined ? undefined : eq(callTable.agent_id, agent_id),
    campaign_id === undefined ? undefined : eq(callTable.campaign_id, campaign_id),
    status === undefined ? undefined : eq(callTable.status, status),
  );
  const [rows, total] = await store.read(
    store.select(callTable, { where, orderBy: [desc(callTable.created_at), desc(callTable.id)], limit, offset }),
    store.count(callTable, where),
  );
  return { calls: rows.map(view), total, limit, offset };
});

serve(calls, contract.getCall, async ({ store, params }) => view(await findCall(store, params.id)));

serve(calls, contract.hangUpCall, async ({ env, store, params, now }) =>
  view(await hangUpCall({ env, store, now }, params.id)),
);

serve(calls, contract.callWebhook, async ({ c, env, params, query, now }) => {
  const { account, call_id } = params;
  const provider = providerNamed(params.provider);
  const lookUps = c.get("lookUps");
  const author = { actor: `carrier:${provider}`, request_id: c.get("requestId") };
  const store = c.get("openStore")(account, author);
  const { campaign = null, credentials = null } = query;
  const target = { provider, account, call_id, campaign, credentials };
  const verified = await genuine(c, target, (webhook) => verifiedEvents(env, lookUps, target, webhook));
  const document = await takeWebhook({ env, store, now }, target, verified);
  if (document) return documentResponse(document);
});

function view({ id, ...row }: CallRow) {
  const { connected_at, ended_at } = row;
  const end_reason = recordedEndReason(row);
  const duration_ms = connected_at && ended_at ? Date.parse(ended_at) - Date.parse(connected_at) : null;
  return { ...row, call_id: id, status: row.status as CallStatus, duration_ms, end_reason };
}

async function findCall(store: AccountStore, id: string): Promise<CallRow> {
  const [row] = await store.read(store.first(callTable, { where: eq(callTable.id, id) }));
  if (!row) throw notFound("call");
  return row;
}
