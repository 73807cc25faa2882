import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import type { CallStatus } from "../../records/ledger/call-status.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { CallRow } from "../../records/ledger/report.ts";
import { type CallEvent, type CarrierReason, CarrierRefusal, isCarrierTrouble } from "../carriers/carrier.ts";
import { takeCallEvents } from "./call-events.ts";
import { LedgerLines } from "./live/ledger-lines.ts";
import { reconcile } from "./live/reconcile.ts";
import { type CallOrder, placeCall } from "./place-call.ts";
import type { CallLimits } from "./reconciliation.ts";

type Placed = Pick<CallEvent, "provider_call_id" | "status">;
type Context = { env: Bindings; store: AccountStore; now: number };

/**
 * Places a recorded call. A refused call is recorded as ended and returns its lease. If the carrier doesn't say whether
 * it accepted the call, the call is never placed again: it stays open and is looked up until its ring limit, and any
 * report of the carrier is accepted.
 * @throws ApiError with the reason
 */
export async function placeOnRecord(
  context: Context,
  row: CallRow,
  { line, call, caller }: CallOrder,
  limits: CallLimits,
): Promise<Placed> {
  const { env, store, now } = context;
  const { call_id } = call;
  try {
    const { provider_call_id } = await placeCall({ env, now }, { line, call, caller });
    // Its first webhook may have arrived before this response.
    await new Ledger({ env, store }).changeCall(call_id, { to: "placed", provider_call_id });
    return { provider_call_id, status: "initiated" };
  } catch (error) {
    if (error instanceof CarrierRefusal) {
      await fail(context, call_id, error.reason);
      throw refused(error);
    }
    // The clock is read anew because the carrier may have taken long.
    const clock = Date.now;
    const lines = new LedgerLines({ env, store, clock }, [row]);
    await reconcile({ store: lines, carrier: line.carrier, limits, clock }, [lines.live(call_id)]);
    await lines.settle();
    if (!lines.outcome(call_id)?.event)
      throw uncertain(`the carrier did not confirm the call; its status is tracked as call ${call_id}`);
    const { provider_call_id, status } = lines.row(call_id);
    return { provider_call_id, status: status as CallStatus };
  }
}

const refused = ({ reason, message }: CarrierRefusal) =>
  Object.assign(new ApiError(500, `carrier_${reason}`, message), { startsAfresh: true });
const uncertain = (message: string) => new ApiError(500, "carrier_unknown", message);

/** Ends a recorded call that its carrier refused. It counts toward the caps unless the carrier was at fault. */
async function fail(context: Context, id: string, reason: CarrierReason): Promise<void> {
  const event = { provider_call_id: null, status: "failed" as const, answered_by: null, reason };
  const uncounted = isCarrierTrouble(reason);
  await takeCallEvents(Object.assign({}, context, { now: Date.now() }), { id, events: [event], uncounted });
}
