import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "../../src/app.ts";
import { countingBindings } from "../bench/yardstick/count-round-trips.ts";
import type { RoundTrips } from "../bench/yardstick/trips.ts";
import { BASE } from "./client.ts";

/** The response to one request and its storage round trips. */
interface Counted extends RoundTrips {
  status: number;
  headers: Headers;
  body: unknown;
}

/** A request other than a plain GET, or with special bindings. */
interface Request_ {
  method?: string;
  body?: unknown;
  env?: Record<string, unknown>;
}

/** Serves one request and counts every access to storage. */
export async function countRoundTrips(
  path: string,
  headers: Record<string, string>,
  { method = "GET", body, env: other }: Request_ = {},
): Promise<Counted> {
  const trips = { d1: 0, replica: 0, objects: 0 };
  const counted = { ...countingBindings(env, trips), ...other };
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
