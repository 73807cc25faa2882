import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "../../src/app.ts";
import { BASE } from "./client.ts";

export interface RoundTrips {
  status: number;
  headers: Headers;
  body: unknown;
  /** Trips to D1's primary, to a nearby replica, and to a Durable Object, before the answer went out. */
  primary: number;
  replica: number;
  objects: number;
}

/** Makes one request and counts the storage round trips it waits for. */
export async function countRoundTrips(
  method: string,
  path: string,
  init: { headers?: Record<string, string>; body?: unknown; env?: Record<string, unknown> } = {},
): Promise<RoundTrips> {
  const count = { primary: 0, replica: 0, objects: 0 };
  const counting = {
    ...env,
    DB: countD1(env.DB, count),
    ACCOUNT_GATE: countCalls(env.ACCOUNT_GATE, () => count.objects++),
    ...init.env,
  };
  const headers = { ...init.headers, ...(init.body !== undefined && { "content-type": "application/json" }) };
  const body = init.body === undefined ? null : JSON.stringify(init.body);
  const ctx = createExecutionContext();
  const response = await app.fetch(new Request(BASE + path, { method, headers, body }), counting as never, ctx);
  const answer = { status: response.status, headers: response.headers, body: await response.json(), ...count };
  await waitOnExecutionContext(ctx);
  return answer;
}

const TRIPS = ["batch", "all", "run", "raw", "first", "exec"];

/** One batch or one executed statement is one trip. */
function countD1(d1: D1Database, count: { primary: number; replica: number }): D1Database {
  const wrap = <T extends object>(target: T, kind: "primary" | "replica"): T =>
    new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (TRIPS.includes(String(name))) count[kind]++;
          const result = Reflect.apply(value, object, args) as object;
          if (name === "withSession") return wrap(result, "replica");
          return name === "prepare" || name === "bind" ? wrap(result, kind) : result;
        };
      },
    });
  return wrap(d1, "primary");
}

function countCalls<T extends object>(namespace: T, count: () => void): T {
  const stub = (target: object): object =>
    new Proxy(target, {
      get: (object, name) => {
        const value = Reflect.get(object, name) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          count();
          return Reflect.apply(value, object, args) as unknown;
        };
      },
    });
  return new Proxy(namespace, {
    get: (object, name) => {
      const value = Reflect.get(object, name) as unknown;
      if (name !== "getByName" || typeof value !== "function") return value;
      return (...args: unknown[]) => stub(Reflect.apply(value, object, args) as object);
    },
  });
}
