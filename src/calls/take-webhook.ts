import { eq } from "drizzle-orm";
import type { CallEvent, Carrier, CarrierDocument, NextOfCall, Provider } from "../carriers/carrier.ts";
import { speaksText } from "../carriers/no-runtime.ts";
import type { AccountStore } from "../db/account-store.ts";
import { agents, calls, conversations } from "../db/schema/index.ts";
import { campaignObject, conversationObject, recordingInbox } from "../durable/objects.ts";
import type { Bindings } from "../http/context.ts";
import { ApiError, notFound } from "../http/errors.ts";
import { takeCallEvent } from "./call-events.ts";
import { speaksOf } from "./call-identity.ts";
import { mediaSession, type NewCall } from "./place-call.ts";
import { SPEAKER_COLUMNS, type Speaker, ungreeted } from "./relay-settings.ts";
import type { VerifiedEvents, WebhookTarget } from "./webhook.ts";
import { transferTarget } from "./webhook-url.ts";

/** What a carrier is answered with beside the status: a document in its own words, or nothing. */
export type WebhookAnswer = Promise<CarrierDocument | null>;

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/**
 * Takes a carrier's report about a call: whether it is of this call, what it changes, and the recording it announces. It
 * may be sent again, as often as the carrier likes.
 * @throws ApiError 403 where it is of another call, 404 where there is no such call
 */
export async function takeWebhook(context: Context, target: WebhookTarget, verified: VerifiedEvents): WebhookAnswer {
  const { env, store, now } = context;
  const { provider, account, call_id, campaign } = target;
  const { carrier, credentials_id, events, webhook } = verified;
  const agent_id =
    (campaign && (await takeInCampaign(env, account, campaign, call_id, credentials_id, events))) ??
    (await takeOnRecord(env, store, call_id, events, now));
  const recorded = { provider, credentials_id, call_id, agent_id, campaign_id: campaign };
  const ready = events.flatMap(({ recording }) => recording ?? []);
  if (ready.length > 0) await recordingInbox(env, account).take(recorded, ready);
  if (target.transfer !== null) return transferInstructions(env, target, target.transfer, carrier, now);
  const call = { account, call_id, agent_id, campaign_id: campaign, credentials_id };
  return (await carrier.answer?.(webhook, () => nextOf(context, provider, call))) ?? null;
}

/** What becomes of a call whose carrier asks. */
async function nextOf(
  { env, store, now }: Context,
  provider: Provider,
  call: Omit<NewCall, "from_number" | "to_number">,
): Promise<NextOfCall> {
  if (!speaksText(env, provider)) return mediaSession(env, provider, call, null, now);
  const conversation = conversationObject(env, store.account, call.call_id);
  // What an agent was when its conversation began holds for all of it, also where it has been changed or deleted since.
  const found = (await conversation.whereCallerIs()) ?? (await speakerOnRecord(store, call));
  return typeof found === "string" ? found : mediaSession(env, provider, call, ungreeted(found), now);
}

/** Who is to speak on a call of which no conversation is known to be live; "over" where it has had one, or has no agent. */
async function speakerOnRecord(
  store: AccountStore,
  { call_id, agent_id }: Pick<NewCall, "call_id" | "agent_id">,
): Promise<Speaker | "over"> {
  const [agent, conversation] = await store.read(
    store.first(agents, { where: eq(agents.id, agent_id), columns: [...SPEAKER_COLUMNS] }),
    store.first(conversations, { where: eq(conversations.session_key, call_id), columns: ["status"] }),
  );
  return !agent || conversation?.status === "ended" ? "over" : agent;
}

/** The way to where this call is handed over to, as it was ordered here. @throws ApiError 403 */
async function transferInstructions(
  env: Bindings,
  call: WebhookTarget,
  token: string,
  carrier: Carrier,
  now: number,
): WebhookAnswer {
  const target = await transferTarget(env, call, token, now);
  if (!target) throw new ApiError(403, "transfer_not_ordered", "the call was not handed over to anybody just now");
  return carrier.instructTransfer?.(target) ?? null;
}

/** Events of a campaign's call; gives its agent, null where the campaign knows no such call because it was deleted. */
async function takeInCampaign(
  env: Bindings,
  account: string,
  campaign: string,
  callId: string,
  credentialsId: string | null,
  events: CallEvent[],
): Promise<string | null> {
  const taken = await campaignObject(env, account, campaign).callEvents(callId, credentialsId, events);
  if (taken === "another_call") throw anotherCall();
  return taken?.agent_id ?? null;
}

async function takeOnRecord(
  env: Bindings,
  store: AccountStore,
  callId: string,
  events: CallEvent[],
  now: number,
): Promise<string> {
  const [row] = await store.read(store.first(calls, { where: eq(calls.id, callId) }));
  if (!row) throw notFound("call");
  if (!events.every((event) => speaksOf(row.provider_call_id, event))) throw anotherCall();
  for (const event of events) await takeCallEvent(env, store, callId, event, now);
  return row.agent_id;
}

const anotherCall = () => new ApiError(403, "another_call", "the report is signed, but it is of another call");
