import { AsyncLocalStorage } from "node:async_hooks";

/** What accompanies each call from the Worker to an object. */
export interface Hop {
  /** The request's `x-request-id`. */
  request_id: string;
}

/** A request that is being served, and what it has cost so far. */
export interface RequestContext extends Hop {
  /** Calls of objects. */
  hops: number;
  /** Waited for D1, ms. */
  d1_ms: number;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Serves a request, or the part of it that an object does; all that follows from it belongs to it. */
export function within<T>({ request_id }: Hop, work: (context: RequestContext) => T): T {
  const context = { request_id, hops: 0, d1_ms: 0 };
  return contexts.run(context, () => work(context));
}

/** The request that is being served; undefined for an alarm and a scheduled run. */
export function currentRequest(): RequestContext | undefined {
  return contexts.getStore();
}
