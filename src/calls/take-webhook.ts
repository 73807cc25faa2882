import { eq } from "drizzle-orm";
import type { CallEvent, CarrierDocument } from "../carriers/carrier.ts";
import type { AccountStore } from "../db/account-store.ts";
import { calls } from "../db/schema/index.ts";
import { campaignObject, recordingInbox } from "../durable/objects.ts";
import type { Bindings } from "../http/context.ts";
import { ApiError, notFound } from "../http/errors.ts";
import { takeCallEvent } from "./call-events.ts";
import { speaksOf } from "./call-identity.ts";
import { mediaSession } from "./place-call.ts";
import type { VerifiedEvents, WebhookTarget } from "./webhook.ts";

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
  const call = { account, call_id, agent_id, campaign_id: campaign, credentials_id };
  return (await carrier.answer?.(webhook, () => mediaSession(env, provider, call, now))) ?? null;
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
