import type { AccountStore } from "../../kernel/db/account-store.ts";
import { calls } from "../../kernel/db/schema/index.ts";
import { recordingInbox } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { takeCallEvent } from "../calls/call-events.ts";
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
import { admitCall, type By, inboundIs } from "./admit-call.ts";
import { SORRY, type TurnedAway } from "./decision.ts";
import type { Vouched } from "./vouch.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/**
 * Answers a carrier that has a call for one of the account's numbers, in its own words: connect it to an agent, or turn
 * it away. Null where it was events of a call announced before.
 * @throws ApiError 404 where there is no such call
 */
export async function answerCall(
  context: Context,
  provider: Provider,
  { carrier, inbound, call, credentials_id, webhook }: Vouched,
): Promise<CarrierDocument | null> {
  const by = { provider, credentials_id };
  if (call) return answerNewCall(context, by, inbound, call);
  await takeEvents(context, by, await readable(() => carrier.parseWebhook(webhook)));
  return null;
}

async function answerNewCall(context: Context, by: By, inbound: Inbound, call: InboundCall): Promise<CarrierDocument> {
  const answer = await connectCall(context, by, inbound, call);
  return "refusal" in answer ? inbound.reject(call, SORRY[answer.refusal]) : answer.document;
}

/** Puts a call through to the agent its number is pinned to, on record and counted, or says why it is turned away. */
export async function connectCall(
  context: Context,
  by: By,
  inbound: Inbound,
  call: InboundCall,
): Promise<{ call_id: string; agent_id: string; recorded: boolean; document: CarrierDocument } | TurnedAway> {
  const { env, store, now } = context;
  const { provider, credentials_id } = by;
  const answer = await admitCall(context, by, call);
  if ("refusal" in answer) return answer;
  const { call_id, agent_id, relay, recording } = answer;
  const order = { account: store.account, call_id, agent_id, campaign_id: null, credentials_id, recording };
  try {
    const document = await inbound.connect(call, await mediaSession({ env, now }, { provider, call: order, relay }));
    return { call_id, agent_id, recorded: recording !== null, document };
  } catch (error) {
    if (!(error instanceof CarrierRefusal || error instanceof CarrierUncertain)) throw error;
    await takeCallEvent(env, store, call_id, NOT_CONNECTED, now);
    return { refusal: "not_connected" };
  }
}

const NOT_CONNECTED: CallEvent = {
  provider_call_id: null,
  status: "failed",
  answered_by: null,
  reason: "not_connected",
  recording: null,
};

/** Takes in what a carrier tells of its calls at the one address it knows, by its own ids for them. */
async function takeEvents({ env, store, now }: Context, by: By, events: CallEvent[]): Promise<void> {
  for (const event of events) {
    const [known] = await store.read(
      store.first(calls, { where: inboundIs(by.provider, event.provider_call_id ?? "") }),
    );
    if (!known) throw notFound("call");
    await takeCallEvent(env, store, known.id, event, now);
    const { id: call_id, agent_id, campaign_id } = known;
    const { recording } = event;
    if (recording)
      await recordingInbox(env, store.account).take({ ...by, call_id, agent_id, campaign_id }, [recording]);
  }
}
