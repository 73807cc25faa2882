import { CarrierUncertain } from "./carrier.ts";

/**
 * A fetch that gives up when no answer has begun within `patience` ms; the body may take its time, as a recording's
 * does. @throws CarrierUncertain then: the carrier may well have acted.
 */
export function impatientFetch(patience: number, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const patienceOver = new AbortController();
    const timer = setTimeout(() => patienceOver.abort(new CarrierUncertain("no answer in time")), patience);
    const signals = [patienceOver.signal, ...(init?.signal ? [init.signal] : [])];
    try {
      return await send(input, { ...init, signal: AbortSignal.any(signals) });
    } finally {
      clearTimeout(timer);
    }
  };
}
