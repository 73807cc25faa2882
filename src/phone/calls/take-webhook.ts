import { eq } from "drizzle-orm";
import { inForce } from "../../agent/versions/in-force.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents, callSettings } from "../../kernel/db/schema/index.ts";
import { conversationObject, recordingInbox } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { ApiError, notFound } from "../../kernel/http/errors.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { type CallSettings, DEFAULT_CALL_SETTINGS } from "../call-settings/settings.ts";
import type { Carrier, CarrierDocument, Next, NextOfCall, Provider, SpokenMessage } from "../carriers/carrier.ts";
import { speaksText } from "../carriers/no-runtime.ts";
import type { ReportedCall } from "./call-report.ts";
import { callOwner } from "./live/call-owner.ts";
import { mediaSession, type RunningCall } from "./place-call.ts";
import { recordingOf } from "./recording-choice.ts";
import { NO_SPEAKER, SPEAKER_COLUMNS, type Speaker, ungreeted } from "./relay-settings.ts";
import type { VerifiedEvents, WebhookTarget } from "./webhook.ts";
import { transferTarget } from "./webhook-url.ts";

/** The body of the response to a carrier: a document in its own format, or nothing. */
export type WebhookAnswer = Promise<CarrierDocument | null>;

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/**
 * Applies a carrier's report after checking that it is about this call: the changes of the call and the recording that it
 * announces. The carrier may send a report repeatedly.
 * @throws ApiError 403 if it is for another call, 404 if there is no such call
 */
export async function takeWebhook(context: Context, target: WebhookTarget, verified: VerifiedEvents): WebhookAnswer {
  const { env, now } = context;
  const { provider, account, call_id, campaign } = target;
  const { carrier, credentials_id, events, webhook } = verified;
  const report = { callId: call_id, credentialsId: credentials_id, events };
  const owner = callOwner(context, campaign);
  const taken = await owner.take(report, carrier);
  if (taken === null) throw notFound("call");
  if (taken === "another_call")
    throw new ApiError(403, "another_call", "the report is signed, but it is about another call");
  const { agent_id, disclosure, recorded, pinned_version, leaving_message } = taken;
  const ready = events.flatMap(({ recording }) => recording ?? []);
  if (ready.length > 0) {
    const announced = { provider, credentials_id, call_id, agent_id, campaign_id: campaign };
    await recordingInbox(env, account).take(announced, ready);
  }
  if (target.transfer !== null) return transferInstructions(env, target, target.transfer, carrier, now);
  const message = () => owner.message(call_id);
  if (target.message) return messageInstructions(await message(), carrier);
  const of = { account, call_id, agent_id, campaign_id: campaign, credentials_id };
  const call = Object.assign(of, { disclosure, recorded, pinned_version });
  const next: Next = async (begins) =>
    leaving_message ? "leaving_message" : nextOf(context, provider, call, begins === "unspoken");
  return (await carrier.answer?.(webhook, next, message)) ?? null;
}

/** Returns what the carrier must say to the machine that answered the call. @throws ApiError 403 */
async function messageInstructions(message: SpokenMessage | null, carrier: Carrier): WebhookAnswer {
  if (message === null) throw new ApiError(403, "message_not_asked", "this call has no message to leave");
  return carrier.instructMessage?.(message) ?? null;
}

type FoundCall = Omit<RunningCall, "recording"> & Pick<ReportedCall, "recorded" | "pinned_version">;

/** Returns what happens next on a call whose carrier asks for instructions. */
async function nextOf(
  { env, store, now }: Context,
  provider: Provider,
  call: FoundCall,
  isUnspoken: boolean,
): Promise<NextOfCall> {
  const session = (speaker: Speaker, settings: CallSettings, disclosure = call.disclosure) =>
    mediaSession(
      { env, now },
      {
        provider,
        call: { ...call, disclosure, recording: recordingOf(call.recorded, settings) },
        relay: ungreeted(speaker),
        isUnspoken,
      },
    );
  if (!speaksText(env, provider)) {
    const [agent, settings = DEFAULT_CALL_SETTINGS] = await store.read(...speakerReads(store, call));
    return session(agent ?? NO_SPEAKER, settings);
  }
  // The agent's state at the beginning of its conversation applies, even if the agent was changed or deleted since.
  const current = await conversationObject(env, store.account, call.call_id).whereCallerIs();
  if (typeof current === "string") return current;
  // A caller who has talked to the agent has already heard the first texts.
  if (current) return session(current, DEFAULT_CALL_SETTINGS, null);
  const found = await speakerOnRecord({ env, store }, call);
  return found === "over" ? found : session(found.agent, found.settings);
}

/** Returns the agent of a call without a live conversation; "over" if its conversation has ended or it has no agent. */
async function speakerOnRecord(
  { env, store }: Omit<Context, "now">,
  { call_id, agent_id, pinned_version }: Pick<FoundCall, "call_id" | "agent_id" | "pinned_version">,
): Promise<{ agent: Speaker; settings: CallSettings } | "over"> {
  const [[agent, settings = DEFAULT_CALL_SETTINGS], conversation] = await Promise.all([
    store.read(...speakerReads(store, { agent_id, pinned_version })),
    new Ledger({ env, store }).lastOfSession(call_id),
  ]);
  return !agent || conversation?.status === "ended" ? "over" : { agent, settings };
}

/** Returns the reads of the agent's speech settings and the account's settings, for one round trip. */
function speakerReads(
  store: AccountStore,
  { agent_id, pinned_version }: Pick<FoundCall, "agent_id" | "pinned_version">,
) {
  return [inForce(store, eq(agents.id, agent_id), SPEAKER_COLUMNS, pinned_version), store.first(callSettings)] as const;
}

/** Returns the instructions for a transfer that this service ordered. @throws ApiError 403 */
async function transferInstructions(
  env: Bindings,
  call: WebhookTarget,
  token: string,
  carrier: Carrier,
  now: number,
): WebhookAnswer {
  const target = await transferTarget(env, call, token, now);
  if (!target) throw new ApiError(403, "transfer_not_ordered", "the call is not being transferred");
  return carrier.instructTransfer?.(target) ?? null;
}
