import { DurableObject, tracing } from "cloudflare:workers";
import type { ObjectFrame } from "../durable/object-frame.ts";
import { observedEnv } from "./observed-d1.ts";
import { HOP_HEADER, type Hop, within } from "./request-context.ts";

/** Methods that the runtime calls. They must not be callable as methods of the object. */
const NO_VERBS = new Set(["constructor", "alarm", "fetch", "webSocketMessage", "webSocketClose", "webSocketError"]);

/**
 * The base class of all objects. Their methods know the request that they serve, so that log lines and spans contain
 * its id.
 */
export abstract class ObservedObject<E extends object> extends DurableObject<E> {
  protected abstract readonly frame: Pick<ObjectFrame<unknown>, "alarm" | "close">;

  constructor(ctx: DurableObjectState, env: E) {
    super(ctx, observedEnv(env));
  }

  /**
   * Deletes everything that the object stores, including its alarm, because its account is deleted. Returns whether
   * there was anything. The object is rebuilt at its next use, which discards its memory and any work in progress.
   */
  async deleteEverything(): Promise<boolean> {
    const { storage } = this.ctx;
    if (!(await holdsAnything(storage))) return false;
    this.frame.close();
    await storage.deleteAlarm();
    await storage.deleteAll();
    // Runs after the response was sent, because aborting would make it fail.
    setTimeout(() => this.ctx.abort("the account was deleted"), 0);
    return true;
  }

  override async alarm(): Promise<void> {
    await this.frame.alarm();
  }

  /** Calls a method for a request of the Worker. `object` is the kind of object in the span's name. */
  async hop(hop: Hop, object: string, method: string, args: unknown[]): Promise<unknown> {
    const verb: unknown = isVerb(this, method) ? Reflect.get(this, method) : undefined;
    if (typeof verb !== "function") throw new TypeError(`there is no method ${method}`);
    const run = () => within(hop, () => Reflect.apply(verb, this, args) as unknown);
    if (!hop.traced) return run();
    return tracing.enterSpan(`${object}.${method}`, (span) => {
      if (span.isTraced) span.setAttribute("switchboard.request_id", hop.request_id);
      return run();
    });
  }
}

/** Checks whether the object stores anything, including an alarm. The check does not write to an empty object. */
async function holdsAnything(storage: DurableObjectStorage): Promise<boolean> {
  const own = "name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'";
  if (storage.sql.exec(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND ${own} LIMIT 1`).toArray().length > 0)
    return true;
  for (const _ of storage.kv.list({ limit: 1 })) return true;
  return (await storage.getAlarm()) !== null;
}

/** Checks whether the object's own class declares the method, so that callers cannot call inherited ones. */
function isVerb(object: object, method: string): boolean {
  if (NO_VERBS.has(method)) return false;
  let own: unknown = Object.getPrototypeOf(object);
  while (typeof own === "object" && own !== null && own !== ObservedObject.prototype) {
    if (Object.hasOwn(own, method)) return true;
    own = Object.getPrototypeOf(own);
  }
  return false;
}

/** Runs `work` for a request to an object's `fetch`, in the context of the Worker's request that sent it. */
export function withinFetch<T>(request: Request, work: () => T): T {
  const request_id = request.headers.get(HOP_HEADER);
  // The header does not tell whether the request is traced.
  return request_id === null ? work() : within({ request_id, traced: true }, work);
}
