import type { AccountStore } from "../../kernel/db/account-store.ts";
import { recordingInbox } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { CallRow } from "../../records/ledger/report.ts";
import { takeCallEvents } from "../calls/call-events.ts";
import { mediaSession } from "../calls/place-call.ts";
import { readable } from "../calls/webhook.ts";
import {
  type CallEvent,
  type CarrierDocument,
  CarrierRefusal,
  CarrierUncertain,
  type Inbound,
  type InboundCall,
  type Provider,
} from "../carriers/carrier.ts";
import { admitCall, type By } from "./admit-call.ts";
import { sorry, type TurnedAway } from "./decision.ts";
import type { VerifiedWebhook } from "./verify-webhook.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/**
 * Answers a carrier that announces a call for one of the account's numbers, in the carrier's own format: it connects
 * the call to an agent or rejects it. Null if the webhook contained events of a call announced earlier.
 * @throws ApiError 404 if there is no such call
 */
export async function answerCall(
  context: Context,
  provider: Provider,
  { carrier, inbound, call, credentials_id, webhook }: VerifiedWebhook,
): Promise<CarrierDocument | null> {
  const by = { provider, credentials_id };
  if (call) return answerNewCall(context, by, inbound, call);
  await takeEvents(context, by, await readable(() => carrier.parseWebhook(webhook)));
  return null;
}

async function answerNewCall(context: Context, by: By, inbound: Inbound, call: InboundCall): Promise<CarrierDocument> {
  const answer = await connectCall(context, by, inbound, call);
  return "refusal" in answer ? inbound.reject(call, sorry(answer)) : answer.document;
}

/** Connects a call to the agent of its number, recorded and counted, or rejects it with a reason. */
export async function connectCall(
  context: Context,
  by: By,
  inbound: Inbound,
  call: InboundCall,
): Promise<{ row: CallRow; document: CarrierDocument } | TurnedAway> {
  const { env, store, now } = context;
  const { provider, credentials_id } = by;
  const answer = await admitCall(context, by, call);
  if ("refusal" in answer) return answer;
  const { row, relay, recording } = answer;
  const { id: call_id, agent_id } = row;
  const { disclosure } = row;
  const order = { account: store.account, call_id, agent_id, campaign_id: null, credentials_id, disclosure, recording };
  try {
    const document = await inbound.connect(call, await mediaSession({ env, now }, { provider, call: order, relay }));
    return { row, document };
  } catch (error) {
    if (!(error instanceof CarrierRefusal || error instanceof CarrierUncertain)) throw error;
    await takeCallEvents(context, { id: call_id, events: [NOT_CONNECTED] });
    return { refusal: "not_connected", language: relay.language };
  }
}

const NOT_CONNECTED = {
  provider_call_id: null,
  status: "failed",
  answered_by: null,
  reason: "not_connected",
} satisfies Partial<CallEvent>;

/** Handles events of calls that the carrier reports at its one inbound address, by the carrier's own ids. */
async function takeEvents(context: Context, by: By, events: CallEvent[]): Promise<void> {
  const { env, store } = context;
  for (const event of events) {
    const found = await new Ledger({ env, store }).inboundCall(by.provider, event.provider_call_id ?? "");
    if (!found) throw notFound("call");
    const { id: call_id, agent_id, campaign_id } = found;
    await takeCallEvents(context, { id: call_id, events: [event] });
    const { recording } = event;
    if (recording)
      await recordingInbox(env, store.account).take(Object.assign({ call_id, agent_id, campaign_id }, by), [recording]);
  }
}
