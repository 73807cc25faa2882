import { OpenAPIHono } from "@hono/zod-openapi";
import { and, desc, eq, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { PROVIDERS } from "../carriers/carrier.ts";
import { carrierKind } from "../carriers/index.ts";
import { AccountStore } from "../db/account-store.ts";
import { agents, calls as callTable } from "../db/schema/index.ts";
import { blockedRead } from "../do-not-call/blocked.ts";
import { readBytes } from "../http/body.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { conflict, invalid, notFound, tooMany } from "../http/errors.ts";
import { lineFrom, lineReads } from "../telephony/line.ts";
import { callReads, carrierOf } from "./call-carrier.ts";
import { takeCallEvent } from "./call-events.ts";
import { callRef } from "./call-ref.ts";
import * as contract from "./contract.ts";
import { recordedEndReason } from "./end-reason.ts";
import { hangUp, placeOnRecord } from "./originate.ts";
import { callLimits, mediaSession } from "./place-call.ts";
import { type CallStatus, isTerminal } from "./status.ts";
import { addressOf, MAX_WEBHOOK, verifiedEvents } from "./webhook.ts";

export const calls = new OpenAPIHono<AppEnv>();

type CallRow = typeof callTable.$inferSelect;

serve(calls, contract.originateCall, async ({ c, env, store, body, now }) => {
  const { agent_id, from_number, to_number } = body;
  const [numbers, credentials, [agent], [blocked]] = await store.read(
    ...lineReads(store, from_number),
    store.select(agents, { where: eq(agents.id, agent_id), columns: ["id"] }),
    blockedRead(store, [to_number]),
  );
  const line = await lineFrom(env, [numbers, credentials]);
  if (!line) throw notFound("phone number");
  if (!agent) throw notFound("agent");
  if (!line.number.outbound_enabled)
    throw invalid("from_number is not enabled for outbound calls", "outbound_disabled");
  if (blocked) throw invalid("to_number is on the do-not-call list", "do_not_call");

  const call_id = uuidv7({ msecs: now });
  const gate = env.ACCOUNT_GATE.getByName(store.account);
  const { refusal } = await gate.lease(call_id, callLimits(env).ring);
  if (refusal) throw tooMany(refusal.cap, `${refusal.cap.replaceAll("_", " ")} reached`, refusal.retryAt - Date.now());

  const at = new Date(now).toISOString();
  const row = {
    ...{ id: call_id, direction: "outbound" as const, status: "queued" as CallStatus, agent_id, campaign_id: null },
    ...{
      from_number,
      to_number,
      provider: line.provider,
      credentials_id: line.number.credentials_id,
      created_at: at,
      started_at: at,
    },
    ...{ metadata: {} },
  };
  try {
    await store.write({ action: "originate", resource: "call", resource_id: call_id }, store.insert(callTable, row));
  } catch (error) {
    await gate.release([call_id]);
    throw error;
  }
  const { origin } = new URL(c.req.url);
  const order = { account: store.account, call_id, agent_id, campaign_id: null, from_number, to_number, origin };
  const { status, provider_call_id } = await placeOnRecord(env, store, line, order, now);
  return { ...row, call_id, status, provider_call_id };
});

serve(calls, contract.listCalls, async ({ store, query }) => {
  const { agent_id, campaign_id, status, limit, offset } = query;
  const where = and(
    agent_id === undefined ? undefined : eq(callTable.agent_id, agent_id),
    campaign_id === undefined ? undefined : eq(callTable.campaign_id, campaign_id),
    status === undefined ? undefined : eq(callTable.status, status),
  );
  const [rows, [total]] = await store.read(
    store.select(callTable, { where, orderBy: [desc(callTable.created_at), desc(callTable.id)], limit, offset }),
    store.count(callTable, where),
  );
  return { calls: rows.map(view), total: total?.n ?? 0, limit, offset };
});

serve(calls, contract.getCall, async ({ store, params }) => view(await findCall(store, params.id)));

serve(calls, contract.hangUpCall, async ({ env, store, params }) => {
  const [[call], [credentials]] = await store.read(...callReads(store, params.id));
  if (!call) throw notFound("call");
  if (isTerminal(call.status as CallStatus)) throw conflict("call_over", "the call is over");
  const carrier = await carrierOf(env, call, credentials);
  if (!carrier) throw conflict("credentials_gone", "the credentials this call goes by are gone");
  await hangUp(carrier, callRef(call));
  const requested = sql`json_set(${callTable.metadata}, '$.hangup_requested', json('true'))`;
  const [[after]] = await store.write(
    { action: "hangup", resource: "call", resource_id: params.id },
    store.update(callTable, { metadata: requested }, eq(callTable.id, params.id)),
  );
  return view(after ?? call);
});

serve(calls, contract.callWebhook, async ({ c, env, params, query, now }) => {
  const { account, call_id } = params;
  const provider = PROVIDERS.find((name) => name === params.provider && carrierKind(name));
  if (!provider) throw notFound("carrier");
  const webhook = {
    method: c.req.method,
    url: addressOf(env, c.req.url),
    headers: c.req.raw.headers,
    body: new TextDecoder().decode(await readBytes(c.req.raw, MAX_WEBHOOK)),
  };
  const target = { provider, account, call_id, campaign: query.campaign ?? null };
  const { carrier, credentials_id, events } = await verifiedEvents(env, c.get("directory"), target, webhook);
  const author = { actor: `carrier:${provider}`, request_id: c.get("requestId") };
  const store = new AccountStore((c.env as Env).DB, account, author, true);
  const campaign_id = query.campaign ?? null;
  let agent_id: string | null;
  if (campaign_id !== null) {
    agent_id = await env.CAMPAIGN.getByName(`${account}/${campaign_id}`).callEvents(call_id, events);
  } else {
    ({ agent_id } = await findCall(store, call_id));
    for (const event of events) await takeCallEvent(env, store, call_id, event, now);
  }
  if (agent_id === null) return;
  const recorded = { provider, credentials_id, call_id, agent_id, campaign_id };
  const ready = events.flatMap(({ recording }) => recording ?? []);
  if (ready.length > 0) await env.RECORDING_INBOX.getByName(account).take(recorded, ready);
  const call = { account, call_id, agent_id, campaign_id, origin: new URL(c.req.url).origin };
  const document = await carrier.answer?.(webhook, () => mediaSession(env, provider, call, now));
  if (document) return new Response(document.body, { headers: { "content-type": document.content_type } });
});

function view({ id, ...row }: CallRow) {
  const { connected_at, ended_at } = row;
  const end_reason = recordedEndReason(row);
  const duration_ms = connected_at && ended_at ? Date.parse(ended_at) - Date.parse(connected_at) : null;
  return { ...row, call_id: id, status: row.status as CallStatus, duration_ms, end_reason };
}

async function findCall(store: AccountStore, id: string): Promise<CallRow> {
  const [[row]] = await store.read(store.select(callTable, { where: eq(callTable.id, id) }));
  if (!row) throw notFound("call");
  return row;
}
