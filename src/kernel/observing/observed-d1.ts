import { currentRequest } from "./request-context.ts";

type Timed = <T>(work: () => Promise<T>) => Promise<T>;

/** Adds what it waits for to the request that is being served. */
const timed: Timed = async (work) => {
  const request = currentRequest();
  if (!request) return work();
  const began = Date.now();
  try {
    return await work();
  } finally {
    request.d1_ms += Date.now() - began;
  }
};

/** The methods that go to the database. */
const ASKING = new Set<string | symbol>(["batch", "exec", "all", "run", "first", "raw"]);
/** The methods that give something which goes to the database. */
const LEADING = new Set<string | symbol>(["prepare", "bind", "withSession"]);

/** What stands behind each observed statement: a batch takes D1's own. */
const behind = new WeakMap<object, object>();

/** The database, with the time that requests wait for it. */
export function observedD1<T extends object>(target: T): T {
  const observed = new Proxy(target, {
    get(own, name) {
      const value: unknown = Reflect.get(own, name);
      if (typeof value !== "function") return value;
      if (ASKING.has(name))
        return (...args: unknown[]) => timed(() => Reflect.apply(value, own, args.map(unwrapped)) as Promise<unknown>);
      if (LEADING.has(name)) return (...args: unknown[]) => observedD1(Reflect.apply(value, own, args) as object);
      return value.bind(own) as unknown;
    },
  });
  behind.set(observed, target);
  return observed;
}

/** Runs statements as one batch. It is observed once, and none of its statements is. */
export function observedBatch(
  d1: Pick<D1Database, "prepare" | "batch">,
  statements: { sql: string; params: unknown[] }[],
): Promise<D1Result[]> {
  const own = (behind.get(d1) ?? d1) as typeof d1;
  return timed(() => own.batch(statements.map(({ sql, params }) => own.prepare(sql).bind(...params))));
}

/** The argument as D1 knows it: statements of a batch are its own. */
function unwrapped(argument: unknown): unknown {
  if (!Array.isArray(argument)) return argument;
  return argument.map((one: unknown) => (typeof one === "object" && one !== null ? (behind.get(one) ?? one) : one));
}

/** One per isolate and environment. */
const environments = new WeakMap<object, object>();

/** The environment with its database observed; the same one for the same environment. */
export function observedEnv<E extends object>(env: E): E {
  const existing = environments.get(env);
  if (existing) return existing as E;
  const observed = Object.assign({}, env);
  if ("DB" in observed && typeof observed.DB === "object" && observed.DB !== null)
    Object.assign(observed, { DB: observedD1(observed.DB) });
  environments.set(env, observed);
  // An already observed database stays as it is.
  environments.set(observed, observed);
  return observed;
}
