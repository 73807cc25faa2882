import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "../../src/app.ts";
import { BASE } from "./client.ts";

/** The storage round trips one request made: batches and single statements of D1, calls of Durable Objects. */
export interface RoundTrips {
  status: number;
  d1: number;
  objects: number;
}

/** Serves one request with every way to storage counted. */
export async function countRoundTrips(path: string, headers: Record<string, string>): Promise<RoundTrips> {
  const trips = { d1: 0, objects: 0 };
  const counted = {
    ...env,
    DB: countD1(env.DB, () => trips.d1++),
    ACCOUNT_GATE: countObjects(env.ACCOUNT_GATE, () => trips.objects++),
    CAMPAIGN: countObjects(env.CAMPAIGN, () => trips.objects++),
    SANDBOX_CARRIER: countObjects(env.SANDBOX_CARRIER, () => trips.objects++),
  };
  const context = createExecutionContext();
  const response = await app.fetch(new Request(BASE + path, { headers }), counted, context);
  await response.arrayBuffer();
  await waitOnExecutionContext(context);
  return { status: response.status, ...trips };
}

/** A database whose `batch` counts once, and every statement run on its own once too. */
function countD1(db: D1Database, count: () => void): D1Database {
  const counted = (statement: D1PreparedStatement): D1PreparedStatement =>
    through(statement, (name, method) => {
      if (name === "bind") return (...values) => counted(method(...values) as D1PreparedStatement);
      return (...values) => {
        count();
        return method(...values);
      };
    });
  return through(db, (name, method) => {
    if (name === "prepare") return (sql) => counted(method(sql) as D1PreparedStatement);
    return (...values) => {
      count();
      const [first, ...rest] = values;
      return method(Array.isArray(first) ? first.map((item: object) => originals.get(item) ?? item) : first, ...rest);
    };
  });
}

function countObjects<T extends Rpc.DurableObjectBranded | undefined>(
  namespace: DurableObjectNamespace<T>,
  count: () => void,
): DurableObjectNamespace<T> {
  return through(namespace, (name, method) => (...values) => {
    const made = method(...values);
    if (!/^get/.test(name)) return made;
    return through(made as object, (_, call) => (...sent) => {
      count();
      return call(...sent);
    });
  });
}

type Method = (...values: unknown[]) => unknown;
const originals = new WeakMap<object, unknown>();

/** The object with each of its methods replaced by what `wrap` makes of it. */
function through<T extends object>(target: T, wrap: (name: string, method: Method) => Method): T {
  const proxy = new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== "function" || typeof name !== "string") return value;
      return wrap(name, (...values) => Reflect.apply(value, object, values) as unknown);
    },
  });
  originals.set(proxy, target);
  return proxy;
}
