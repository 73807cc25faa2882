import type { RoundTrips } from "./trips.ts";

/** Returns the Worker's bindings with every access to storage counted in `trips`. */
export function countingBindings(env: Env, trips: RoundTrips) {
  const object = () => trips.objects++;
  return {
    ...env,
    DB: countD1(
      env.DB,
      () => trips.d1++,
      () => trips.replica++,
    ),
    ACCOUNT_GATE: countObjects(env.ACCOUNT_GATE, object),
    ACCOUNT_METER: countObjects(env.ACCOUNT_METER, object),
    ACCOUNT_LEDGER: countObjects(env.ACCOUNT_LEDGER, object),
    ACCOUNT_EVENTS: countObjects(env.ACCOUNT_EVENTS, object),
    WEBHOOK: countObjects(env.WEBHOOK, object),
    CAMPAIGN: countObjects(env.CAMPAIGN, object),
    SANDBOX_CARRIER: countObjects(env.SANDBOX_CARRIER, object),
    RECORDING_INBOX: countObjects(env.RECORDING_INBOX, object),
    CONVERSATION: countObjects(env.CONVERSATION, object),
    IDEMPOTENCY_STORE: countObjects(env.IDEMPOTENCY_STORE, object),
  };
}

/** Wraps a database, or a session of one. A `batch` counts once, and so does every statement that is run on its own. */
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

/** Returns the object with each of its methods replaced by the result of `wrap`. */
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
