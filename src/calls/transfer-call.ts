import { type CallStatus, isTerminal } from "../carriers/call-status.ts";
import { type CallRef, type Carrier, CarrierRefusal, type Provider } from "../carriers/carrier.ts";
import type { AccountStore } from "../db/account-store.ts";
import { campaignObject } from "../durable/objects.ts";
import type { Bindings } from "../http/context.ts";
import { ApiError, conflict, invalid, notFound } from "../http/errors.ts";
import { carrierBy } from "../telephony/line.ts";
import { callReads, carrierOf } from "./call-carrier.ts";
import { callRef } from "./call-ref.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/** A call that somebody wants handed over. */
interface Transferable {
  ref: CallRef;
  provider: string;
  over: boolean;
  /** The account's own number on the call. */
  ownNumber: string;
  /** Null where the credentials it goes by are gone. */
  carrier: Carrier | null;
}

const callOver = () => conflict("call_over", "the call is over");

/**
 * Hands the caller of a call over to a number, by the call's carrier; the call goes on without its agent. Who knows the
 * campaign that the call is of can name it: the call may not be listed yet. The number is no callee of an agent's, so
 * the do-not-call list does not speak of it. @throws ApiError with what is in the way, or the carrier's reason
 */
export async function transferCall(
  { env, store }: Context,
  callId: string,
  toNumber: string,
  campaignId: string | null = null,
): Promise<void> {
  const { ref, provider, over, ownNumber, carrier } = await transferable(env, store, callId, campaignId);
  if ([ref.from_number, ref.to_number].includes(toNumber)) {
    throw invalid("to_number is on the call already", "already_on_call");
  }
  if (over) throw callOver();
  if (!carrier) throw conflict("credentials_gone", "the credentials this call goes by are gone");
  if (!carrier.transfer) throw conflict("transfer_unsupported", `calls by ${provider} cannot be handed over`);
  // Its report that somebody picked up may be late or lost.
  const status = ref.connected ? "in-progress" : await statusAt(carrier, ref);
  if (status !== null && isTerminal(status)) throw callOver();
  if (status !== null && status !== "in-progress") throw conflict("call_not_answered", "nobody has picked up yet");
  await store.note({ action: "transfer", resource: "call", resource_id: callId });
  try {
    await carrier.transfer(ref, toNumber, ownNumber);
  } catch (error) {
    throw await notTransferred(error, carrier, ref);
  }
}

/** The call as its campaign knows it, which is ahead of what is listed, else as it is listed. @throws ApiError 404 */
async function transferable(
  env: Bindings,
  store: AccountStore,
  callId: string,
  campaignId: string | null,
): Promise<Transferable> {
  const [call, credentials] = await store.read(...callReads(store, callId));
  const campaign = call ? call.campaign_id : campaignId;
  const line = campaign === null ? null : await campaignObject(env, store.account, campaign).lineOf(callId);
  if (call) {
    const { ref, over } = line ?? { ref: callRef(call), over: isTerminal(call.status as CallStatus) };
    const ownNumber = call.direction === "inbound" ? call.to_number : call.from_number;
    return { ref, provider: call.provider, over, ownNumber, carrier: await carrierOf(env, call, credentials) };
  }
  if (!line) throw notFound("call");
  const { ref, provider, credentials_id, over } = line;
  const carrier = await carrierBy(env, store, provider as Provider, credentials_id);
  return { ref, provider, over, ownNumber: ref.from_number, carrier };
}

/** What the carrier says of the call; null where it says nothing. */
async function statusAt(carrier: Carrier, ref: CallRef): Promise<CallStatus | null> {
  const event = await carrier.lookup(ref).catch(() => null);
  return event?.status ?? null;
}

/** What a transfer that failed is answered with: callers hang up while they are being handed over. */
async function notTransferred(error: unknown, carrier: Carrier, ref: CallRef): Promise<ApiError> {
  if (!(error instanceof CarrierRefusal)) {
    return new ApiError(500, "carrier_unknown", "the carrier did not say whether it handed the call over");
  }
  const status = error.reason === "rejected" ? await statusAt(carrier, ref) : null;
  if (status !== null && isTerminal(status)) return callOver();
  return new ApiError(500, `carrier_${error.reason}`, error.message);
}
