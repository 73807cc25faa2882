import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { accountEvents } from "../../../src/kernel/durable/objects.ts";
import { type NewEvent, newEvent } from "../../../src/records/events/event.ts";
import type { Client } from "../../support/client.ts";

export interface ListedEvent {
  id: string;
  type: string;
  at: string;
  sequence: number;
  data: Record<string, unknown>;
}

export interface EventList {
  events: ListedEvent[];
  next: string | null;
  oldest: string | null;
}

/** The time from which events happen, ms. They follow a second apart. */
const BEGAN = Date.now() - 3_600_000;
export const timeOf = (n: number) => new Date(BEGAN + n * 1_000).toISOString();

const DATA = {
  "opt_out.added": {
    phone_number: "+13035550110",
    reason: null,
    conversation_id: null,
    agent_id: null,
    url: "/api/v1/do-not-call",
  },
  "tool_run.failed": {
    run_id: "019aa5c4-9d27-7c4b-8f61-d0b83e5a2115",
    tool_name: "lookup",
    conversation_id: null,
    agent_id: null,
    status: 503,
    duration_ms: 12,
    url: "/api/v1/tools/lookup/runs",
  },
} as const;

/** Returns the n-th event. */
export function happening(n: number, type: keyof typeof DATA = "opt_out.added", at = timeOf(n)): NewEvent {
  return type === "opt_out.added"
    ? newEvent(type, at, `resource ${n}`, DATA[type])
    : newEvent(type, at, `resource ${n}`, DATA[type]);
}

/** Delivers events as an object does that has pending ones. */
export const take = (account: string, events: NewEvent[]) => accountEvents(env, account).take(events);

/** Returns the n-th to the m-th event. Every third has another type. */
export const happenings = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) =>
    happening(from + i, (from + i) % 3 === 0 ? "tool_run.failed" : "opt_out.added"),
  );

export async function list(client: Client, query: Record<string, string | number> = {}): Promise<EventList> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const { status, body } = await client.get<EventList>(`/api/v1/events?${search}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Returns all events of these types so far, oldest first, once there are `n` of them. */
export async function eventsSoFar(client: Client, types: string, n: number): Promise<ListedEvent[]> {
  return vi.waitFor(
    async () => {
      const { events } = await list(client, { types, limit: 100 });
      expect(events.length).toBeGreaterThanOrEqual(n);
      return events.reverse();
    },
    { interval: 50 },
  );
}

export const sequences = ({ events }: EventList) => events.map(({ sequence }) => sequence);
