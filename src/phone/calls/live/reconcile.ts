import pMap from "p-map";
import { isTerminal } from "../../../records/ledger/call-status.ts";
import type { Carrier } from "../../carriers/carrier.ts";
import { CARRIER_CONCURRENCY, endAtCarrier, lookUpCalls } from "../look-up-calls.ts";
import { type CallLimits, type CarrierAnswer, HANG_UP_AGAIN_MS, hangUpAgainAt, judge } from "../reconciliation.ts";
import type { LineStore, LiveCall, Outcome } from "./line-store.ts";

/** Where calls are stored, and the carrier that runs them. */
export interface Desk {
  store: LineStore;
  /** Null if it cannot be reached. */
  carrier: Carrier | null;
  limits: CallLimits;
  clock: () => number;
}

/**
 * Asks the carrier about calls that fell silent, and hangs up those that owe it or are past their limit: the one
 * executor for single, inbound and campaign calls. Every call is on the desk's carrier.
 */
export async function reconcile(desk: Desk, calls: LiveCall[]): Promise<void> {
  const { store, carrier } = desk;
  const silent = calls.filter(({ owesHangUp }) => !owesHangUp).map(({ ref }) => ref);
  const answers = carrier && silent.length > 0 ? await lookUpCalls(carrier, silent) : new Map<string, CarrierAnswer>();
  const settle = async ({ ref: { call_id }, owesHangUp }: LiveCall) => {
    // Its final event may have arrived while the carrier was answering.
    const call = store.current(call_id);
    if (call === null) return;
    const answer = answers.has(call_id) ? (answers.get(call_id) ?? null) : "unreachable";
    await store.write(call_id, owesHangUp ? await hangUpAgain(desk, call) : await follow(desk, call, answer));
  };
  await pMap(calls, settle, { concurrency: CARRIER_CONCURRENCY });
}

/**
 * Ends a call on request; if the carrier does not confirm it, it is tried again.
 * @throws CarrierRefusal, CarrierUncertain if the call may still be running
 */
export async function hangUp({ store, clock }: Desk, carrier: () => Promise<Carrier>, call: LiveCall): Promise<void> {
  const { call_id } = call.ref;
  let outcome: Outcome;
  try {
    outcome = await ended(await carrier(), call, clock);
  } catch (error) {
    await store.write(call_id, { event: null, lookAt: null, hangUp: { again: clock() + HANG_UP_AGAIN_MS } });
    throw error;
  }
  await store.write(call_id, outcome);
}

/** Applies the policy for silent calls to one. */
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
  // Of a call that may not even exist nothing more can be found out: it ends now, and is hung up in case it exists.
  if (verdict.event.reason === "unknown") return { event, lookAt: null, hangUp: { again } };
  return { event: null, lookAt: again, hangUp: null };
}

/** Tries an owed hang-up again; if that is pointless the policy for a carrier without an answer applies. */
async function hangUpAgain(desk: Desk, call: LiveCall): Promise<Outcome> {
  const { store, carrier, limits, clock } = desk;
  if (call.silencesAgent) await store.silence(call.ref.call_id);
  try {
    if (carrier === null) throw new TypeError("the carrier cannot be reached");
    if (!call.over) return await ended(carrier, call, clock);
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

/** The outcome of a hang-up that the carrier took: a call that runs on is looked up soon, until its limit. */
async function ended(carrier: Carrier, { ref }: LiveCall, clock: () => number): Promise<Outcome> {
  const event = await endAtCarrier(carrier, ref);
  return { event, lookAt: isTerminal(event.status) ? null : clock() + HANG_UP_AGAIN_MS, hangUp: "accepted" };
}
