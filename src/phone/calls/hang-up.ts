import type { AccountStore } from "../../kernel/db/account-store.ts";
import { campaignObject } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { ApiError, conflict, notFound } from "../../kernel/http/errors.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { CallRow } from "../../records/ledger/report.ts";
import { CarrierRefusal, type Provider } from "../carriers/carrier.ts";
import { carrierBy } from "../telephony/line.ts";
import { callInCampaign, findCall } from "./find-call.ts";
import { hangUp } from "./live/hang-up.ts";
import { LedgerLines } from "./live/ledger-lines.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/**
 * Ends a call at its carrier, records what became of it and frees its slot; a campaign's call through its campaign. A
 * call that is over is left as it is. Where the carrier does not say that it hung up, that is tried again until the
 * call's limit. Gives the call as it then is. Pass the call's campaign if you know it; the call may not be on record yet.
 * With `notedOnce`, a call whose hang-up was requested before gets no further audit entry.
 * @throws ApiError with the carrier's reason
 */
export async function hangUpCall(
  context: Context,
  { id, campaignId = null, notedOnce = false }: { id: string; campaignId?: string | null; notedOnce?: boolean },
): Promise<CallRow> {
  const { env, store } = context;
  const call = await findCall(context, id, campaignId);
  if (!call) throw notFound("call");
  if (isTerminal(call.status as CallStatus)) return call;
  if (!(notedOnce && call.hangup_requested)) {
    const act = store.act({ action: "hangup", resource: "call", resource_id: id });
    await new Ledger({ env, store }).report([
      { part: "hangup", id },
      { part: "act", place: id, act },
    ]);
  }
  const hangingUp = Object.assign({}, call, { hangup_requested: true });
  return (await hungUpByCampaign(context, hangingUp)) ?? hangUpSingle(context, hangingUp);
}

/** The call after its campaign has hung it up; null if it has no campaign that knows it, as one that was deleted. */
async function hungUpByCampaign(context: Context, call: CallRow): Promise<CallRow | null> {
  const { env, store } = context;
  const { id, campaign_id } = call;
  if (campaign_id === null || !(await campaignObject(env, store.account, campaign_id).hangUp(id))) return null;
  return (await callInCampaign(context, campaign_id, id, call)) ?? call;
}

async function hangUpSingle({ env, store, now }: Context, call: CallRow): Promise<CallRow> {
  const { id, provider, credentials_id } = call;
  const clock = () => now;
  const lines = new LedgerLines({ env, store, clock }, [call]);
  const carrierOf = async () => {
    const carrier = await carrierBy(env, store, provider as Provider, credentials_id);
    if (!carrier) throw conflict("credentials_gone", "the carrier credentials for this call were deleted");
    return carrier;
  };
  try {
    await hangUp({ store: lines, clock }, carrierOf, lines.live(id));
  } catch (error) {
    throw notHungUp(error);
  } finally {
    await lines.settle();
  }
  return lines.row(id);
}

/** The error for a hang-up that failed. */
export function notHungUp(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return error instanceof CarrierRefusal
    ? new ApiError(500, `carrier_${error.reason}`, error.message)
    : new ApiError(500, "carrier_unknown", "the carrier did not confirm the hangup; it will be retried");
}
