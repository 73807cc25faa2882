import { currentRequest, type Hop } from "./request-context.ts";

/** The header that carries the request's id to an object's `fetch`. */
export const HOP_HEADER = "x-request-id";

/** The stub's own members: everything else is a method of the object. */
const OWN = new Set<string | symbol>(["id", "name", "then", "constructor", "connect", "dup"]);

type Method = (...args: unknown[]) => Promise<unknown>;
interface Hopping {
  hop(hop: Hop, object: string, method: string, args: unknown[]): Promise<unknown>;
}

/** The object's stub, whose calls are counted for the request that is being served, and carry its id. */
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
  return await (stub as Hopping).hop({ request_id: request.request_id }, object, method, args);
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
