/** Reads past events in the order in which they happened. */
import type { Client } from "../api/client.ts";
import { EXIT, Failure, usage } from "../kernel/failure.ts";
import { type JsonObject, numberOf, objectsOf, textOf } from "../kernel/json.ts";

const PAGE = 100;
const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export interface PastFilter {
  /** ISO 8601, UTC. */
  since: string | undefined;
  /** An event's id. */
  after: string | undefined;
  types: string | undefined;
}

/** Parses a user's time: a duration ago, or a date with an offset. @throws Failure */
export function sinceOf(text: string, now: number): string {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now - Number(count) * (UNIT_MS[unit] ?? 0)).toISOString();
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) || Number.isNaN(Date.parse(text))) {
    throw usage(`“${text}” is not a time: use 30m, 24h, 7d, or 2026-11-23T09:00:00Z`);
  }
  return new Date(text).toISOString();
}

/**
 * Yields past events, oldest first, up to the newest at the time of the call. To begin at a time, it first pages
 * backwards and holds only one page at a time.
 */
export async function* past(client: Client, { since, after, types }: PastFilter): AsyncGenerator<JsonObject> {
  const [newest] = objectsOf(await client.get("/api/v1/events", { limit: 1 }), "events");
  if (!newest) return;
  const last = numberOf(newest, "sequence");
  let cursor = after;
  if (cursor === undefined) {
    const first = await oldest(client, since, types);
    if (!first || numberOf(first, "sequence") > last) return;
    yield first;
    cursor = textOf(first, "id");
  }
  for (let from: string | null = cursor; from !== null; ) {
    const page = await client.get("/api/v1/events", { after: from, since, types, limit: PAGE });
    for (const event of objectsOf(page, "events")) {
      if (numberOf(event, "sequence") > last) return;
      yield event;
    }
    from = textOf(page, "next") || null;
  }
}

/** Returns the first event that passes the filter. */
async function oldest(
  client: Client,
  since: string | undefined,
  types: string | undefined,
): Promise<JsonObject | null> {
  let found: JsonObject | null = null;
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page: JsonObject = await client.get("/api/v1/events", { after: cursor, since, types, limit: PAGE });
    found = objectsOf(page, "events").at(-1) ?? found;
    cursor = textOf(page, "next");
    if (cursor === "") return found;
    if (seen.has(cursor))
      throw new Failure(EXIT.failed, "unexpected", "the service returned the same page of events again");
    seen.add(cursor);
  }
}
