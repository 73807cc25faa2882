import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Conversation } from "../../src/conversation/runtime/conversation.ts";
import type { Tenant } from "./client.ts";

/** The outgoing calls of a conversation's object, in order, such as `ACCOUNT_METER.renew`. */
export class Hops {
  taken: string[] = [];
  #held: PromiseWithResolvers<void> | null = null;
  #underWay = 0;

  /** Holds back all responses from now on. */
  hold(): void {
    this.#held = Promise.withResolvers();
  }

  /** Releases the held responses. */
  release(): void {
    this.#held?.resolve();
    this.#held = null;
  }

  /** Whether all calls were answered. */
  get areDone(): boolean {
    return this.#underWay === 0;
  }

  async take<T>(name: string, go: () => T): Promise<Awaited<T>> {
    this.taken.push(name);
    this.#underWay++;
    try {
      await this.#held?.promise;
      return await go();
    } finally {
      this.#underWay--;
    }
  }
}

type Method = (...values: unknown[]) => unknown;
type Bindings = Record<string, unknown>;

/** Creates the conversation of this key in an object whose outgoing calls are recorded, with these variables. */
export async function watched(
  { account }: Pick<Tenant, "account">,
  key: string,
  variables: Record<string, string> = {},
): Promise<Hops> {
  const hops = new Hops();
  const bindings = Object.assign(watchedBindings(env as unknown as Bindings, hops), variables);
  const stub = env.CONVERSATION.getByName(`${account}/${key}`) as unknown as DurableObjectStub;
  await runInDurableObject(stub, (instance, state) => {
    const built = new Conversation(state, bindings as unknown as Env);
    for (const name of ["fetch", "alarm", "webSocketMessage", "webSocketClose", "webSocketError", "revoke"] as const) {
      const method: Method = Reflect.get(built, name) as Method;
      Object.assign(instance, { [name]: (...values: unknown[]) => Reflect.apply(method, built, values) });
    }
  });
  return hops;
}

/** Wraps objects, the database and buckets, so that each of their methods is a hop. Other bindings stay unchanged. */
function watchedBindings(bindings: Bindings, hops: Hops): Bindings {
  return Object.fromEntries(
    Object.entries(bindings).map(([name, binding]) => [name, watchedBinding(name, binding, hops)]),
  );
}

function watchedBinding(name: string, binding: unknown, hops: Hops): unknown {
  if (typeof binding !== "object" || binding === null) return binding;
  if ("getByName" in binding) {
    return through(binding, (method, call) => (...values) => {
      const result = call(...values);
      return /^get/.test(method)
        ? through(
            result as object,
            (called, callIt) =>
              (...sent) =>
                hops.take(`${name}.${called}`, () => callIt(...sent)),
          )
        : result;
    });
  }
  // Statements reach the database unwrapped, because they are counted when they are created.
  if ("withSession" in binding || "put" in binding) {
    return through(binding, (method, call) => (...values) => {
      hops.taken.push(`${name}.${method}`);
      return call(...values);
    });
  }
  return binding;
}

function through<T extends object>(target: T, wrap: (name: string, method: Method) => Method): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== "function" || typeof name !== "string") return value;
      return wrap(name, (...values) => Reflect.apply(value, object, values) as unknown);
    },
  });
}
