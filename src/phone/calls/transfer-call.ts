import { eq } from "drizzle-orm";
import { inForce } from "../../agent/versions/in-force.ts";
import { type AccountStore, assertOpen } from "../../kernel/db/account-store.ts";
import { agents, type TransferTarget } from "../../kernel/db/schema/index.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { ApiError, conflict, invalidField, notFound } from "../../kernel/http/errors.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { capReached } from "../call-limits/cap-reached.ts";
import { type CallRef, type Carrier, CarrierRefusal, type Provider } from "../carriers/carrier.ts";
import { carrierBy } from "../telephony/line.ts";
import { callRef, ownNumber } from "./call-ref.ts";
import { dialReads, dialRefusal, dialRefused } from "./dial-refusal.ts";
import { callOwner } from "./live/call-owner.ts";
import { transferUrl, webhookUrl } from "./webhook-url.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

interface Transferable {
  ref: CallRef;
  provider: Provider;
  over: boolean;
  campaign_id: string | null;
  credentials_id: string | null;
  /** The account's own number on the call. */
  caller_id: string;
  /** Null if the credentials of the call were deleted. */
  carrier: Carrier | null;
}

const callOver = () => conflict("call_over", "the call has ended");

/**
 * The agent whose transfer targets apply. Without `pin` they are the targets in force; with `pin`, the targets of that
 * version that are also in force.
 */
export interface Transferring {
  agentId: string;
  pin?: number | null;
}

export interface TransferOrder extends Transferring {
  callId: string;
  toNumber: string;
  /** Pass the call's campaign if you know it, because the call may not be listed yet. */
  campaignId?: string | null;
  /** Called right before the request to the carrier. */
  asking?: () => void;
}

/**
 * Transfers the caller to one of the agent's transfer targets through the call's carrier. The call continues without
 * its agent. The targets are read now, so the conversation can't add to them. The transferred leg counts as another
 * call until the call ends.
 * @throws ApiError with what prevents it, or the carrier's reason
 */
export async function transferCall(
  context: Context,
  { callId, agentId, pin, toNumber, campaignId = null, asking }: TransferOrder,
): Promise<void> {
  const { env, store, now } = context;
  await assertTarget({ env, store }, { agentId, pin: pin ?? null }, toNumber);
  const call = await transferable(context, callId, campaignId);
  const { ref, provider, over, caller_id, carrier } = call;
  if ([ref.from_number, ref.to_number].includes(toNumber)) {
    throw invalidField("to_number", "already_on_call", "is already on the call");
  }
  if (over) throw callOver();
  if (!carrier) throw conflict("credentials_gone", "the carrier credentials for this call were deleted");
  // The report that the call was answered may be late or lost.
  const status = ref.connected ? "in-progress" : await statusAt(carrier, ref);
  if (status !== null && isTerminal(status)) throw callOver();
  if (status !== null && status !== "in-progress")
    throw conflict("call_not_answered", "the call has not been answered yet");
  const target = { to_number: toNumber, caller_id };
  const webhook_url = await webhookUrl(env, provider, { ...call, account: store.account, call_id: callId });
  const meter = accountMeter(env, store.account);
  const { refusal } = await meter.leaseTransfer(callId);
  if (refusal) throw capReached(refusal);
  const instructionsUrl = () => transferUrl(env, webhook_url, ref, target, now);
  const act = store.act({ action: "transfer", resource: "call", resource_id: callId });
  await new Ledger({ env, store }).note(act, callId);
  asking?.();
  try {
    await carrier.transfer(ref, { ...target, webhook_url, instructionsUrl });
  } catch (error) {
    // If the carrier's answer is uncertain, the leg may exist. The call's end frees its lease.
    if (error instanceof CarrierRefusal) await meter.refundTransfer(callId);
    throw await notTransferred(error, carrier, ref);
  }
}

/** Returns the current number of the agent's target with this label. @throws ApiError 403 `not_a_target` */
export async function numberOfTarget(store: AccountStore, agent: Transferring, label: string): Promise<string> {
  const [found] = await store.read(targetsRead(store, agent));
  const target = found?.transfer_targets.find((one) => one.label === label);
  if (!target) throw notATarget(found?.transfer_targets ?? []);
  return target.number;
}

const targetsRead = (store: AccountStore, { agentId, pin = null }: Transferring) =>
  inForce(store, eq(agents.id, agentId), ["transfer_targets"], pin);

/** @throws ApiError 403 unless the agent may currently transfer callers to this number and the account may dial it */
async function assertTarget({ env, store }: Omit<Context, "now">, agent: Transferring, number: string): Promise<void> {
  const [accountStatus, held, ...found] = await store.read(
    store.accountStatus(),
    targetsRead(store, agent),
    ...dialReads(store, [number]),
  );
  assertOpen(accountStatus);
  const targets = held?.transfer_targets ?? [];
  if (!targets.some((target) => target.number === number)) throw notATarget(targets);
  const refusal = await dialRefusal({ env, store }, number, found);
  if (refusal) throw dialRefused(refusal);
}

function notATarget(targets: TransferTarget[]): ApiError {
  const labels = targets.map(({ label }) => label).join(", ");
  const message = labels === "" ? "the agent has no transfer targets" : `the agent's transfer targets are: ${labels}`;
  return new ApiError(403, "not_a_target", message);
}

/** Checks whether the call still runs at its carrier. If not, it ended without a report. */
export async function callGoesOn(
  context: Context,
  { callId, campaignId }: { callId: string; campaignId: string | null },
): Promise<boolean> {
  const { ref, carrier } = await transferable(context, callId, campaignId);
  const status = carrier && (await statusAt(carrier, ref));
  return status !== null && !isTerminal(status);
}

/** Returns the owner's state of the call, which may be newer than the record. @throws ApiError 404 */
async function transferable(context: Context, callId: string, campaignId: string | null): Promise<Transferable> {
  const { env, store } = context;
  const onRecord = await new Ledger({ env, store }).call(callId);
  const call = await callOwner(context, onRecord ? onRecord.campaign_id : campaignId).find(callId, onRecord);
  if (!call) throw notFound("call");
  const { campaign_id, credentials_id, ended_at } = call;
  const provider = call.provider as Provider;
  const ref = callRef(store.account, call);
  const carrier = await carrierBy(env, store, provider, credentials_id);
  const over = ended_at !== null;
  return { ref, provider, over, campaign_id, credentials_id, caller_id: ownNumber(call), carrier };
}

async function statusAt(carrier: Carrier, ref: CallRef): Promise<CallStatus | null> {
  const event = await carrier.lookup(ref).catch(() => null);
  return event?.status ?? null;
}

/** Returns the error of a failed transfer. The caller may have hung up during the transfer. */
async function notTransferred(error: unknown, carrier: Carrier, ref: CallRef): Promise<ApiError> {
  if (!(error instanceof CarrierRefusal)) {
    return new ApiError(500, "carrier_unknown", "the carrier did not confirm the transfer");
  }
  const status = error.reason === "rejected" ? await statusAt(carrier, ref) : null;
  if (status !== null && isTerminal(status)) return callOver();
  return new ApiError(500, `carrier_${error.reason}`, error.message);
}
