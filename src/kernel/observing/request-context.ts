import { AsyncLocalStorage } from "node:async_hooks";

/** Data that accompanies each call from the Worker to an object. */
export interface Hop {
  request_id: string;
  /** Whether the request may be traced. Otherwise objects open no spans, which cost a few microseconds per call. */
  traced: boolean;
}

/** The request being served and its cost so far. */
export interface RequestContext extends Hop {
  /** The number of calls to objects. */
  hops: number;
  /** The time spent waiting for D1, ms. */
  d1_ms: number;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Runs `work` as (part of) a request. Everything that it starts belongs to that request. */
export function within<T>({ request_id, traced }: Hop, work: (context: RequestContext) => T): T {
  const context = { request_id, traced, hops: 0, d1_ms: 0 };
  return contexts.run(context, () => work(context));
}

/** Returns the request being served; undefined in an alarm or a scheduled run. */
export function currentRequest(): RequestContext | undefined {
  return contexts.getStore();
}

/** The header that passes the request's id to an object's `fetch`. */
export const HOP_HEADER = "x-request-id";

/** The stub's own members. Every other name is a method of the object. */
const OWN = new Set<string | symbol>(["id", "name", "then", "constructor", "connect", "dup"]);

type Method = (...args: unknown[]) => Promise<unknown>;
interface Hopping {
  hop(hop: Hop, object: string, method: string, args: unknown[]): Promise<unknown>;
}

/** Wraps an object's stub so that its calls are counted for the current request and carry its id. */
export function observedStub<T extends object>(object: string, stub: T): T {
  if (!currentRequest()) return stub;
  return new Proxy(stub, {
    get(own, name) {
      if (name === "fetch") return (...args: Parameters<Fetcher["fetch"]>) => fetchBy(own, args);
      if (typeof name === "symbol" || OWN.has(name)) return Reflect.get(own, name) as unknown;
      return (...args: unknown[]) => call(object, own, name, args);
    },
  });
}

async function call(object: string, stub: object, method: string, args: unknown[]): Promise<unknown> {
  const request = currentRequest();
  if (!request) return (stub as Record<string, Method>)[method]?.(...args);
  request.hops++;
  const { request_id, traced } = request;
  return await (stub as Hopping).hop({ request_id, traced }, object, method, args);
}

function fetchBy(stub: object, [input, init]: Parameters<Fetcher["fetch"]>): Promise<Response> {
  const own = stub as Fetcher;
  const current = currentRequest();
  if (!current) return own.fetch(input, init);
  current.hops++;
  const request = new Request(input, init);
  request.headers.set(HOP_HEADER, current.request_id);
  return own.fetch(request);
}
