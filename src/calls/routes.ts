import { OpenAPIHono } from "@hono/zod-openapi";
import { and, desc, eq } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import type { CallStatus } from "../carriers/call-status.ts";
import { type CallEvent, PROVIDERS } from "../carriers/carrier.ts";
import { carrierKind } from "../carriers/index.ts";
import { noRuntime } from "../carriers/no-runtime.ts";
import type { AccountStore } from "../db/account-store.ts";
import { agents, calls as callTable } from "../db/schema/index.ts";
import { blockedRead } from "../do-not-call/blocked.ts";
import { accountGate } from "../durable/objects.ts";
import { readBytes } from "../http/body.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { conflict, invalid, notFound, tooMany } from "../http/errors.ts";
import { lineFrom, lineReads } from "../telephony/line.ts";
import { takeCallEvent } from "./call-events.ts";
import * as contract from "./contract.ts";
import { recordedEndReason } from "./end-reason.ts";
import { hangUpCall } from "./hang-up.ts";
import { placeOnRecord } from "./originate.ts";
import { takeWebhook } from "./take-webhook.ts";
import { addressOf, MAX_WEBHOOK_BYTES } from "./webhook.ts";

export const calls = new OpenAPIHono<AppEnv>();

type CallRow = typeof callTable.$inferSelect;

const NOT_TO_BE_CALLED: CallEvent = {
  provider_call_id: null,
  status: "failed",
  answered_by: null,
  reason: "do_not_call",
  recording: null,
};

serve(calls, contract.originateCall, async ({ c, env, store, body, now }) => {
  const { agent_id, from_number, to_number } = body;
  const [numbers, credentials, [agent], [blocked]] = await store.read(
    ...lineReads(store, from_number),
    store.select(agents, { where: eq(agents.id, agent_id), columns: ["id", "status"] }),
    blockedRead(store, [to_number]),
  );
  const line = await lineFrom(env, [numbers, credentials]);
  if (!line) throw notFound("phone number");
  if (!agent) throw notFound("agent");
  if (agent.status === "archived") throw conflict("agent_archived", "the agent is archived");
  if (!line.number.outbound_enabled)
    throw invalid("from_number is not enabled for outbound calls", "outbound_disabled");
  if (blocked) throw invalid("to_number is on the do-not-call list", "do_not_call");

  const { origin } = new URL(c.req.url);
  const nowhere = noRuntime(env, line.provider, origin);
  if (nowhere) throw conflict("no_runtime", nowhere);

  const call_id = uuidv7({ msecs: now });
  const gate = accountGate(env, store.account);
  const { refusal } = await gate.lease(call_id, "ringing");
  if (refusal) throw tooMany(refusal.cap, `${refusal.cap.replaceAll("_", " ")} reached`, refusal.retryAt - Date.now());

  const at = new Date(now).toISOString();
  const row = {
    id: call_id,
    direction: "outbound" as const,
    status: "queued" as CallStatus,
    agent_id,
    campaign_id: null,
    from_number,
    to_number,
    provider: line.provider,
    credentials_id: line.number.credentials_id,
    created_at: at,
    started_at: at,
    metadata: {},
  };
  const written = store.write(
    { action: "originate", resource: "call", resource_id: call_id },
    store.insert(callTable, row),
    // The last look before the carrier is asked: the number may have been listed meanwhile.
    blockedRead(store, [to_number]),
  );
  const [, [blockedNow]] = await written.catch(async (error: unknown) => {
    await gate.refund([call_id]);
    throw error;
  });
  if (blockedNow) {
    await gate.refund([call_id]);
    await takeCallEvent(env, store, call_id, NOT_TO_BE_CALLED, now);
    throw invalid("to_number is on the do-not-call list", "do_not_call");
  }
  const { credentials_id } = line.number;
  const order = {
    account: store.account,
    call_id,
    agent_id,
    campaign_id: null,
    from_number,
    to_number,
    origin,
    credentials_id,
  };
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

serve(calls, contract.hangUpCall, async ({ env, store, params, now }) =>
  view(await hangUpCall(env, store, params.id, now)),
);

serve(calls, contract.callWebhook, async ({ c, env, params, query, now }) => {
  const { account, call_id } = params;
  const provider = PROVIDERS.find((name) => name === params.provider && carrierKind(name));
  if (!provider) throw notFound("carrier");
  const webhook = {
    method: c.req.method,
    url: addressOf(env, c.req.url),
    headers: c.req.raw.headers,
    body: new TextDecoder().decode(await readBytes(c.req.raw, MAX_WEBHOOK_BYTES)),
  };
  const author = { actor: `carrier:${provider}`, request_id: c.get("requestId") };
  const store = c.get("lookUps").carrierStore(account, author, "of a call");
  const context = { env, lookUps: c.get("lookUps"), store, origin: new URL(c.req.url).origin, now };
  const { campaign = null, credentials = null } = query;
  const document = await takeWebhook(context, { provider, account, call_id, campaign, credentials }, webhook);
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
