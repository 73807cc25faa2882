import { BoundedMap } from "../../kernel/bounded-map.ts";
import type { AccountStore, Read } from "../../kernel/db/account-store.ts";
import type { Results } from "../../kernel/db/statement.ts";
import { firstIdAt, instantOf } from "../../kernel/instant-ids.ts";
import { logError } from "../../kernel/log.ts";
import { HOUR_MS, MINUTE_MS } from "../../kernel/time.ts";

/** How long an isolate reuses an account's list of volumes without reading it again, ms. */
const REUSE_MS = 10 * MINUTE_MS;
/** How old a list may be if D1 cannot be read, ms. Up to this age, it is right for every issued id. */
const RIGHT_FOR_MS = 12 * HOUR_MS;
/**
 * How much clocks may differ, ms. Ids are accepted from up to this long before the account's creation and after the
 * current time.
 */
const CLOCKS_DIFFER_MS = HOUR_MS;
const MAX_ENTRIES = 10_000;

type VolumeStore = Pick<AccountStore, "account" | "read" | "ledgerDays">;

const cachedDays = new BoundedMap<string, { days: string[]; at: number }>(MAX_ENTRIES);

/** Returns the first days of the volumes of the account's ledger, oldest first. */
export async function volumeDays(store: VolumeStore, now: number): Promise<string[]> {
  try {
    const [days] = await withVolumeDays(store, now);
    return days;
  } catch (error) {
    const cached = cachedDays.get(store.account);
    if (!cached || now - cached.at >= RIGHT_FOR_MS) throw error;
    logError("ledger", error, { account: store.account });
    return cached.days;
  }
}

/**
 * Returns the volumes' days with the results of other reads, in one D1 round trip. If the days are cached and nothing
 * else is read, there is no round trip.
 */
export async function withVolumeDays<S extends readonly Read<unknown>[]>(
  store: VolumeStore,
  now: number,
  ...statements: S
): Promise<[days: string[], results: Results<S>]> {
  const { account } = store;
  const cached = cachedDays.get(account);
  if (cached && now - cached.at < REUSE_MS)
    return [cached.days, (statements.length > 0 ? await store.read(...statements) : []) as Results<S>];
  const [days, ...results] = await store.read(store.ledgerDays(), ...statements);
  // A missing account may still be created, so its absence is not cached.
  if (days.length > 0) cachedDays.set(account, { days, at: now });
  return [days, results as Results<S>];
}

/** Returns the volume that an id belongs to; null if the account cannot have issued the id by `now` (ms). */
export function volumeOfId(days: string[], id: string, now: number): string | null {
  const at = instantOf(id);
  const [first] = days;
  if (at === null || first === undefined || at > now + CLOCKS_DIFFER_MS) return null;
  if (at < Date.parse(first) - CLOCKS_DIFFER_MS) return null;
  return days.slice(1).findLast((day) => Date.parse(day) <= at) ?? first;
}

/**
 * Returns the volumes, oldest first, that can contain ids from a window of time (ISO 8601) that are lower than
 * `before`.
 */
export function volumesWithin(
  days: string[],
  { since, until, before }: { since?: string | undefined; until?: string | undefined; before?: string | null },
): string[] {
  return days.filter((day, i) => {
    const next = days[i + 1];
    const isOver = since !== undefined && next !== undefined && next <= since;
    // The first volume also stores ids from before its first day, which come from differing clocks.
    const isAhead = i > 0 && ((until !== undefined && day >= until) || (before != null && lowestIdOf(day) >= before));
    return !isOver && !isAhead;
  });
}

/** Returns an id lower than any of this volume, and higher than any of earlier volumes. */
export function lowestIdOf(day: string): string {
  return firstIdAt(Date.parse(day));
}
