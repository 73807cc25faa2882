import type { AccountStore } from "../../kernel/db/account-store.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { type CallEvent, type CallRef, CarrierRefusal, isCarrierTrouble } from "../carriers/carrier.ts";
import type { Line } from "../telephony/line.ts";
import { takeCallEvents } from "./call-events.ts";
import { type CallOrder, placeCall } from "./place-call.ts";

type Placed = Pick<CallEvent, "provider_call_id" | "status">;
type Context = { env: Bindings; store: AccountStore; now: number };

/**
 * Places a call that is on record. A call that was refused ends on record and gives its lease back. Where the carrier
 * does not say whether it took the call, it is never placed again: it stays open and is asked about until its ring
 * limit, and whatever its carrier reports is believed. @throws ApiError with the reason
 */
export async function placeOnRecord(context: Context, { line, call, caller }: CallOrder): Promise<Placed> {
  const { env, now } = context;
  const { account, call_id, from_number, to_number } = call;
  let provider_call_id: string;
  try {
    ({ provider_call_id } = await placeCall({ env, now }, { line, call, caller }));
  } catch (error) {
    if (error instanceof CarrierRefusal) {
      if (isCarrierTrouble(error.reason)) await accountMeter(env, account).refund([call_id]);
      await fail(context, call_id, error.reason);
      throw refused(error);
    }
    const ref = {
      account,
      call_id,
      provider_call_id: null,
      from_number,
      to_number,
      placed_at: now,
      connected: false,
    };
    const found = await lookedUp(line, ref);
    if (found === null) {
      await accountMeter(env, account).lookUpSoon(call_id);
      throw uncertain(`the carrier did not confirm the call; its status is tracked as call ${call_id}`);
    }
    if (found.provider_call_id !== null) await setPlaced(context, call_id, found.provider_call_id);
    await takeCallEvents(later(context), { id: call_id, events: [found] });
    return { provider_call_id: found.provider_call_id, status: found.status };
  }
  await setPlaced(context, call_id, provider_call_id);
  return { provider_call_id, status: "initiated" };
}

/** The carrier took its time. */
const later = (context: Context): Context => Object.assign({}, context, { now: Date.now() });

/** Puts on record that the carrier has the call; its first webhook may have come before its answer. */
async function setPlaced({ env, store }: Context, callId: string, provider_call_id: string): Promise<void> {
  await new Ledger({ env, store }).changeCall(callId, { to: "placed", provider_call_id });
}

const refused = ({ reason, message }: CarrierRefusal) =>
  Object.assign(new ApiError(500, `carrier_${reason}`, message), { startsAfresh: true });
const uncertain = (message: string) => new ApiError(500, "carrier_unknown", message);

async function lookedUp({ carrier }: Pick<Line, "carrier">, ref: CallRef): Promise<CallEvent | null> {
  try {
    return await carrier.lookup(ref);
  } catch {
    return null;
  }
}

/** Ends a recorded call that, as far as is known, was not placed. */
async function fail(context: Context, id: string, reason: string): Promise<void> {
  const event = { provider_call_id: null, status: "failed" as const, answered_by: null, reason };
  await takeCallEvents(later(context), { id, events: [event] });
}
