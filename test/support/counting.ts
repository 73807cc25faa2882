import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "../../src/app.ts";
import { BASE } from "./client.ts";

/** What one request was answered, and the storage round trips it made. */
export interface RoundTrips {
  status: number;
  headers: Headers;
  body: unknown;
  /** Batches and single statements at D1's primary. */
  d1: number;
  /** The same at a replica of D1 that may lag. */
  replica: number;
  /** Calls of Durable Objects. */
  objects: number;
}

/** A request that is no plain GET, or is served with other bindings than usual. */
interface Request_ {
  method?: string;
  body?: unknown;
  env?: Record<string, unknown>;
}

/** Serves one request with every way to storage counted. */
export async function countRoundTrips(
  path: string,
  headers: Record<string, string>,
  { method = "GET", body, env: other }: Request_ = {},
): Promise<RoundTrips> {
  const trips = { d1: 0, replica: 0, objects: 0 };
  const counted = {
    ...env,
    DB: countD1(
      env.DB,
      () => trips.d1++,
      () => trips.replica++,
    ),
    ACCOUNT_GATE: countObjects(env.ACCOUNT_GATE, () => trips.objects++),
    CAMPAIGN: countObjects(env.CAMPAIGN, () => trips.objects++),
    SANDBOX_CARRIER: countObjects(env.SANDBOX_CARRIER, () => trips.objects++),
    RECORDING_INBOX: countObjects(env.RECORDING_INBOX, () => trips.objects++),
    ...other,
  };
  const context = createExecutionContext();
  const sent =
    body === undefined
      ? { method, headers }
      : { method, headers: { ...headers, ...JSON_TYPE }, body: JSON.stringify(body) };
  const response = await app.fetch(new Request(BASE + path, sent), counted, context);
  const text = await response.text();
  await waitOnExecutionContext(context);
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text), ...trips };
}

const JSON_TYPE = { "content-type": "application/json" };

/** A database, or a session of one, whose `batch` counts once, and every statement run on its own once too. */
function countD1<T extends object>(db: T, count: () => void, countReplica: () => void): T {
  const counted = (statement: D1PreparedStatement): D1PreparedStatement =>
    through(statement, (name, method) => {
      if (name === "bind") return (...values) => counted(method(...values) as D1PreparedStatement);
      return (...values) => {
        count();
        return method(...values);
      };
    });
  return through(db, (name, method) => {
    if (name === "withSession") return (...values) => countD1(method(...values) as object, countReplica, countReplica);
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
