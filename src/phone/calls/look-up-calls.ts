import pMap from "p-map";
import { type CallEvent, type CallRef, type Carrier, CarrierRefusal } from "../carriers/carrier.ts";
import type { CarrierAnswer } from "./reconciliation.ts";

/** Maximum number of concurrent requests to a carrier: a Worker can have six connections waiting for a response. */
export const CARRIER_CONCURRENCY = 6;
/** From this number of calls on, one list costs less than a request for each call. */
const WORTH_A_LIST = 3;

/**
 * Wraps the carrier for one round of work. Once six requests are left unanswered, all others are refused. Once six
 * requests of one kind are left unanswered while others are answered, that kind is refused. A carrier that is down
 * therefore costs a round the timeouts of six concurrent requests, not one per call.
 */
export function shortCircuited(carrier: Carrier): Carrier {
  let ofAll = 0;
  const guarded = <Args extends unknown[], T>(ask: (...args: Args) => Promise<T>) => {
    let ofKind = 0;
    const count = (isAnswered: boolean) => {
      ofKind = isAnswered ? 0 : ofKind + 1;
      ofAll = isAnswered ? 0 : ofAll + 1;
    };
    return async (...args: Args): Promise<T> => {
      if (Math.max(ofKind, ofAll) >= CARRIER_CONCURRENCY)
        throw new CarrierRefusal("outage", "the carrier does not answer");
      try {
        const answer = await ask(...args);
        count(true);
        return answer;
      } catch (error) {
        count(error instanceof CarrierRefusal && error.reason !== "outage");
        throw error;
      }
    };
  };
  const own: Carrier = { ...carrier };
  own.lookup = guarded((ref) => carrier.lookup(ref));
  own.hangup = guarded((ref) => carrier.hangup(ref));
  if (carrier.leaveMessage) own.leaveMessage = guarded(carrier.leaveMessage.bind(carrier));
  return own;
}

/**
 * Returns the carrier's answers about calls, by the service's own IDs: from one list if it has one, otherwise one by
 * one.
 */
export async function lookUpCalls(carrier: Carrier, refs: CallRef[]): Promise<Map<string, CarrierAnswer>> {
  const answers = new Map<string, CarrierAnswer>();
  if (carrier.list && refs.length >= WORTH_A_LIST) {
    const listed = await carrier.list(refs).catch(() => new Map<string, CallEvent>());
    for (const [callId, event] of listed) answers.set(callId, event);
  }
  const rest = refs.filter(({ call_id }) => !answers.has(call_id));
  const lookUp = async (ref: CallRef) =>
    answers.set(ref.call_id, await carrier.lookup(ref).catch((): "unreachable" => "unreachable"));
  await pMap(rest, lookUp, { concurrency: CARRIER_CONCURRENCY });
  return answers;
}
