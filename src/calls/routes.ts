import { OpenAPIHono } from "@hono/zod-openapi";
import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { CallStatus } from "../carriers/call-status.ts";
import { calls as callTable } from "../db/schema/index.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import * as contract from "./contract.ts";
import { heldOn, heldOnCall } from "./conversation-of.ts";
import { recordedEndReason } from "./end-reason.ts";
import { hangUpCall } from "./hang-up.ts";
import { originateCall, shownMetadata } from "./originate-call.ts";
import { takeWebhook } from "./take-webhook.ts";
import { documentResponse, genuine, providerNamed, verifiedEvents } from "./webhook.ts";

export const calls = new OpenAPIHono<AppEnv>();

type CallRow = typeof callTable.$inferSelect;

serve(calls, contract.originateCall, ({ env, store, body, now }) => originateCall({ env, store, now }, body));

serve(calls, contract.listCalls, async ({ store, query }) => {
  const { agent_id, campaign_id, status, since, until, limit, offset } = query;
  const where = and(
    agent_id === undefined ? undefined : eq(callTable.agent_id, agent_id),
    campaign_id === undefined ? undefined : eq(callTable.campaign_id, campaign_id),
    status === undefined ? undefined : eq(callTable.status, status),
    since === undefined ? undefined : gte(callTable.created_at, since),
    until === undefined ? undefined : lt(callTable.created_at, until),
  );
  const orderBy = [desc(callTable.created_at), desc(callTable.id)];
  const listed = sql`(SELECT ${callTable.id} FROM ${callTable} WHERE ${and(eq(callTable.account, store.account), where)}
    ORDER BY ${sql.join(orderBy, sql`, `)} LIMIT ${limit} OFFSET ${offset})`;
  const [rows, total, held] = await store.read(
    store.select(callTable, { where, orderBy, limit, offset }),
    store.count(callTable, where),
    heldOn(store, listed),
  );
  const conversations = new Map(held.map(({ id, call_id }) => [call_id, id]));
  return { calls: rows.map((row) => view(row, conversations.get(row.id))), total, limit, offset };
});

serve(calls, contract.getCall, async ({ store, params: { id } }) => {
  const [row, [held]] = await store.read(
    store.first(callTable, { where: eq(callTable.id, id) }),
    heldOnCall(store, id),
  );
  if (!row) throw notFound("call");
  return view(row, held?.id);
});

serve(calls, contract.hangUpCall, async ({ env, store, params, now }) => {
  const row = await hangUpCall({ env, store, now }, params.id);
  const [[held]] = await store.read(heldOnCall(store, row.id));
  return view(row, held?.id);
});

serve(calls, contract.callWebhook, async ({ c, env, params, query, now }) => {
  const { account, call_id } = params;
  const provider = providerNamed(params.provider);
  const lookUps = c.get("lookUps");
  const author = { actor: `carrier:${provider}`, request_id: c.get("requestId") };
  const store = c.get("openStore")(account, author);
  const { campaign = null, credentials = null, transfer = null } = query;
  const target = { provider, account, call_id, campaign, credentials, transfer };
  const verified = await genuine(c, target, (webhook) => verifiedEvents(env, lookUps, target, webhook));
  const document = await takeWebhook({ env, store, now }, target, verified);
  if (document) return documentResponse(document);
});

function view({ id, ...row }: CallRow, conversation_id: string | null = null) {
  const { connected_at, ended_at } = row;
  const end_reason = recordedEndReason(row);
  const duration_ms = connected_at && ended_at ? Date.parse(ended_at) - Date.parse(connected_at) : null;
  const metadata = shownMetadata(row);
  return {
    ...row,
    call_id: id,
    status: row.status as CallStatus,
    duration_ms,
    end_reason,
    conversation_id,
    metadata,
  };
}
