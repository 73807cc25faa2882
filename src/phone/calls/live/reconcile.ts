import pMap from "p-map";
import { CARRIER_CONCURRENCY, lookUpCalls } from "../look-up-calls.ts";
import { type CarrierAnswer, hangUpAgainAt, judge } from "../reconciliation.ts";
import { ended } from "./hang-up.ts";
import type { Desk, LiveCall, Outcome } from "./line-store.ts";

/**
 * Asks the carrier about calls without recent reports, and hangs up those that have a pending hang-up or are past their
 * limit. It is used for single, inbound and campaign calls. All calls are at the desk's carrier.
 */
export async function reconcile(desk: Desk, calls: LiveCall[]): Promise<void> {
  const { store, carrier } = desk;
  const silent = calls.filter(({ owesHangUp }) => !owesHangUp).map(({ ref }) => ref);
  const answers = carrier && silent.length > 0 ? await lookUpCalls(carrier, silent) : new Map<string, CarrierAnswer>();
  const settle = async ({ ref: { call_id }, owesHangUp }: LiveCall) => {
    // Its final event may have arrived while the carrier responded.
    const call = store.current(call_id);
    if (call === null) return;
    const answer = answers.has(call_id) ? (answers.get(call_id) ?? null) : "unreachable";
    await store.write(call_id, owesHangUp ? await hangUpAgain(desk, call) : await follow(desk, call, answer));
  };
  await pMap(calls, settle, { concurrency: CARRIER_CONCURRENCY });
}

/** Applies the policy for silent calls to one call. */
async function follow({ carrier, limits, clock }: Desk, call: LiveCall, answer: CarrierAnswer): Promise<Outcome> {
  const verdict = judge(call, answer, limits, clock());
  const { event } = verdict;
  if (verdict.next === "running") return { event, lookAt: verdict.lookAt, hangUp: null };
  if (verdict.next === "ended") return { event, lookAt: null, hangUp: null };
  const hungUp = await carrier?.hangup(call.ref).then(
    () => true,
    () => false,
  );
  const again = hungUp ? null : hangUpAgainAt(call, limits, clock());
  if (again === null) return { event, lookAt: null, hangUp: null };
  // The carrier can't tell more about this call, which may not even exist. It ends now and is hung up in case it
  // exists.
  if (verdict.event.reason === "unknown") return { event, lookAt: null, hangUp: { again } };
  return { event: null, lookAt: again, hangUp: null };
}

/**
 * Returns the outcome of an accepted hang-up. If the carrier keeps the call running at its limit, the call is recorded
 * as ended.
 */
async function endedByLimit(desk: Desk, call: LiveCall, outcome: Outcome): Promise<Outcome> {
  const mayRun = outcome.lookAt === null || hangUpAgainAt(call, desk.limits, desk.clock()) !== null;
  return mayRun ? outcome : follow(desk, call, outcome.event);
}

/**
 * Retries a pending hang-up. If the carrier must have ended the call by itself, applies the policy for an unreachable
 * carrier.
 */
async function hangUpAgain(desk: Desk, call: LiveCall): Promise<Outcome> {
  const { store, carrier, limits, clock } = desk;
  if (call.silencesAgent) await store.silence(call.ref.call_id);
  try {
    if (carrier === null) throw new TypeError("the carrier cannot be reached");
    if (!call.over) return await endedByLimit(desk, call, await ended(carrier, call.ref, clock));
    await carrier.hangup(call.ref);
    return { event: null, lookAt: null, hangUp: "accepted" };
  } catch {
    const again = hangUpAgainAt(call, limits, clock());
    if (call.over) return { event: null, lookAt: null, hangUp: again === null ? "accepted" : { again } };
    if (again !== null && !call.inDoubt) return { event: null, lookAt: null, hangUp: { again } };
    const outcome = await follow(Object.assign({}, desk, { carrier: null }), call, "unreachable");
    return outcome.lookAt === null ? outcome : Object.assign({}, outcome, { hangUp: { again: outcome.lookAt } });
  }
}
