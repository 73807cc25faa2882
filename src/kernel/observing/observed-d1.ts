import type { RunBatch } from "../db/batch.ts";
import { currentRequest } from "./request-context.ts";

type Timed = <T>(work: () => Promise<T>) => Promise<T>;

/** Adds the time spent waiting to the current request. */
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

/** The methods that query the database. */
const ASKING = new Set<string | symbol>(["batch", "exec", "all", "run", "first", "raw"]);
/** The methods whose results query the database. */
const LEADING = new Set<string | symbol>(["prepare", "bind", "withSession"]);

/** The original of each observed statement, because D1's `batch` only accepts originals. */
const behind = new WeakMap<object, object>();

/** Wraps the database so that each request records its time spent waiting for it. */
function observedD1<T extends object>(target: T): T {
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

/** Runs batches directly on D1. Each batch is observed once, instead of once per statement. */
export function directly(d1: Pick<D1Database, "prepare" | "batch">): RunBatch {
  const own = (behind.get(d1) ?? d1) as typeof d1;
  return (statements) => timed(() => own.batch(statements.map(({ sql, params }) => own.prepare(sql).bind(...params))));
}

/** Replaces the observed statements in an argument with their originals. */
function unwrapped(argument: unknown): unknown {
  if (!Array.isArray(argument)) return argument;
  return argument.map((one: unknown) => (typeof one === "object" && one !== null ? (behind.get(one) ?? one) : one));
}

const environments = new WeakMap<object, object>();

/** Returns the environment with its database observed. The same environment always gives the same result. */
export function observedEnv<E extends object>(env: E): E {
  const existing = environments.get(env);
  if (existing) return existing as E;
  const observed = Object.assign({}, env);
  if ("DB" in observed && typeof observed.DB === "object" && observed.DB !== null)
    Object.assign(observed, { DB: observedD1(observed.DB) });
  environments.set(env, observed);
  // Prevents an observed environment from being observed again.
  environments.set(observed, observed);
  return observed;
}
