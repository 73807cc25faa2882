import { DurableObject, tracing } from "cloudflare:workers";
import type { ObjectFrame } from "../durable/object-frame.ts";
import { observedEnv } from "./observed-d1.ts";
import { HOP_HEADER, type Hop, within } from "./request-context.ts";

/** The runtime's own name for the class. */
const NO_VERBS = new Set(["constructor", "alarm", "fetch", "webSocketMessage", "webSocketClose", "webSocketError"]);

/** What every object extends: its methods know the request that they are called for, in their lines and spans. */
export abstract class ObservedObject<E extends object> extends DurableObject<E> {
  /** What drives the object by its alarm. */
  protected abstract readonly frame: Pick<ObjectFrame<unknown>, "alarm" | "close">;

  constructor(ctx: DurableObjectState, env: E) {
    super(ctx, observedEnv(env));
  }

  /**
   * Deletes all that the object stores, with its alarm, because its account is deleted; gives whether there was anything.
   * The object is then built anew at its next use: what it held in memory, and what was under way in it, goes too.
   */
  async deleteEverything(): Promise<boolean> {
    const { storage } = this.ctx;
    if (!(await holdsAnything(storage))) return false;
    this.frame.close();
    await storage.deleteAlarm();
    await storage.deleteAll();
    // After the answer is sent, which would fail with the object.
    setTimeout(() => this.ctx.abort("the account was deleted"), 0);
    return true;
  }

  override async alarm(): Promise<void> {
    await this.frame.alarm();
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

/** Whether the object stores anything, an alarm included. Looking does not write to an empty object. */
async function holdsAnything(storage: DurableObjectStorage): Promise<boolean> {
  const own = "name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'";
  if (storage.sql.exec(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND ${own} LIMIT 1`).toArray().length > 0)
    return true;
  for (const _ of storage.kv.list({ limit: 1 })) return true;
  return (await storage.getAlarm()) !== null;
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
