import { ApiError } from "../../../kernel/http/errors.ts";
import { isTerminal } from "../../../records/ledger/call-status.ts";
import { type CallEvent, type CallRef, type Carrier, CarrierRefusal } from "../../carriers/carrier.ts";
import { HANG_UP_AGAIN_MS, HANG_UP_LOST_MS } from "../reconciliation.ts";
import type { Desk, LiveCall, Outcome } from "./line-store.ts";

/** The end reason of a call that the service hung up. */
const HUNG_UP = "hangup";

/**
 * Ends a call. If the carrier doesn't confirm it, it is retried until the call's limit.
 * @throws ApiError with the carrier's reason; `carrier_unknown` if the call may still be running
 */
export async function hangUp(
  { store, clock }: Pick<Desk, "store" | "clock">,
  carrierOf: () => Promise<Carrier>,
  call: LiveCall,
): Promise<void> {
  const { call_id } = call.ref;
  // The conversation is notified before the hang-up, because otherwise it would end as if a person had hung up.
  if (call.silencesAgent) await store.silence(call_id);
  // If the process dies while the carrier responds, the upkeep of the call hangs it up.
  await store.oweHangUp(call_id, clock() + HANG_UP_LOST_MS);
  let outcome: Outcome;
  try {
    outcome = await ended(await carrierOf(), call.ref, clock);
  } catch (error) {
    await store.write(call_id, { event: null, lookAt: null, hangUp: { again: clock() + HANG_UP_AGAIN_MS } });
    throw notHungUp(error);
  }
  await store.write(call_id, outcome);
}

function notHungUp(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return error instanceof CarrierRefusal
    ? new ApiError(500, `carrier_${error.reason}`, error.message)
    : new ApiError(500, "carrier_unknown", "the carrier did not confirm the hangup; it will be retried");
}

/**
 * Returns the outcome of a hang-up that the carrier accepted. A call that is still running is looked up soon, until its
 * limit.
 */
export async function ended(carrier: Carrier, ref: CallRef, clock: () => number): Promise<Outcome> {
  const event = await endAtCarrier(carrier, ref);
  return { event, lookAt: isTerminal(event.status) ? null : clock() + HANG_UP_AGAIN_MS, hangUp: "accepted" };
}

/**
 * Ends a call at its carrier and returns how it ended, or that it still runs if the carrier takes time to end it.
 * @throws CarrierRefusal, CarrierUncertain if it is unknown whether it will end
 */
export async function endAtCarrier(carrier: Carrier, ref: CallRef): Promise<CallEvent> {
  const look = () => carrier.lookup(ref).catch(() => null);
  const before = await look();
  if (before && isTerminal(before.status)) return before;
  await carrier.hangup(ref);
  const after = await look();
  const talking = ref.connected || before?.status === "in-progress";
  if (after) return isTerminal(after.status) ? Object.assign({}, after, { reason: HUNG_UP }) : after;
  return {
    provider_call_id: ref.provider_call_id,
    status: talking ? "completed" : "canceled",
    answered_by: null,
    reason: HUNG_UP,
    recording: null,
  };
}
