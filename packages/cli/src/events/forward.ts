/** Forwards events as webhooks to an address of the developer's own. */
import type { World } from "../kernel/context.ts";
import { isObject, type Json, type JsonObject, textOf } from "../kernel/json.ts";
import { signedHeaders } from "./sign.ts";

/** Number of concurrent deliveries, as for a webhook. */
export const AT_ONCE = 4;
/** Delay before each attempt, ms. */
const TRIES_MS = [0, 1_000, 5_000];
/** Timeout of a receiver, ms, as for a webhook. */
const TIMEOUT_MS = 15_000;

/** The outcome of delivering an event. */
export interface Delivery {
  id: string;
  type: string;
  delivered: boolean;
  tries: number;
  /** The status of the last attempt; null if there was no answer. */
  status_code: number | null;
  /** The error of the last attempt; null if it succeeded. */
  error: string | null;
  duration_ms: number;
}

export interface Forwarding {
  to: string;
  secret: string;
  /** The account's name, included in the body. */
  account: string;
  world: Pick<World, "fetch" | "now" | "sleep">;
}

export function webhookBody(event: JsonObject, account: string): string {
  const { id = null, type = null, at = null, data = null } = event;
  return JSON.stringify({ id, type, timestamp: at, account, data });
}

/** Sends one event until it is accepted or all attempts have failed. */
export async function deliver(event: JsonObject, { to, secret, account, world }: Forwarding): Promise<Delivery> {
  const [id, type, body] = [textOf(event, "id"), textOf(event, "type"), webhookBody(event, account)];
  const delivery: Delivery = { id, type, delivered: false, tries: 0, status_code: null, error: null, duration_ms: 0 };
  for (const wait of TRIES_MS) {
    if (wait > 0) await world.sleep(wait);
    const began = world.now();
    delivery.tries++;
    const headers = signedHeaders(secret, id, began, body);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await world.fetch(to, { method: "POST", headers, body, redirect: "manual", signal });
      await response.body?.cancel();
      delivery.status_code = response.status;
      delivery.delivered = response.ok;
      delivery.error = response.ok ? null : `answered ${response.status}`;
    } catch (error) {
      delivery.status_code = null;
      delivery.error = reasonOf(error);
    }
    delivery.duration_ms = world.now() - began;
    // 410 means that the receiver is permanently gone.
    if (delivery.delivered || delivery.status_code === 410) break;
  }
  return delivery;
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError") return `no answer within ${TIMEOUT_MS / 1_000} s`;
  const cause =
    error instanceof Error && isObject(error.cause as Json) ? (error.cause as { code?: unknown }).code : null;
  return cause === "ECONNREFUSED" ? "nothing listens there" : `cannot be reached${cause ? ` (${String(cause)})` : ""}`;
}

/** Applies `act` to each item with limited concurrency. Items that arrive faster wait. */
export async function each<T>(items: AsyncIterable<T>, atOnce: number, act: (item: T) => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const item of items) {
    const job: Promise<void> = act(item).finally(() => running.delete(job));
    running.add(job);
    if (running.size >= atOnce) await Promise.race(running);
  }
  await Promise.all(running);
}
