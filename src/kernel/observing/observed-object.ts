import { DurableObject, tracing } from "cloudflare:workers";
import { observedEnv } from "./observed-d1.ts";
import { HOP_HEADER } from "./observed-stub.ts";
import { type Hop, within } from "./request-context.ts";

/** The runtime's own name for the class. */
const NO_VERBS = new Set(["constructor", "alarm", "fetch", "webSocketMessage", "webSocketClose", "webSocketError"]);

/** What every object extends: its methods know the request that they are called for, in their lines and spans. */
export abstract class ObservedObject<E extends object> extends DurableObject<E> {
  constructor(ctx: DurableObjectState, env: E) {
    super(ctx, observedEnv(env));
  }

  /** Calls a method for a request of the Worker; `object` is the kind of object as spans name it. */
  async hop({ request_id }: Hop, object: string, method: string, args: unknown[]): Promise<unknown> {
    const verb: unknown = isVerb(this, method) ? Reflect.get(this, method) : undefined;
    if (typeof verb !== "function") throw new TypeError(`there is no method ${method}`);
    return tracing.enterSpan(`${object}.${method}`, (span) => {
      if (span.isTraced) span.setAttribute("switchboard.request_id", request_id);
      return within({ request_id }, () => Reflect.apply(verb, this, args) as unknown);
    });
  }
}

/** Whether the object's own class declares it, for others to call. */
function isVerb(object: object, method: string): boolean {
  if (NO_VERBS.has(method)) return false;
  let own: unknown = Object.getPrototypeOf(object);
  while (typeof own === "object" && own !== null && own !== ObservedObject.prototype) {
    if (Object.hasOwn(own, method)) return true;
    own = Object.getPrototypeOf(own);
  }
  return false;
}

/** Serves a request to an object's `fetch` as the request of the Worker that it came with. */
export function withinFetch<T>(request: Request, work: () => T): T {
  const request_id = request.headers.get(HOP_HEADER);
  return request_id === null ? work() : within({ request_id }, work);
}
