import { OpenAPIHono } from "@hono/zod-openapi";
import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { takeCallEvent } from "../calls/call-events.ts";
import { mediaSession } from "../calls/place-call.ts";
import { addressOf, MAX_WEBHOOK_BYTES, readable } from "../calls/webhook.ts";
import { type CallStatus, isTerminal } from "../carriers/call-status.ts";
import {
  type CallEvent,
  type Carrier,
  CarrierRefusal,
  CarrierUncertain,
  ForgedWebhook,
  type Inbound,
  type InboundCall,
  PROVIDERS,
  type Provider,
  type Webhook,
} from "../carriers/carrier.ts";
import { carrierKind } from "../carriers/index.ts";
import { noRuntime } from "../carriers/no-runtime.ts";
import { type AccountStore, UniqueViolation } from "../db/account-store.ts";
import { agents, calls, phoneNumbers, telephonyProviders } from "../db/schema/index.ts";
import { accountGate, recordingInbox } from "../durable/objects.ts";
import { readBytes } from "../http/body.ts";
import type { AppEnv, Bindings } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import { ACCOUNT_NAME } from "../secrets/api-key.ts";
import { connectCarrier } from "../telephony/line.ts";
import { inboundCall } from "./contract.ts";
import { type Refusal, SORRY, whoAnswers } from "./decision.ts";

export const inbound = new OpenAPIHono<AppEnv>();

/** What somebody's credentials have vouched for: a call, or where it is null, events of one. */
interface Vouched {
  carrier: Carrier;
  inbound: Inbound;
  call: InboundCall | null;
  credentials_id: string | null;
}

serve(inbound, inboundCall, async ({ c, env, params, now }) => {
  const { account } = params;
  const provider = PROVIDERS.find((name) => name === params.provider && carrierKind(name));
  if (!provider) throw notFound("carrier");
  if (!ACCOUNT_NAME.test(account)) throw notFound("account");
  const author = { actor: `carrier:${provider}`, request_id: c.get("requestId") };
  const store = c.get("lookUps").carrierStore(account, author, "of a new call");
  const webhook = {
    method: c.req.method,
    url: addressOf(env, c.req.url),
    headers: c.req.raw.headers,
    body: new TextDecoder().decode(await readBytes(c.req.raw, MAX_WEBHOOK_BYTES)),
  };
  const { carrier, inbound, call, credentials_id } = await readable(() => vouch(env, store, provider, webhook));
  if (!call) {
    await takeEvents(
      env,
      store,
      { provider, credentials_id },
      await readable(() => carrier.parseWebhook(webhook)),
      now,
    );
    return c.body(null, 204);
  }
  const { origin } = new URL(c.req.url);
  if (noRuntime(env, provider, origin)) return document(await inbound.reject(call, SORRY.no_agent));
  const answer = await admit(env, store, { provider, credentials_id }, call, now);
  if ("refusal" in answer) return document(await inbound.reject(call, SORRY[answer.refusal]));
  const { from_number, to_number } = call;
  const order = { account, ...answer, campaign_id: null, from_number, to_number, origin, credentials_id };
  try {
    return document(await inbound.connect(call, await mediaSession(env, provider, order, now)));
  } catch (error) {
    if (!(error instanceof CarrierRefusal || error instanceof CarrierUncertain)) throw error;
    await takeCallEvent(env, store, answer.call_id, NOT_CONNECTED, now);
    return document(await inbound.reject(call, SORRY.no_agent));
  }
});

const NOT_CONNECTED: CallEvent = {
  provider_call_id: null,
  status: "failed",
  answered_by: null,
  reason: "not_connected",
  recording: null,
};

/** Takes in what a carrier tells of its calls at the one address it knows, by its own ids for them. */
async function takeEvents(
  env: Bindings,
  store: AccountStore,
  by: { provider: Provider; credentials_id: string | null },
  events: CallEvent[],
  now: number,
) {
  for (const event of events) {
    const [[known]] = await store.read(
      store.select(calls, { where: inboundIs(by.provider, event.provider_call_id ?? "") }),
    );
    if (!known) throw notFound("call");
    await takeCallEvent(env, store, known.id, event, now);
    const { id: call_id, agent_id, campaign_id } = known;
    const { recording } = event;
    if (recording)
      await recordingInbox(env, store.account).take({ ...by, call_id, agent_id, campaign_id }, [recording]);
  }
}

/** The call that came in under the carrier's id. The literal lets SQLite use the partial index. */
function inboundIs(provider: Provider, providerCallId: string): SQL | undefined {
  return and(eq(calls.provider, provider), eq(calls.provider_call_id, providerCallId), sql`direction = 'inbound'`);
}

/**
 * The call, by whichever of the account's credentials the signature is good for. Deleted ones, which come last, vouch
 * for events of calls that still go by them, and for no new call. @throws ForgedWebhook
 */
async function vouch(env: Bindings, store: AccountStore, provider: Provider, webhook: Webhook): Promise<Vouched> {
  const [sealed] = await store.read(
    store.select(telephonyProviders, {
      where: eq(telephonyProviders.provider, provider),
      orderBy: [asc(telephonyProviders.deleted_at)],
    }),
  );
  for (const credentials of provider === "sandbox" ? [undefined] : sealed) {
    const carrier = await connectCarrier(env, store.account, provider, credentials);
    const { inbound } = carrier;
    if (!inbound) throw notFound("carrier");
    try {
      const call = await inbound.parse(webhook);
      if (call && credentials?.deleted_at) throw new ForgedWebhook("the credentials were deleted");
      return { carrier, inbound, call, credentials_id: credentials?.id ?? null };
    } catch (error) {
      if (!(error instanceof ForgedWebhook)) throw error;
    }
  }
  throw new ForgedWebhook("signature");
}

/** Puts the call on record and counts it, or says why it is turned away. */
async function admit(
  env: Bindings,
  store: AccountStore,
  by: { provider: Provider; credentials_id: string | null },
  { from_number, to_number, provider_call_id }: InboundCall,
  now: number,
): Promise<{ call_id: string; agent_id: string } | { refusal: Refusal }> {
  const { provider } = by;
  const pinned = sql`(SELECT agent_id FROM phone_numbers WHERE account = ${store.account} AND e164 = ${to_number})`;
  const again = inboundIs(provider, provider_call_id);
  const [[number], [agent], [known]] = await store.read(
    store.select(phoneNumbers, { where: eq(phoneNumbers.e164, to_number) }),
    store.select(agents, { where: inArray(agents.id, pinned), columns: ["id", "status"] }),
    store.select(calls, { where: again }),
  );
  const answer = whoAnswers(number, agent, by);
  if ("refusal" in answer) return answer;
  const { agent_id } = answer;
  if (known) {
    return isTerminal(known.status as CallStatus)
      ? { refusal: "no_agent" }
      : { call_id: known.id, agent_id: known.agent_id };
  }

  const call_id = uuidv7({ msecs: now });
  const gate = accountGate(env, store.account);
  // The carrier picks up as soon as it has the document, so the lease lasts as long as a call may.
  const { refusal } = await gate.lease(call_id, "answered");
  if (refusal) return { refusal: "at_capacity" };
  const at = new Date(now).toISOString();
  try {
    await store.record(
      store.insert(calls, {
        id: call_id,
        direction: "inbound",
        status: "in-progress",
        agent_id,
        from_number,
        to_number,
        provider,
        credentials_id: number?.credentials_id ?? null,
        provider_call_id,
        metadata: {},
        created_at: at,
        started_at: at,
        connected_at: at,
      }),
    );
  } catch (error) {
    await gate.release([call_id]);
    if (!(error instanceof UniqueViolation)) throw error;
    // The carrier asked twice at once; the other request has put the call on record.
    const [[first]] = await store.read(store.select(calls, { where: again }));
    return first ? { call_id: first.id, agent_id: first.agent_id } : { refusal: "no_agent" };
  }
  return { call_id, agent_id };
}

function document({ content_type, body }: { content_type: string; body: string }): Response {
  return new Response(body, { headers: { "content-type": content_type } });
}
