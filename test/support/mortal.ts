import { runInDurableObject } from "cloudflare:test";
import { AsyncLocalStorage } from "node:async_hooks";
import { expect, vi } from "vitest";
import { ObservedObject } from "../../src/kernel/observing/observed-object.ts";
import { evict } from "./evict.ts";

type Method = (...args: unknown[]) => unknown;

/** A process from its start to its death. A dead process neither calls other stores nor writes to its own. */
interface Life {
  /** Fails if the process is dead. */
  assertAlive(): void;
  /** Whether the process is dead. */
  isOver(): boolean;
  /** Reads D1. */
  read(work: () => unknown): Promise<unknown>;
  /** Makes a call to another store, unless the process is dead or dies at this call. */
  call(name: string, work: () => unknown): Promise<unknown>;
}

const lives = new AsyncLocalStorage<Life>();

/** The process dies at most at this many repetitions of a call in one step. */
const OCCURRENCES = 3;

export interface Mortal {
  /** Waits until no work is under way, and returns whether the process has died since its last restart. */
  hasDied(): Promise<boolean>;
  /** The calls at which it has died. */
  readonly deaths: ReadonlySet<string>;
  /** The number of its calls since its last restart, including those that only read D1. */
  calls(): number;
  /** Builds the object again. Only what it had stored is left, without its alarm. */
  restart(): Promise<void>;
}

interface Options {
  /** The methods of the object in which its process dies. */
  methods?: ("alarm" | (string & {}))[];
  /** Returns the step of the work. The process dies once at each call of each step. */
  step?: (storage: DurableObjectStorage) => string;
}

/**
 * Makes the process of an object die once at each of its calls to D1, R2 and other objects: between the call and its
 * result, and before the call if the object has stored something since the call before. Calls that only read D1 are left
 * out, because a death there leaves the same as the one before. If a step repeats a call, the process dies at its first
 * three occurrences in a life.
 */
export async function mortal(
  stub: DurableObjectStub,
  { methods = ["alarm"], step = () => "" }: Options = {},
): Promise<Mortal> {
  const deaths = new Set<string>();
  let isDead = false;
  let calls = 0;
  let work = { underWay: 0 };
  // Requests and alarms end before the work that they start in the background.
  const counted = async <T>(run: () => T): Promise<Awaited<T>> => {
    const own = work;
    own.underWay++;
    try {
      return await run();
    } finally {
      own.underWay--;
    }
  };
  const bornWith = (storage: DurableObjectStorage): Life => {
    const changes = () => storage.sql.exec("SELECT total_changes() AS n").one().n;
    const made = new Map<string, number>();
    let isOver = false;
    let seen = changes();
    const dieOnce = (point: string) => {
      if (isOver || deaths.has(point)) return;
      deaths.add(point);
      isDead = true;
      isOver = true;
    };
    const assertAlive = () => {
      if (isOver) throw new Error("the process died");
    };
    return {
      assertAlive,
      isOver: () => isOver,
      read(run) {
        calls += 1;
        return counted(run);
      },
      call: (name, run) =>
        counted(async () => {
          calls += 1;
          const what = `${name} ${step(storage)}`;
          const nth = Math.min(OCCURRENCES, (made.get(what) ?? 0) + 1);
          made.set(what, nth);
          const point = `${what} ${nth}`;
          if (changes() !== seen) dieOnce(`before ${point}`);
          assertAlive();
          const result = await run();
          seen = changes();
          dieOnce(`after ${point}`);
          assertAlive();
          return result;
        }),
    };
  };
  await runInDurableObject(stub, (object, { storage }) => {
    noticeCalls(Reflect.get(object, "env") as Record<string, unknown>);
    refuseWritesOfTheDead(storage);
    for (const method of methods) {
      const own = Object.getPrototypeOf(object) as Record<string, Method>;
      const owner = Object.hasOwn(own, method) ? own : (ObservedObject.prototype as unknown as typeof own);
      const original = owner[method];
      if (!original) throw new Error(`the object has no ${method}`);
      vi.spyOn(owner, method).mockImplementation(function (this: { ctx: DurableObjectState }, ...args) {
        const run = () => Reflect.apply(original, this, args) as unknown;
        if (!this.ctx.id.equals(stub.id)) return run();
        return counted(() => lives.run(bornWith(this.ctx.storage), run));
      });
    }
  });
  const restart = async () => {
    await runInDurableObject(stub, (_, { storage }) => storage.deleteAlarm());
    await evict(stub);
    isDead = false;
    calls = 0;
    work = { underWay: 0 };
  };
  await restart();
  const hasDied = async () => {
    await vi.waitFor(() => expect(work.underWay).toBe(0));
    return isDead;
  };
  return { hasDied, deaths, calls: () => calls, restart };
}

const noticing = new WeakSet<object>();

/** Wraps the bindings in the environment that the objects share. Calls outside of a life reach them unchanged. */
function noticeCalls(env: Record<string, unknown>): void {
  if (noticing.has(env)) return;
  noticing.add(env);
  for (const [name, binding] of Object.entries(env)) {
    if (typeof binding !== "object" || binding === null) continue;
    if ("prepare" in binding) env[name] = database(binding);
    else if ("getByName" in binding) env[name] = namespace(binding, name);
    else if ("createMultipartUpload" in binding) env[name] = store(binding, name);
  }
}

/**
 * Refuses the writes of a dead process, because its error handlers could repair what a real death leaves. Writes of keys
 * do nothing instead of failing, because an alarm that cannot note the failure of a part fails itself.
 */
function refuseWritesOfTheDead({ sql, kv }: DurableObjectStorage): void {
  replace(sql, "exec", (exec) => (query, ...bindings) => {
    if (!/^\s*select/i.test(String(query))) lives.getStore()?.assertAlive();
    return exec(query, ...bindings);
  });
  for (const name of ["put", "delete"])
    replace(
      kv,
      name,
      (write) =>
        (...args) =>
          lives.getStore()?.isOver() ? undefined : write(...args),
    );
}

/** Replaces a method of all stores of this kind, once. */
function replace(store: object, name: string, by: (original: Method) => Method): void {
  const methods = Object.getPrototypeOf(store) as Record<string, Method>;
  const original = methods[name];
  if (!original || noticing.has(original)) return;
  const replaced = function (this: object, ...args: unknown[]) {
    return by((...own) => Reflect.apply(original, this, own) as unknown)(...args);
  };
  noticing.add(replaced);
  methods[name] = replaced;
}

function called(name: string, work: () => unknown): unknown {
  return lives.getStore()?.call(name, work) ?? work();
}

/** Returns the target with other methods. */
function withMethods<T extends object>(target: T, method: (name: string, original: Method) => Method): T {
  return new Proxy(target, {
    get(own, name) {
      const value: unknown = Reflect.get(own, name);
      if (typeof value !== "function" || typeof name === "symbol") return value;
      return method(name, (...args) => Reflect.apply(value, own, args) as unknown);
    },
  });
}

const QUERIES = ["all", "run", "first", "raw", "batch"];
const BUILDERS = ["prepare", "bind", "withSession"];
/** The original and the text of each statement, because D1's `batch` only accepts originals. */
const statements = new WeakMap<object, { original: object; sql: string }>();

function database<T extends object>(target: T, sql = ""): T {
  const noticed = withMethods(target, (name, original) => (...args) => {
    const batch = name === "batch" ? (args[0] as object[]).map((one) => statements.get(one)) : [];
    if (BUILDERS.includes(name))
      return database(original(...args) as object, name === "prepare" ? String(args[0]) : sql);
    const work = () => (name === "batch" ? original(batch.map((one) => one?.original)) : original(...args));
    const life = lives.getStore();
    // Outside of a life no text is joined, because other tests count the characters that requests join.
    if (!life || !QUERIES.includes(name)) return work();
    const text = name === "batch" ? batch.map((one) => one?.sql).join("; ") : sql;
    if (/(?:^|; )(?!select)/i.test(text)) return life.call(text, work);
    return life.read(work);
  });
  statements.set(noticed, { original: target, sql });
  return noticed;
}

function namespace<T extends object>(target: T, binding: string): T {
  return withMethods(target, (name, original) => (...args) => {
    const result = original(...args);
    return ["get", "getByName"].includes(name) ? store(result as DurableObjectStub, binding) : result;
  });
}

const NO_CALLS = ["then", "constructor", "dup", "get", "head", "list"];

function store<T extends object & { name?: string }>(target: T, binding: string): T {
  return withMethods(target, (name, original) => (...args) => {
    const what = `${binding} ${target.name ?? ""} ${name === "hop" ? String(args[2]) : name}`;
    return NO_CALLS.includes(name) ? original(...args) : called(what, () => original(...args));
  });
}
